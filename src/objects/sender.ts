import { setTimeout as wait } from 'node:timers/promises';
import type { Access } from './access.ts';
import { lineError, ObjectsError, SlowError } from './objects-error.ts';
import { signedHeaders } from './signature.ts';
import { type OnWait, reportingWait, SLOWEST } from './waiting.ts';

/** How requests to a store are sent. */
export interface StoreOptions {
  readonly signal: AbortSignal;
  /** Longest wait for an answer, in ms. A large body gets more time, at the slowest accepted rate. */
  readonly timeoutMs: number;
  /** Base of the wait before a request is tried again, in ms. */
  readonly retryMs: number;
  /** False: the store is asked to refuse a write to a key that exists. */
  readonly mayOverwrite: boolean;
  /** Called once a second while waiting. */
  readonly onWait: OnWait;
}

const MOST_ATTEMPTS = 4;

/** Errors and upload results are short; the rest of a longer text is ignored. */
const MOST_TEXT = 16 * 1024;

/** A page lists 1,000 keys of up to 1,024 bytes each. */
const MOST_LIST = 8 * 1024 * 1024;

/**
 * Returns a function that sends signed requests to one store. Redirects are not followed. Network errors, 5xx and 429
 * are retried; everything else throws ObjectsError.
 */
export function sender(access: Access, bucketAddress: string, options: StoreOptions): Send {
  let isConditional = !options.mayOverwrite;
  return async (method, url, body = '') => {
    for (let attempt = 1; ; attempt++) {
      options.signal.throwIfAborted();
      const headers = headersFor(method, url, isConditional);
      const request = { method, url, headers, body };
      const outcome = await once(request, access, { ...options, attempt }).catch((error: unknown) =>
        lineError(error, url.host, options.signal),
      );
      if (outcome instanceof Response && outcome.ok) return outcome;
      const error = outcome instanceof Response ? await refused(outcome, bucketAddress, access) : outcome;
      if (attempt === MOST_ATTEMPTS || !(mayPassLater(error) || lacksConditions(error, headers))) throw error;
      // This store has no conditional writes. The check before the upload has to do.
      if (lacksConditions(error, headers)) isConditional = false;
      await wait(options.retryMs * 2 ** (attempt - 1), undefined, { signal: options.signal });
    }
  };
}

export type Send = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: URL, body?: Outgoing['body']) => Promise<Response>;

type Outgoing = Parameters<typeof signedHeaders>[0];

interface Attempt extends StoreOptions {
  readonly attempt: number;
}

async function once(request: Outgoing, access: Access, { attempt, ...options }: Attempt): Promise<Response> {
  const stop = new AbortController();
  const longestMs = options.timeoutMs + (request.body.length / SLOWEST) * 1000;
  const timer = setTimeout(() => stop.abort(new SlowError(longestMs)), longestMs);
  const waited = { host: request.url.host, attempt, attempts: MOST_ATTEMPTS, mostMs: longestMs };
  try {
    const answering = answerTo(request, access, AbortSignal.any([options.signal, stop.signal]));
    return await reportingWait(answering, waited, options.onWait);
  } finally {
    clearTimeout(timer);
  }
}

async function answerTo(request: Outgoing, access: Access, signal: AbortSignal): Promise<Response> {
  const { method, url, body } = request;
  const answer = await fetch(url, {
    method,
    headers: signedHeaders(request, access, new Date()),
    ...(method !== 'GET' && { body }),
    redirect: 'manual',
    signal,
  });
  if (!answer.ok) return answer;
  // A POST can answer 200 with an error in its body.
  if (method === 'POST') return await read(answer, MOST_TEXT);
  return url.searchParams.has('list-type') ? await read(answer, MOST_LIST) : answer;
}

async function read(answer: Response, mostCharacters: number): Promise<Response> {
  const text = await textOf(answer, mostCharacters);
  const status = /<Error>/.test(text) ? 500 : answer.status;
  return new Response(text, { status, headers: answer.headers });
}

/** The condition makes the store refuse to overwrite a key, even when two programs write at once. */
function headersFor(method: string, url: URL, isConditional: boolean): Readonly<Record<string, string>> {
  const { searchParams } = url;
  const isMade =
    (method === 'PUT' && !searchParams.has('partNumber')) || (method === 'POST' && searchParams.has('uploadId'));
  return {
    'accept-encoding': 'identity',
    ...(method === 'PUT' && { 'content-type': 'application/octet-stream' }),
    ...(isMade && isConditional && { 'if-none-match': '*' }),
  };
}

const refused = async (answer: Response, address: string, access: Access): Promise<ObjectsError> =>
  refusalOf({ status: answer.status, headers: answer.headers, body: await textOf(answer) }, address, access);

async function textOf(answer: Response, mostCharacters = MOST_TEXT): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= mostCharacters) break;
    }
  } catch {
    // The part that arrived is enough for an error message.
  }
  return text.slice(0, mostCharacters);
}

const lacksConditions = ({ refusal }: ObjectsError, headers: Readonly<Record<string, string>>): boolean =>
  'if-none-match' in headers && (refusal?.status === 501 || refusal?.code === 'NotImplemented');

/** Whether a retry may help. */
function mayPassLater({ refusal, because }: ObjectsError): boolean {
  if (refusal === null) return because === 'unreachable';
  const { status, code } = refusal;
  return (
    (status >= 500 && status !== 501) ||
    status === 429 ||
    code === 'RequestTimeout' ||
    code === 'ConditionalRequestConflict'
  );
}

/** An answer that is not a success. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The error for an answer, with the store's code and message. Secret keys in the message become ***. */
export function refusalOf({ status, headers, body }: Answer, address: string, access: Access): ObjectsError {
  const safeBody = withoutKeys(body, access);
  const code = inTag(safeBody, 'Code').replace(/[^A-Za-z0-9._-]/g, '');
  const words = inTag(safeBody, 'Message');
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
    return 'the store redirects to another address: correct AWS_REGION or AWS_ENDPOINT_URL_S3; redirects are not followed';
  if (status === 404) return NO_BUCKET;
  if (status === 429 || status === 503) return 'the store is overloaded: run the same command again later';
  return status >= 500
    ? 'the store failed every time: run the same command again later'
    : "look up this code in the store's documentation";
}

const clockHint = (headers: Headers): string =>
  `this machine's clock says ${new Date().toISOString().slice(0, 19)}Z and the store's ${timeIn(headers)}: set the clock`;

function timeIn(headers: Headers): string {
  const timeMs = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(timeMs) ? 'something else' : `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

const PERMISSIONS =
  'these keys lack a permission: they need s3:GetObject, s3:PutObject, s3:AbortMultipartUpload and, on the bucket, s3:ListBucket';

const NO_BUCKET =
  'check the name of the bucket, AWS_REGION and AWS_ENDPOINT_URL_S3; blockglass does not create buckets';

const ANEW = 'these keys have expired: get new ones, set AWS_SESSION_TOKEN with them and run the same command again';

const HINTS: { readonly [code: string]: string | undefined } = {
  NoSuchBucket: NO_BUCKET,
  AccessDenied: PERMISSIONS,
  InvalidAccessKeyId: 'this store does not know the key in AWS_ACCESS_KEY_ID: check it, and AWS_ENDPOINT_URL_S3',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not match AWS_ACCESS_KEY_ID, or AWS_REGION is wrong',
  AuthorizationHeaderMalformed: 'AWS_REGION is not the region of the bucket: correct it',
  ExpiredToken: ANEW,
  TokenRefreshRequired: ANEW,
  InvalidToken:
    'AWS_SESSION_TOKEN does not match the keys: set all three again, or unset it for keys that do not expire',
  QuotaExceeded: 'the bucket is full: free some space and run the same command again',
};

const MOST_WORDS = 400;

/** The text of the first element with this name. */
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

/** How XML may escape the characters of a key. */
const ESCAPES: readonly ((key: string) => string)[] = [
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#${sign.charCodeAt(0)};`),
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#x${sign.charCodeAt(0).toString(16)};`),
  key => key.replace(/[^A-Za-z0-9]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
  key => key.replaceAll('+', '&#43;'),
  key => key.replaceAll('/', '&#47;'),
];
