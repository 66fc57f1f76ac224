import { ObjectsError } from './objects-error.ts';
import { addressOf } from './place.ts';

/** A store that names more is not listened to any longer. */
const MOST_KEYS = 200_000;

/** Keys that begin with a text, in a bucket at a URL. Throws ObjectsError. */
export async function listedKeys(
  send: typeof fetch,
  { url, bucket }: { readonly url: string; readonly bucket: string },
  prefix: string,
): Promise<readonly string[]> {
  const keys: string[] = [];
  let token = '';
  do {
    const query = [['list-type', '2'], ['prefix', prefix], ...(token === '' ? [] : [['continuation-token', token]])];
    const asked = query.map(pair => pair.map(encodeURIComponent).join('=')).join('&');
    const text = await (await send(`${url}?${asked}`)).text();
    if (!text.trimEnd().endsWith('</ListBucketResult>')) throw noList(bucket, prefix);
    keys.push(...inTags(text, 'Key'));
    if (keys.length > MOST_KEYS) throw noList(bucket, prefix);
    const [next = ''] = inTags(text, 'NextContinuationToken');
    if (next !== '' && next === token) throw noList(bucket, prefix);
    token = next;
  } while (token !== '');
  return keys;
}

const noList = (bucket: string, prefix: string): ObjectsError =>
  new ObjectsError(
    `${addressOf(bucket, prefix)}: the store does not tell which objects are there`,
    'choose another prefix, or another store',
    'untrusted',
  );

function inTags(text: string, tag: string): readonly string[] {
  return text
    .split(`<${tag}>`)
    .slice(1)
    .map(rest => withoutEntities(rest.slice(0, rest.indexOf(`</${tag}>`))));
}

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(quot|apos|lt|gt|amp));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });

const NAMED: { readonly [name: string]: string } = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
