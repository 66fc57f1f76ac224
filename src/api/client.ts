import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBody, refusal } from './answer.ts';
import { CutAnswerError, NetworkError, RateLimitedError, RefusedError } from './errors.ts';
import { splitLogin } from './login.ts';
import { RateBudget } from './rate-budget.ts';
import { type Reply, replyFacts } from './reply.ts';
import { type NodeRequest, requestUrl, shownAddress } from './request.ts';
import { type RequestFacts, ToldRequest } from './request-facts.ts';
import { type OpenBody, openBody, type Transport } from './transport.ts';

export interface ClientOptions {
  readonly base: URL;
  /** Limit for one whole answer, and for each phase of it. Default 30,000. */
  readonly timeoutMs?: number;
  /** Told of every request that was sent, when it has ended. */
  readonly tell?: (facts: RequestFacts) => void;
  readonly userAgent?: string;
  /** Environment that may hold HTTP_PROXY, HTTPS_PROXY and NO_PROXY; none means no proxy is used. */
  readonly proxies?: NodeJS.ProcessEnv;
  readonly nowMs?: () => number;
  /** Chance in [0,1) that spreads retries; injected in tests. */
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Asks one node, and no other address: redirects are not followed. */
export interface Client {
  /** Without the login. */
  readonly base: URL;
  /** The address came with a user or a password. */
  readonly hasLogin: boolean;
  readonly budget: RateBudget;
  /** Decoded size that a page may have: 32 MiB. */
  readonly pageLimitBytes: number;
  /** One decoded answer. Throws a NodeError, or the signal's reason when it aborts. */
  get(request: NodeRequest, signal?: AbortSignal, options?: GetOptions): Promise<Reply>;
  /** The body as it arrives, never decompressed, never repeated. `firstByteMs` limits the wait for the header. */
  open(request: NodeRequest, options: StreamOptions): Promise<OpenBody>;
}

/** For whoever says how many requests something took. */
export interface GetOptions {
  /** It is not sent again, however it fails. */
  readonly isOnce?: boolean;
  /** Told each time that it is sent. */
  readonly onSend?: () => void;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly firstByteMs: number;
  /** Longest silence between two chunks. */
  readonly idleMs: number;
}

const PAGE_LIMIT_BYTES = 32 * 1024 * 1024;
const RETRY_STATUS = new Set([502, 503, 504]);

export function createClient(options: ClientOptions): Client {
  const nowMs = options.nowMs ?? Date.now;
  const budget = new RateBudget(nowMs);
  const random = options.random ?? Math.random;
  const wait = options.wait ?? pause;
  const { base, authorization } = splitLogin(options.base);
  let requests = 0;
  const transport: Transport = {
    authorization,
    userAgent: options.userAgent ?? 'blockglass',
    proxies: isLoopback(base) ? {} : (options.proxies ?? {}),
  };

  async function get(
    request: NodeRequest,
    signal = new AbortController().signal,
    { isOnce = false, onSend }: GetOptions = {},
  ): Promise<Reply> {
    const url = requestUrl(base, request);
    for (let repeats = 0; ; repeats++) {
      await admit(request.path, signal);
      onSend?.();
      try {
        return await once(url, repeats + 1, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isOnce || repeats >= repeatsFor(error)) throw error;
        await wait(200 * 2 ** repeats * (0.5 + random()), signal);
      }
    }
  }

  async function admit(path: string, signal: AbortSignal): Promise<void> {
    const until = budget.blockedUntilMs;
    if (until > 0) {
      throw new RateLimitedError('not asked: the node said too many requests', {
        url: shown(path),
        retryAtMs: until,
      });
    }
    const delayMs = budget.take();
    if (delayMs > 0) await wait(delayMs, signal);
  }

  async function once(url: string, attempt: number, signal: AbortSignal): Promise<Reply> {
    const told = sent(url, attempt, signal);
    const limit = options.timeoutMs ?? 30_000;
    let size: number | null = null;
    try {
      const body = await openBody(transport, url, {
        signal,
        accept: 'application/json',
        decompress: true,
        limits: { lookup: limit, connect: limit, secureConnect: limit, response: limit, request: limit },
      });
      const headerAtMs = told.answeredBy(body);
      const bytes = await body.bytes(PAGE_LIMIT_BYTES);
      told.arrived();
      size = bytes.byteLength;
      const refused = refusal(url, body, bytes, budget);
      if (refused !== undefined) throw refused;
      const facts = replyFacts(body.headers);
      budget.served(facts.rate);
      const reply = { json: decodeBody(url, bytes), facts, bytes: size, elapsedMs: told.elapsedMs, headerAtMs };
      told.ended(size);
      return reply;
    } catch (error) {
      told.ended(size, error);
      throw error;
    }
  }

  async function open(request: NodeRequest, stream: StreamOptions): Promise<OpenBody> {
    const url = requestUrl(base, request);
    await admit(request.path, stream.signal);
    const told = sent(url, 1, stream.signal);
    try {
      const limit = options.timeoutMs ?? 30_000;
      const body = await openBody(transport, url, {
        signal: stream.signal,
        accept: '*/*',
        decompress: false,
        limits: { lookup: limit, connect: limit, secureConnect: limit, response: stream.firstByteMs },
        idleMs: stream.idleMs,
        timeoutHint: 'try again; --wait and --idle allow a node more time',
      });
      told.answeredBy(body);
      if (body.status === 200) return options.tell === undefined ? body : streamed(body, told);
      const bytes = await body.bytes(PAGE_LIMIT_BYTES);
      throw (
        refusal(url, body, bytes, budget) ??
        new NetworkError(`HTTP ${body.status} in place of 200`, { url, hint: 'try again' })
      );
    } catch (error) {
      told.ended(null, error);
      throw error;
    }
  }

  const sent = (url: string, attempt: number, signal: AbortSignal): ToldRequest =>
    new ToldRequest(options.tell, { id: ++requests, url, attempt, signal, nowMs });

  const shown = (path: string): string => `${shownAddress(base)}/${path}`;
  return { base, hasLogin: authorization !== undefined, budget, pageLimitBytes: PAGE_LIMIT_BYTES, get, open };
}

/** The body as it comes, and at its end it is told how much there was. */
function streamed(body: OpenBody, told: ToldRequest): OpenBody {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of body.chunks()) {
        bytes += chunk.byteLength;
        yield chunk;
      }
      told.ended(bytes);
    } catch (error) {
      told.ended(bytes, error);
      throw error;
    } finally {
      told.left(bytes);
    }
  }
  told.streams();
  return { ...body, chunks };
}

/** Ends early with the signal's reason, as a request does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}

/** How often a request that failed so is sent again; each time takes its place in the budget. */
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
