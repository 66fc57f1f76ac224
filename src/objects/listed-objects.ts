import { ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';
import type { Send } from './sender.ts';

/** A store that names more is not listened to any longer. */
const MOST_OBJECTS = 200_000;

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

/** Objects whose keys begin with a text, in a bucket at a URL. Throws ObjectsError. */
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
    `${addressOf(bucket, prefix)}: the store does not tell which objects are there`,
    'choose another prefix, or another store',
    'untrusted',
  );

export const inTags = (text: string, tag: string): readonly string[] => pieces(text, tag).map(withoutEntities);

const pieces = (text: string, tag: string): readonly string[] =>
  text
    .split(`<${tag}>`)
    .slice(1)
    .map(rest => rest.slice(0, rest.indexOf(`</${tag}>`)));

export const withEntities = (text: string): string => text.replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`);

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(quot|apos|lt|gt|amp));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });

const NAMED: { readonly [name: string]: string } = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
