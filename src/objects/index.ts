// The front door of buckets, loaded when a place in one is named: nobody else imports what lies behind it.
export { type Bucket, openBucket, readText } from './bucket.ts';
export type { ObjectsError } from './objects-error.ts';
export { addressOf, objectPlace } from './place.ts';
export type { StoredObject } from './put-object.ts';
export type { Waited } from './waited.ts';
