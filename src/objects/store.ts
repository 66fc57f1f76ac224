import type { Access } from './access.ts';
import { isRefusal, ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import { type Send, type StoreOptions, sender } from './sender.ts';
import { encoded } from './signature.ts';

/** Requests to one bucket. All methods throw ObjectsError. */
export interface Store {
  readonly bucket: string;
  readonly host: string;
  readonly options: StoreOptions;
  /** Undefined when there is no object with this key. */
  readonly read: (key: string) => Promise<ObjectReading | undefined>;
  /** Objects whose keys start with `prefix`. */
  readonly list: (prefix: string) => Promise<readonly ListedObject[]>;
  readonly put: (key: string, bytes: OwnBytes) => Promise<void>;
  /** Starts a multipart upload and returns its id. The key appears when the upload is completed. */
  readonly begin: (key: string) => Promise<string>;
  readonly putPart: (part: UploadPart, bytes: OwnBytes) => Promise<PartMark>;
  readonly complete: (upload: Upload, parts: readonly PartMark[]) => Promise<void>;
  readonly abort: (upload: Upload) => Promise<void>;
}

/** Bytes that no other thread shares, as `fetch` requires. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

export interface ObjectReading {
  /** Content length; null when the store does not state it. */
  readonly bytes: number | null;
  /** Taken at once: `fetch` cancels the body of an answer that nothing refers to any more, unless it has a reader. */
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
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

/** Opens a bucket. Sends no request yet. */
export function openStore(access: Access, bucket: string, options: StoreOptions): Store {
  const send = sender(access, addressOf(bucket, ''), options);
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
    options,
    read: async key => {
      const answer = await send('GET', at(key)).catch((error: unknown) => {
        if (isRefusal(error, 'NoSuchKey')) return undefined;
        throw error;
      });
      if (answer === undefined) return undefined;
      const length = answer.headers.get('content-length');
      return {
        bytes: length === null ? null : Number(length),
        reader: (answer.body ?? new Blob([]).stream()).getReader(),
      };
    },
    list: prefix => listedObjects(send, { url: access.url, bucket }, prefix),
    put: async (key, bytes) => {
      await send('PUT', at(key), bytes);
    },
    begin: async key => {
      const [uploadId = ''] = inTags(await (await send('POST', at(key, { uploads: '' }))).text(), 'UploadId');
      if (uploadId !== '') return uploadId;
      throw oddAnswer(addressOf(bucket, key), 'an upload id');
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
    `${address}: the store did not return ${what}`,
    'check AWS_ENDPOINT_URL_S3: this may not be an S3 store',
    'untrusted',
  );

/** Longer lists are refused. */
const MOST_OBJECTS = 200_000;

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

/** Lists the objects whose keys start with `prefix`, page by page. Throws ObjectsError. */
export async function listedObjects(
  send: Send,
  { url, bucket }: { readonly url: string; readonly bucket: string },
  prefix: string,
): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  let token = '';
  do {
    const query = [['list-type', '2'], ['prefix', prefix], ...(token === '' ? [] : [['continuation-token', token]])];
    const asked = query.map(pair => pair.map(encodeURIComponent).join('=')).join('&');
    const text = await (await send('GET', new URL(`${url}?${asked}`))).text();
    if (!text.trimEnd().endsWith('</ListBucketResult>')) throw noList(bucket, prefix);
    for (const contents of pieces(text, 'Contents')) {
      const [[key], [bytes]] = [inTags(contents, 'Key'), inTags(contents, 'Size')];
      if (key !== undefined) objects.push({ key, bytes: Number(bytes ?? Number.NaN) });
    }
    if (objects.length > MOST_OBJECTS) throw noList(bucket, prefix);
    const [next = ''] = inTags(text, 'NextContinuationToken');
    if (next !== '' && next === token) throw noList(bucket, prefix);
    token = next;
  } while (token !== '');
  return objects;
}

const noList = (bucket: string, prefix: string): ObjectsError =>
  new ObjectsError(
    `${addressOf(bucket, prefix)}: the store did not return a valid list of objects`,
    'choose another prefix, or another store',
    'untrusted',
  );

const inTags = (text: string, tag: string): readonly string[] => pieces(text, tag).map(withoutEntities);

const pieces = (text: string, tag: string): readonly string[] =>
  text
    .split(`<${tag}>`)
    .slice(1)
    .map(rest => rest.slice(0, rest.indexOf(`</${tag}>`)));

const withEntities = (text: string): string => text.replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`);

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(quot|apos|lt|gt|amp));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });

const NAMED: { readonly [name: string]: string } = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
