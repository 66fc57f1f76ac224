import { ObjectsError } from './objects-error.ts';

/** A place in a bucket: a folder there, or the whole bucket. */
export interface ObjectPlace {
  readonly bucket: string;
  /** Without a slash at either end; '' is the bucket itself. */
  readonly prefix: string;
}

/** S3's own limit for a key, in bytes of UTF-8. */
const LONGEST_KEY = 1024;

/**
 * The place that `s3://bucket/prefix` names. Throws ObjectsError for one that another tool would understand otherwise:
 * what is meant by `..`, by an empty name or by a control character is not guessed.
 */
export function objectPlace(text: string): ObjectPlace {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(text) ?? [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(bucket) || bucket.includes('..'))
    throw new ObjectsError(
      `"${bucket}" is no name of a bucket`,
      'a place is written s3://BUCKET/PREFIX: letters, digits, dots and dashes',
    );
  return { bucket, prefix: checkedKey(path.replace(/\/$/, ''), text) };
}

/** The key of a file below a place, whose path is written with slashes. */
export const keyBelow = ({ bucket, prefix }: ObjectPlace, path: string): string =>
  checkedKey(prefix === '' ? path : `${prefix}/${path}`, addressOf(bucket, path));

export const addressOf = (bucket: string, key: string): string =>
  key === '' ? `s3://${bucket}` : `s3://${bucket}/${key}`;

function checkedKey(key: string, text: string): string {
  const problem = key === '' ? undefined : problemWith(key);
  if (problem === undefined) return key;
  throw new ObjectsError(`${text} ${problem}`, 'write the key as it is to be: s3://BUCKET/FOLDER/FOLDER');
}

function problemWith(key: string): string | undefined {
  const names = key.split('/');
  if (names.includes('')) return 'has an empty name between two slashes';
  if (names.some(name => name === '.' || name === '..')) return 'has a name of dots, which no bucket resolves';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return 'has a control character';
  if (!key.isWellFormed()) return 'has half a character';
  return Buffer.byteLength(key) > LONGEST_KEY ? `is longer than a key may be, ${LONGEST_KEY} bytes` : undefined;
}
