import { setTimeout as wait } from 'node:timers/promises';
import type { Access } from './access.ts';
import { lineError, SlowError } from './line-error.ts';
import type { ObjectsError } from './objects-error.ts';
import { refusalOf } from './refusal.ts';
import { signedHeaders } from './signature.ts';
import { type OnWait, toldMeanwhile } from './waited.ts';

export interface Manner {
  readonly signal: AbortSignal;
  /** Longest wait for an answer, in ms; for a body the time it takes at the slowest rate that counts as going on. */
  readonly timeoutMs: number;
  /** Base of the wait before a request is tried again, in ms. */
  readonly retryMs: number;
  /** False: a write is asked for on the condition that nothing has its key. */
  readonly mayOverwrite: boolean;
  /** Called each second that an answer, or the next of a body, is waited for. */
  readonly onWait: OnWait;
}

const MOST_ATTEMPTS = 4;

/** Bytes a second; slower than this it stands still. */
export const SLOWEST = 16 * 1024;

/** What says no, or what ends an upload, is a small text; of a longer one nobody reads the rest. */
const MOST_TEXT = 16 * 1024;

/** A thousand keys at a time, each of at most a thousand bytes. */
const MOST_LIST = 8 * 1024 * 1024;

/**
 * Sends requests to one store and to nobody else: a redirection is an answer. What fails by itself (the line, 5xx, 429)
 * is tried again; the rest throws ObjectsError.
 */
export function sender(access: Access, bucketAddress: string, manner: Manner): Send {
  let isConditional = !manner.mayOverwrite;
  return async (method, url, body = '') => {
    for (let attempt = 1; ; attempt++) {
      manner.signal.throwIfAborted();
      const headers = headersFor(method, url, isConditional);
      const request = { method, url, headers, body };
      const outcome = await once(request, access, { ...manner, attempt }).catch((error: unknown) =>
        lineError(error, url.host, manner.signal),
      );
      if (outcome instanceof Response && outcome.ok) return outcome;
      const error = outcome instanceof Response ? await refused(outcome, bucketAddress, access) : outcome;
      if (attempt === MOST_ATTEMPTS || !(passes(error) || knowsNoCondition(error, headers))) throw error;
      // Of such a store the look at the key beforehand is all there is.
      if (knowsNoCondition(error, headers)) isConditional = false;
      await wait(manner.retryMs * 2 ** (attempt - 1), undefined, { signal: manner.signal });
    }
  };
}

export type Send = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: URL, body?: Outgoing['body']) => Promise<Response>;

type Outgoing = Parameters<typeof signedHeaders>[0];

interface Attempt extends Manner {
  readonly attempt: number;
}

async function once(request: Outgoing, access: Access, { attempt, ...manner }: Attempt): Promise<Response> {
  const stop = new AbortController();
  const longestMs = manner.timeoutMs + (request.body.length / SLOWEST) * 1000;
  const timer = setTimeout(() => stop.abort(new SlowError(longestMs)), longestMs);
  const waited = { host: request.url.host, attempt, attempts: MOST_ATTEMPTS, mostMs: longestMs };
  try {
    const answering = answerTo(request, access, AbortSignal.any([manner.signal, stop.signal]));
    return await toldMeanwhile(answering, waited, manner.onWait);
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
  // The answer to a POST may be a yes with an error in it.
  if (method === 'POST') return await read(answer, MOST_TEXT);
  return url.searchParams.has('list-type') ? await read(answer, MOST_LIST) : answer;
}

async function read(answer: Response, mostCharacters: number): Promise<Response> {
  const text = await textOf(answer, mostCharacters);
  const status = /<Error>/.test(text) ? 500 : answer.status;
  return new Response(text, { status, headers: answer.headers });
}

/** A key that is there is never written over unasked, not even by two at once: the store itself refuses it. */
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
    // What came of it says enough.
  }
  return text.slice(0, mostCharacters);
}

const knowsNoCondition = ({ refusal }: ObjectsError, headers: Readonly<Record<string, string>>): boolean =>
  'if-none-match' in headers && (refusal?.status === 501 || refusal?.code === 'NotImplemented');

/** It may be otherwise the next time. */
function passes({ refusal, because }: ObjectsError): boolean {
  if (refusal === null) return because === 'unreachable';
  const { status, code } = refusal;
  return (
    (status >= 500 && status !== 501) ||
    status === 429 ||
    code === 'RequestTimeout' ||
    code === 'ConditionalRequestConflict'
  );
}
