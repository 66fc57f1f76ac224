import { createHash, createHmac } from 'node:crypto';
import type { Access } from './access.ts';

export interface Unsigned {
  readonly method: string;
  readonly url: URL;
  /** In lower case, without `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

type Keys = Pick<Access, 'region' | 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * Adds the signature (AWS Signature Version 4) to the headers of a request. The SHA-256 of the body is signed too, so
 * that the store refuses a body that changed on the way.
 */
export function signedHeaders(request: Unsigned, keys: Keys, at: Date): Readonly<Record<string, string>> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/${keys.region}/s3/aws4_request`;
  const headers = {
    ...request.headers,
    'x-amz-content-sha256': sha256(request.body),
    'x-amz-date': time,
    ...(keys.sessionToken !== '' && { 'x-amz-security-token': keys.sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: request.url.host }).toSorted(byName);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    request.url.pathname,
    queryOf(request.url),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const signature = hmac(signingKey(keys, scope), [ALGORITHM, time, scope, sha256(canonical)].join('\n'));
  const credential = `${keys.accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credential},SignedHeaders=${names},Signature=${signature.toString('hex')}`,
  };
}

function queryOf({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => [encoded(name), encoded(value)] as const);
  return pairs
    .toSorted(byName)
    .map(pair => pair.join('='))
    .join('&');
}

/** Percent-encodes text as AWS signatures want it: `!'()*` too. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : one > other ? 1 : 0;

const signingKey = ({ secretAccessKey }: Keys, scope: string): Buffer =>
  scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`));

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
