import type { ObjectsError } from '../objects/index.ts';

/** Known by its name: the class is loaded with the buckets, which most commands never need. */
export const isObjectsError = (error: unknown): error is ObjectsError =>
  error instanceof Error && error.name === 'ObjectsError';
