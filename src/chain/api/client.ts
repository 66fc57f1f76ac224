import { setTimeout as sleep } from 'node:timers/promises';
import { assertUnpacked, unpackByContent } from './content-encoding.ts';
import { decodeBody, readStatusError } from './decode-answer.ts';
import {
  ConnectTimeoutError,
  DamagedAnswerError,
  isBackendUnavailable,
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
  WrongEncodingError,
} from './errors.ts';
import { splitLogin } from './login.ts';
import { RateBudget } from './rate-budget.ts';
import { cachedForMs, type Reply, readReplyHeaders } from './reply.ts';
import { type NodeRequest, requestUrl, shownAddress } from './request.ts';
import { RequestReporter, type SentRequest } from './sent-request.ts';
import { type OpenBody, openBody, type Transport } from './transport.ts';

export interface ClientOptions {
  readonly base: URL;
  /** The source of the answers, if not the base: errors and logs show only the base. */
  readonly servedAt?: URL | undefined;
  /** Limit in ms for a whole answer with all its attempts; for a stream, until it is connected. Default 30,000. */
  readonly timeoutMs?: number;
  /** Called with every request that was sent, when it has ended. */
  readonly onRequest?: (facts: SentRequest) => void;
  readonly userAgent?: string;
  /** Environment with HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. Without it no proxy is used. */
  readonly proxies?: NodeJS.ProcessEnv;
  /** Sent to this machine only, so that a front such as nginx can tell users apart (docs/guides/guests.md). */
  readonly clientName?: string | undefined;
  readonly nowMs?: () => number;
  /** Requests per second until the node reports its limit. Default 20. */
  readonly perSecond?: number;
  /** Chance in [0,1) that spreads retries; injected in tests. */
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Sends requests to one node. Redirects are not followed. */
export interface Client {
  /** Without the login. */
  readonly base: URL;
  /** Whether the address had a user name or password. */
  readonly hasLogin: boolean;
  readonly budget: RateBudget;
  /** Largest decoded size of a page, 32 MiB. */
  readonly pageLimitBytes: number;
  /** One decoded answer. Retries lost connections and 502-504. Throws NodeError, or the reason of an aborted signal. */
  get(request: NodeRequest, signal?: AbortSignal, options?: GetOptions): Promise<Reply>;
  /** Calls this with every answer of `get` from now on, before that resolves. */
  readonly onReply: (listener: ReplyListener) => void;
  /** Contradictions in its answers since then (Unix milliseconds), or of the last minutes; left out if not watched. */
  readonly doubts?: (sinceMs?: number) => readonly ChainDoubt[];
  /** A body as it arrives, never decompressed and never retried. Throws NodeError. */
  open(request: NodeRequest, options: StreamOptions): Promise<OpenBody>;
}

type ReplyListener = (request: NodeRequest, reply: Reply) => void;

/** Why the answers of one address may be of several chains, or of nodes that do not have the same of one. */
export interface ChainDoubt {
  /** `untrusted`: of two chains. `noted`: of one chain, at blocks that one node does not have one after the other. */
  readonly severity: 'untrusted' | 'noted';
  /** It may hold words of a node: sanitise it. */
  readonly sentence: string;
}

interface GetOptions {
  /** Never retried, but see `waitsUntilMs`; and a mislabelled answer is asked for without compression. */
  readonly isOnce?: boolean;
  /** After a 429 it waits and is sent again, unless the pause ends after this (Unix milliseconds). */
  readonly waitsUntilMs?: number;
  /** Limit in ms for all attempts together, where it is less than that of the client. */
  readonly mostMs?: number;
  /** Called each time it is sent. */
  readonly onSend?: () => void;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Longest wait for the header, in ms. */
  readonly firstByteMs: number;
  /** Longest silence between two chunks, in ms. */
  readonly idleMs: number;
}

interface Attempt {
  /** From 1. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly leftMs: number;
  readonly decompress: boolean;
}

const PAGE_LIMIT_BYTES = 32 * 1024 * 1024;
/** A person who asks again takes longer. */
const SILENCE_MS = 1000;
const RETRY_STATUS = new Set([502, 503, 504]);

export function createClient(options: ClientOptions): Client {
  const nowMs = options.nowMs ?? Date.now;
  const budget = new RateBudget(nowMs, options.perSecond);
  const random = options.random ?? Math.random;
  const wait = options.wait ?? pause;
  const { base, authorization } = splitLogin(options.base);
  const limitMs = options.timeoutMs ?? 30_000;
  const listeners: ReplyListener[] = [];
  let requests = 0;
  let hasAnswered = false;
  // What asks for one thing after another waits for a node that does not answer only once.
  let silence: { readonly error: TimeoutError; readonly untilMs: number } | undefined;
  const { clientName, servedAt } = options;
  const isNamed = clientName !== undefined && /^[\w.:-]{1,64}$/.test(clientName) && isLoopback(base);
  const transport: Transport = {
    ...(servedAt !== undefined && { servedAt: { base: shownAddress(base), address: shownAddress(servedAt) } }),
    ...(isNamed && { clientName }),
    authorization,
    connectMs: limitMs,
    userAgent: options.userAgent ?? 'blockglass',
    proxies: isLoopback(servedAt ?? base) ? {} : (options.proxies ?? {}),
  };

  async function get(
    request: NodeRequest,
    signal = new AbortController().signal,
    { isOnce = false, waitsUntilMs = 0, mostMs = limitMs, onSend }: GetOptions = {},
  ): Promise<Reply> {
    const url = requestUrl(base, request);
    let leftMs = Math.min(limitMs, mostMs);
    let first: unknown;
    for (let attempt = 1; ; attempt++) {
      let sentAtMs = performance.now();
      try {
        await admit(request.path, signal);
        onSend?.();
        sentAtMs = performance.now();
        const reply = await once(url, { attempt, signal, leftMs, decompress: !(first instanceof WrongEncodingError) });
        for (const listener of listeners) listener(request, reply);
        return reply;
      } catch (error) {
        signal.throwIfAborted();
        const isLimited = error instanceof RateLimitedError && error.retryAtMs <= waitsUntilMs;
        // All attempts together have the time of one.
        leftMs = isLimited ? limitMs : leftMs - (performance.now() - sentAtMs);
        const isFinal = isOnce && !(error instanceof WrongEncodingError);
        if (!isLimited && (isFinal || leftMs <= 0 || attempt > retryLimit(error, request)))
          throw moreTelling(first, error);
        first ??= isLimited ? undefined : error;
        await wait(isLimited ? error.retryAtMs - nowMs() : 100 * 2 ** attempt * (0.5 + random()), signal);
      }
    }
  }

  async function admit(path: string, signal: AbortSignal): Promise<void> {
    if (silence !== undefined && performance.now() < silence.untilMs) throw silence.error;
    const until = budget.blockedUntilMs;
    if (until > 0) {
      throw new RateLimitedError('not sent: the rate limit of the node is reached', {
        url: shown(path),
        retryAtMs: until,
      });
    }
    const delayMs = budget.take();
    if (delayMs > 0) await wait(delayMs, signal);
  }

  async function once(url: string, { attempt, signal, leftMs, decompress }: Attempt): Promise<Reply> {
    const report = sent(url, attempt, signal);
    let size: number | null = null;
    try {
      const body = await openBody(transport, url, {
        signal,
        accept: 'application/json',
        decompress,
        limits: { request: leftMs },
      });
      const headerAtMs = report.answeredBy(body) - cachedForMs(body.headers);
      const received = await body.bytes(PAGE_LIMIT_BYTES);
      hasAnswered = true;
      const bytes = decompress
        ? received
        : await unpackByContent(received, { ...body, url, limitBytes: PAGE_LIMIT_BYTES });
      if (decompress) assertUnpacked(bytes, body.encoding, url);
      report.arrived();
      size = bytes.byteLength;
      const refused = readStatusError(url, body, bytes, budget);
      if (refused !== undefined) throw refused;
      const facts = readReplyHeaders(body.headers);
      budget.served(facts.rate);
      const reply = {
        json: decodeBody(url, bytes, body.proxy),
        facts,
        bytes: size,
        elapsedMs: report.elapsedMs,
        headerAtMs,
      };
      report.ended(size);
      return reply;
    } catch (error) {
      report.ended(size, error);
      noteSilence(error);
      throw error;
    }
  }

  async function open(request: NodeRequest, stream: StreamOptions): Promise<OpenBody> {
    const url = requestUrl(base, request);
    await admit(request.path, stream.signal);
    const report = sent(url, 1, stream.signal);
    try {
      const body = await openBody(transport, url, {
        signal: stream.signal,
        accept: '*/*',
        decompress: false,
        limits: { connect: limitMs, response: stream.firstByteMs },
        idleMs: stream.idleMs,
        timeoutHint: 'try again; --wait and --idle give the node more time',
      });
      report.answeredBy(body);
      hasAnswered = true;
      if (body.status === 200) return options.onRequest === undefined ? body : streamed(body, report);
      const bytes = await body.bytes(PAGE_LIMIT_BYTES);
      throw (
        readStatusError(url, body, bytes, budget) ??
        new NetworkError(`HTTP ${body.status} instead of 200`, { url, hint: 'try again' })
      );
    } catch (error) {
      report.ended(null, error);
      noteSilence(error);
      throw error;
    }
  }

  function noteSilence(error: unknown): void {
    if (error instanceof ConnectTimeoutError || (error instanceof TimeoutError && !hasAnswered))
      silence = { error, untilMs: performance.now() + SILENCE_MS };
  }

  const sent = (url: string, attempt: number, signal: AbortSignal): RequestReporter =>
    new RequestReporter(options.onRequest, { id: ++requests, url, attempt, signal, nowMs });

  const shown = (path: string): string => `${shownAddress(base)}/${path}`;
  const onReply = (listener: ReplyListener): void => void listeners.push(listener);
  return { base, hasLogin: authorization !== undefined, budget, pageLimitBytes: PAGE_LIMIT_BYTES, get, onReply, open };
}

/** The same body, with its size reported at the end. */
function streamed(body: OpenBody, report: RequestReporter): OpenBody {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of body.chunks()) {
        bytes += chunk.byteLength;
        yield chunk;
      }
      report.ended(bytes);
    } catch (error) {
      report.ended(bytes, error);
      throw error;
    } finally {
      report.left(bytes);
    }
  }
  report.streams();
  return { ...body, chunks };
}

/** Throws the reason of an aborted signal, as a request does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}

/** The more informative error of two attempts: a later timeout or unreadable answer is less so than the first error. */
const moreTelling = (first: unknown, last: unknown): unknown =>
  last instanceof TimeoutError || (first instanceof WrongEncodingError && last instanceof UndecodableError)
    ? (first ?? last)
    : last;

/** Retries after this error. Each one counts against the budget. */
function retryLimit(error: unknown, { isForCore }: NodeRequest): number {
  if (error instanceof DamagedAnswerError) return 1;
  // A core that a data node does not reach is not reached a moment later either.
  if (isForCore === true && isBackendUnavailable(error)) return 0;
  if (error instanceof RefusedError) return RETRY_STATUS.has(error.status) ? 2 : 0;
  const isReset =
    error instanceof NetworkError &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === 'ECONNRESET';
  return isReset ? 2 : 0;
}

function isLoopback(base: URL): boolean {
  return base.hostname === 'localhost' || base.hostname === '[::1]' || /^127\./.test(base.hostname);
}
