import type { Access } from './access.ts';
import { ObjectsError } from './objects-error.ts';

/** What a store answered that is no yes. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The error for an answer, with the store's own code and message, in which no key is left standing. */
export function refusalOf({ status, headers, body }: Answer, address: string, access: Access): ObjectsError {
  const told = withoutKeys(body, access);
  const code = inTag(told, 'Code').replace(/[^A-Za-z0-9._-]/g, '');
  const words = inTag(told, 'Message');
  const said = [String(status), code, words === '' ? '' : `- ${words}`].filter(part => part !== '').join(' ');
  const region = regionIn(headers, body);
  const hint = region === '' || region === access.region ? hintFor(status, code, headers) : inRegion(region);
  return new ObjectsError(`${address}: the store answered ${said}`, hint, 'refused', { status, code });
}

const inRegion = (region: string): string =>
  `the bucket is in the region ${region}: set AWS_REGION=${region}, and run the same command again`;

function regionIn(headers: Headers, body: string): string {
  const region = headers.get('x-amz-bucket-region') ?? inTag(body, 'Region');
  return /^[a-z0-9-]{1,40}$/.test(region) ? region : '';
}

function hintFor(status: number, code: string, headers: Headers): string {
  const known = HINTS[code];
  if (known !== undefined) return known;
  if (code === 'RequestTimeTooSkewed') return clockHint(headers);
  if (status === 403 || status === 401) return PERMISSIONS;
  if (status >= 300 && status < 400)
    return 'the bucket is elsewhere: set AWS_REGION or AWS_ENDPOINT_URL_S3 to where it is; nothing was sent there';
  if (status === 404) return NO_BUCKET;
  if (status === 429 || status === 503) return 'the store has too much to do: run the same command again later';
  return status >= 500
    ? 'the store failed each time it was asked: run the same command again later'
    : 'see what the store says of this code';
}

const clockHint = (headers: Headers): string =>
  `this machine's clock says ${new Date().toISOString().slice(0, 19)}Z, the store's ${timeIn(headers)}: set the clock`;

function timeIn(headers: Headers): string {
  const timeMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(timeMs) ? 'something else' : `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

const PERMISSIONS =
  'these keys may not do that: they need s3:GetObject, s3:PutObject, s3:AbortMultipartUpload and, on the bucket, s3:ListBucket (without which a key that is not there yet is refused too)';

const NO_BUCKET =
  'check the name of the bucket, AWS_REGION and AWS_ENDPOINT_URL_S3; buckets are not made by blockglass';

const ANEW = 'these keys have expired: get new ones, set AWS_SESSION_TOKEN with them, and run the same command again';

const HINTS: { readonly [code: string]: string | undefined } = {
  NoSuchBucket: NO_BUCKET,
  AccessDenied: PERMISSIONS,
  InvalidAccessKeyId: 'this store does not know the key in AWS_ACCESS_KEY_ID: check it, and AWS_ENDPOINT_URL_S3',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not go with AWS_ACCESS_KEY_ID, or AWS_REGION is another',
  AuthorizationHeaderMalformed: 'AWS_REGION is not the region of the bucket: set it to that',
  ExpiredToken: ANEW,
  TokenRefreshRequired: ANEW,
  InvalidToken: 'AWS_SESSION_TOKEN does not go with the keys: set all three anew, or none for keys that do not expire',
  QuotaExceeded: 'the bucket is full: make room, and run the same command again',
};

const MOST_WORDS = 400;

/** The text of the first element of that name: an answer that says no is short, and nothing else in it is read. */
function inTag(body: string, tag: string): string {
  const start = body.indexOf(`<${tag}>`);
  const end = body.indexOf(`</${tag}>`, start);
  if (start < 0 || end < 0) return '';
  const text = body.slice(start + tag.length + 2, end).slice(0, MOST_WORDS);
  return text
    .replace(/&(quot|apos|lt|gt|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

const ENTITIES: { readonly [name: string]: string } = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

const withoutKeys = (words: string, { accessKeyId, secretAccessKey, sessionToken }: Access): string =>
  [secretAccessKey, sessionToken, accessKeyId]
    .filter(key => key !== '')
    .flatMap(key => [key, encodeURIComponent(key), ...ESCAPES.map(written => written(key))])
    .reduce((rest, key) => rest.replaceAll(key, '***'), words);

/** As XML may write what is in keys: names for signs, or their numbers. */
const ESCAPES: readonly ((key: string) => string)[] = [
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#${sign.charCodeAt(0)};`),
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#x${sign.charCodeAt(0).toString(16)};`),
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
  key => key.replaceAll('+', '&#43;'),
  key => key.replaceAll('/', '&#47;'),
];
