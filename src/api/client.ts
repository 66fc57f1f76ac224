import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBody, refusal } from './answer.ts';
import { CutAnswerError, NetworkError, RateLimitedError, RefusedError } from './errors.ts';
import { splitLogin } from './login.ts';
import { RateBudget } from './rate-budget.ts';
import { cachedForMs, type Reply, replyFacts } from './reply.ts';
import { type NodeRequest, requestUrl, shownAddress } from './request.ts';
import { type RequestFacts, RequestReport } from './request-facts.ts';
import { type OpenBody, openBody, type Transport } from './transport.ts';

export interface ClientOptions {
  readonly base: URL;
  /** Limit in ms for a whole answer and for each phase of it. Default 30,000. */
  readonly timeoutMs?: number;
  /** Called with every request that was sent, when it has ended. */
  readonly onRequest?: (facts: RequestFacts) => void;
  readonly userAgent?: string;
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Without it no proxy is used. */
  readonly proxies?: NodeJS.ProcessEnv;
  /** Sent to this machine only, so that a front such as nginx can tell users apart (docs/guests.md). */
  readonly clientName?: string | undefined;
  readonly nowMs?: () => number;
  /** Requests per second until the node says how many it allows. Default 20. */
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
  /** A body as it arrives, never decompressed and never retried. Throws NodeError. */
  open(request: NodeRequest, options: StreamOptions): Promise<OpenBody>;
}

export interface GetOptions {
  /** Never retried, but see `waitsUntilMs`. */
  readonly isOnce?: boolean;
  /** After a 429 it waits and is sent again, unless the pause ends after this (Unix milliseconds). */
  readonly waitsUntilMs?: number;
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

const PAGE_LIMIT_BYTES = 32 * 1024 * 1024;
const RETRY_STATUS = new Set([502, 503, 504]);

export function createClient(options: ClientOptions): Client {
  const nowMs = options.nowMs ?? Date.now;
  const budget = new RateBudget(nowMs, options.perSecond);
  const random = options.random ?? Math.random;
  const wait = options.wait ?? pause;
  const { base, authorization } = splitLogin(options.base);
  let requests = 0;
  const { clientName } = options;
  const isNamed = clientName !== undefined && /^[\w.:-]{1,64}$/.test(clientName) && isLoopback(base);
  const transport: Transport = {
    ...(isNamed && { clientName }),
    authorization,
    userAgent: options.userAgent ?? 'blockglass',
    proxies: isLoopback(base) ? {} : (options.proxies ?? {}),
  };

  async function get(
    request: NodeRequest,
    signal = new AbortController().signal,
    { isOnce = false, waitsUntilMs = 0, onSend }: GetOptions = {},
  ): Promise<Reply> {
    const url = requestUrl(base, request);
    for (let repeats = 0; ; repeats++) {
      try {
        await admit(request.path, signal);
        onSend?.();
        return await once(url, repeats + 1, signal);
      } catch (error) {
        signal.throwIfAborted();
        const isLimited = error instanceof RateLimitedError && error.retryAtMs <= waitsUntilMs;
        if (!isLimited && (isOnce || repeats >= repeatsFor(error))) throw error;
        await wait(isLimited ? error.retryAtMs - nowMs() : 200 * 2 ** repeats * (0.5 + random()), signal);
      }
    }
  }

  async function admit(path: string, signal: AbortSignal): Promise<void> {
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

  async function once(url: string, attempt: number, signal: AbortSignal): Promise<Reply> {
    const report = sent(url, attempt, signal);
    const limit = options.timeoutMs ?? 30_000;
    let size: number | null = null;
    try {
      const body = await openBody(transport, url, {
        signal,
        accept: 'application/json',
        decompress: true,
        limits: { lookup: limit, connect: limit, secureConnect: limit, response: limit, request: limit },
      });
      const headerAtMs = report.answeredBy(body) - cachedForMs(body.headers);
      const bytes = await body.bytes(PAGE_LIMIT_BYTES);
      report.arrived();
      size = bytes.byteLength;
      const refused = refusal(url, body, bytes, budget);
      if (refused !== undefined) throw refused;
      const facts = replyFacts(body.headers);
      budget.served(facts.rate);
      const reply = { json: decodeBody(url, bytes), facts, bytes: size, elapsedMs: report.elapsedMs, headerAtMs };
      report.ended(size);
      return reply;
    } catch (error) {
      report.ended(size, error);
      throw error;
    }
  }

  async function open(request: NodeRequest, stream: StreamOptions): Promise<OpenBody> {
    const url = requestUrl(base, request);
    await admit(request.path, stream.signal);
    const report = sent(url, 1, stream.signal);
    try {
      const limit = options.timeoutMs ?? 30_000;
      const body = await openBody(transport, url, {
        signal: stream.signal,
        accept: '*/*',
        decompress: false,
        limits: { lookup: limit, connect: limit, secureConnect: limit, response: stream.firstByteMs },
        idleMs: stream.idleMs,
        timeoutHint: 'try again; --wait and --idle give the node more time',
      });
      report.answeredBy(body);
      if (body.status === 200) return options.onRequest === undefined ? body : streamed(body, report);
      const bytes = await body.bytes(PAGE_LIMIT_BYTES);
      throw (
        refusal(url, body, bytes, budget) ??
        new NetworkError(`HTTP ${body.status} instead of 200`, { url, hint: 'try again' })
      );
    } catch (error) {
      report.ended(null, error);
      throw error;
    }
  }

  const sent = (url: string, attempt: number, signal: AbortSignal): RequestReport =>
    new RequestReport(options.onRequest, { id: ++requests, url, attempt, signal, nowMs });

  const shown = (path: string): string => `${shownAddress(base)}/${path}`;
  return { base, hasLogin: authorization !== undefined, budget, pageLimitBytes: PAGE_LIMIT_BYTES, get, open };
}

/** The same body, with its size reported at the end. */
function streamed(body: OpenBody, report: RequestReport): OpenBody {
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

/** Retries after this error. Each one counts against the budget. */
function repeatsFor(error: unknown): number {
  if (error instanceof CutAnswerError) return 1;
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
