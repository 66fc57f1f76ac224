import { ObjectsError } from './objects-error.ts';

/** A bucket, or a folder in it. */
export interface ObjectPlace {
  readonly bucket: string;
  /** Without a slash at either end; '' is the bucket itself. */
  readonly prefix: string;
}

/** The limit of S3 for a key, in UTF-8 bytes. */
const LONGEST_KEY = 1024;

/**
 * Parses `s3://bucket/prefix`. Throws ObjectsError for anything that another tool could read differently: `.` and `..`,
 * empty names, control characters.
 */
export function objectPlace(text: string): ObjectPlace {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(text) ?? [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(bucket) || bucket.includes('..'))
    throw new ObjectsError(
      `"${bucket}" is not a bucket name`,
      'write s3://BUCKET/PREFIX; a bucket name has letters, digits, dots and dashes',
    );
  return { bucket, prefix: checkedKey(path.replace(/\/$/, ''), text) };
}

/** The key of a file below a place. The path is written with slashes. Throws ObjectsError. */
export const keyBelow = ({ bucket, prefix }: ObjectPlace, path: string): string =>
  checkedKey(prefix === '' ? path : `${prefix}/${path}`, addressOf(bucket, path));

/** `s3://bucket/key`, for messages. */
export const addressOf = (bucket: string, key: string): string =>
  key === '' ? `s3://${bucket}` : `s3://${bucket}/${key}`;

function checkedKey(key: string, text: string): string {
  const problem = key === '' ? undefined : problemWith(key);
  if (problem === undefined) return key;
  throw new ObjectsError(`${text} ${problem}`, 'write it like s3://BUCKET/FOLDER/FOLDER');
}

function problemWith(key: string): string | undefined {
  const names = key.split('/');
  if (names.includes('')) return 'has an empty folder name';
  if (names.some(name => name === '.' || name === '..'))
    return 'has a folder named . or .., which buckets do not resolve';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return 'has a control character';
  if (!key.isWellFormed()) return 'has an incomplete character';
  return Buffer.byteLength(key) > LONGEST_KEY ? `is longer than ${LONGEST_KEY} bytes, the limit for a key` : undefined;
}
