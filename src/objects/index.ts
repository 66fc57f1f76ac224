// The front door of buckets, loaded when a place in one is named: nobody else imports what lies behind it.
export { type Bucket, type BucketOptions, openBucket, readText } from './bucket.ts';
export { ObjectsError } from './objects-error.ts';
export { addressOf, type ObjectPlace, objectPlace } from './place.ts';
export type { StoredObject } from './put-object.ts';
