import type { Access } from './access.ts';
import { listedKeys } from './listed-keys.ts';
import { isRefusal } from './objects-error.ts';
import { addressOf } from './place.ts';
import { type Manner, sender } from './sender.ts';

/** What is asked of a bucket. Every member throws ObjectsError. */
export interface Store {
  readonly bucket: string;
  /** Whom a request goes to. */
  readonly host: string;
  readonly manner: Manner;
  /** Undefined where no object has that key. */
  readonly read: (key: string) => Promise<ObjectReading | undefined>;
  /** Keys that begin with a text. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Begins an object in parts; nothing has its key before it is completed. */
  readonly begin: (key: string) => Promise<string>;
  readonly putPart: (part: UploadPart, bytes: Uint8Array) => Promise<PartMark>;
  readonly complete: (upload: Upload, parts: readonly PartMark[]) => Promise<void>;
  readonly abort: (upload: Upload) => Promise<void>;
}

export interface ObjectReading {
  /** As the store tells beforehand; null when it does not. */
  readonly bytes: number | null;
  readonly body: ReadableStream<Uint8Array>;
}

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export interface UploadPart extends Upload {
  /** From 1. */
  readonly number: number;
}

export interface PartMark {
  readonly partNumber: number;
  readonly etag: string;
}

/**
 * A bucket by s3mini, which forms requests and reads answers. It is given no keys: it knows none that expire, and
 * leaves bodies unsigned, so the sender signs.
 */
export async function openStore(access: Access, bucket: string, manner: Manner): Promise<Store> {
  const { default: S3mini } = await import('s3mini');
  const send = sender(access, addressOf(bucket, ''), manner);
  const client = new S3mini({
    accessKeyId: '',
    secretAccessKey: '',
    endpoint: access.url,
    region: access.region,
    fetch: send,
  });
  return {
    bucket,
    host: new URL(access.url).host,
    manner,
    read: async key => {
      const answer = await client.getObjectRaw(key).catch((error: unknown) => {
        if (isRefusal(error, 'NoSuchKey')) return undefined;
        throw error;
      });
      if (answer === undefined) return undefined;
      const length = answer.headers.get('content-length');
      return { bytes: length === null ? null : Number(length), body: answer.body ?? new Blob([]).stream() };
    },
    list: prefix => listedKeys(send, { url: access.url, bucket }, prefix),
    put: async (key, bytes) => {
      await client.putObject(key, bytes);
    },
    begin: key => client.getMultipartUploadId(key),
    putPart: ({ key, uploadId, number }, bytes) => client.uploadPart(key, uploadId, bytes, number),
    complete: async ({ key, uploadId }, parts) => {
      await client.completeMultipartUpload(key, uploadId, [...parts]);
    },
    abort: async ({ key, uploadId }) => {
      await client.abortMultipartUpload(key, uploadId);
    },
  };
}
