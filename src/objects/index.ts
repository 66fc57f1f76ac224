// The only module of this folder that others import. It is loaded when an s3:// address is used.
export { type Bucket, openBucket, readText } from './bucket.ts';
export type { ObjectsError } from './objects-error.ts';
export { addressOf, objectPlace } from './place.ts';
export type { StoredObject } from './put.ts';
export type { Waited } from './waiting.ts';
