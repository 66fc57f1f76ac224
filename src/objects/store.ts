import type { Access } from './access.ts';
import { inTags, type ListedObject, listedObjects, withEntities } from './listed-objects.ts';
import { isRefusal, ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import { type Manner, sender } from './sender.ts';
import { encoded } from './signature.ts';

/** What is asked of a bucket. Every member throws ObjectsError. */
export interface Store {
  readonly bucket: string;
  /** Whom a request goes to. */
  readonly host: string;
  readonly manner: Manner;
  /** Undefined where no object has that key. */
  readonly read: (key: string) => Promise<ObjectReading | undefined>;
  /** Objects whose keys begin with a text. */
  readonly list: (prefix: string) => Promise<readonly ListedObject[]>;
  readonly put: (key: string, bytes: OwnBytes) => Promise<void>;
  /** Begins an object in parts; nothing has its key before it is completed. */
  readonly begin: (key: string) => Promise<string>;
  readonly putPart: (part: UploadPart, bytes: OwnBytes) => Promise<PartMark>;
  readonly complete: (upload: Upload, parts: readonly PartMark[]) => Promise<void>;
  readonly abort: (upload: Upload) => Promise<void>;
}

/** Bytes of this thread alone. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

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

/** A bucket of a store; nothing is asked of it yet. */
export function openStore(access: Access, bucket: string, manner: Manner): Store {
  const send = sender(access, addressOf(bucket, ''), manner);
  const at = (key: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(`${access.url}/${key.split('/').map(encoded).join('/')}`);
    url.search = Object.entries(query)
      .map(([name, value]) => (value === '' ? name : `${name}=${encoded(value)}`))
      .join('&');
    return url;
  };
  return {
    bucket,
    host: new URL(access.url).host,
    manner,
    read: async key => {
      const answer = await send('GET', at(key)).catch((error: unknown) => {
        if (isRefusal(error, 'NoSuchKey')) return undefined;
        throw error;
      });
      if (answer === undefined) return undefined;
      const length = answer.headers.get('content-length');
      return { bytes: length === null ? null : Number(length), body: answer.body ?? new Blob([]).stream() };
    },
    list: prefix => listedObjects(send, { url: access.url, bucket }, prefix),
    put: async (key, bytes) => {
      await send('PUT', at(key), bytes);
    },
    begin: async key => {
      const [uploadId = ''] = inTags(await (await send('POST', at(key, { uploads: '' }))).text(), 'UploadId');
      if (uploadId !== '') return uploadId;
      throw oddAnswer(addressOf(bucket, key), 'a number for an upload in parts');
    },
    putPart: async ({ key, uploadId, number }, bytes) => {
      const answer = await send('PUT', at(key, { partNumber: String(number), uploadId }), bytes);
      const etag = answer.headers.get('etag') ?? '';
      if (etag !== '') return { partNumber: number, etag };
      throw oddAnswer(addressOf(bucket, key), 'an ETag for a part');
    },
    complete: async ({ key, uploadId }, parts) => {
      const list = parts.map(
        ({ partNumber, etag }) =>
          `<Part><PartNumber>${partNumber}</PartNumber><ETag>${withEntities(etag)}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
      await send('POST', at(key, { uploadId }), body);
    },
    abort: async ({ key, uploadId }) => {
      await send('DELETE', at(key, { uploadId }));
    },
  };
}

const oddAnswer = (address: string, what: string): ObjectsError =>
  new ObjectsError(
    `${address}: the store does not give ${what}`,
    'check AWS_ENDPOINT_URL_S3: it may be no store of this kind',
    'untrusted',
  );
