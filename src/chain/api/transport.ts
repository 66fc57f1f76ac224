import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import got, { type Request } from 'got';
import { formatByteLimit } from '../../base/text/byte-count.ts';
import { isForwarded, newTimeoutError, toConnectionError } from './connection-failure.ts';
import { toUnpackingError } from './content-encoding.ts';
import { DamagedAnswerError, NetworkError, TimeoutError, UndecodableError } from './errors.ts';
import type { Agents } from './proxy-agents.ts';
import { type ProxyChoice, proxyFor } from './proxy-choice.ts';
import { type PhaseLimits, RequestClock } from './request-clock.ts';

/** What all connections to a node share. */
export interface Transport {
  /** The source of answers instead of this base; only the base is shown. */
  readonly servedAt?: { readonly base: string; readonly address: string };
  readonly userAgent: string;
  readonly proxies: NodeJS.ProcessEnv;
  /** The authorization header, if the address had a login. */
  readonly authorization: string | undefined;
  /** Whom a front on this machine takes the requests to be from. */
  readonly clientName?: string;
  /** Limit in ms of opening a connection through a proxy. Default 30,000. */
  readonly connectMs?: number;
}

interface OpenOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  /** True: accept gzip and unpack it. False: ask for uncompressed bytes. */
  readonly decompress: boolean;
  /** Limits in ms, by phase; none means no limit. */
  readonly limits: PhaseLimits;
  /** Longest silence between two chunks of the body, in ms; none means no limit. A trickle counts as silence. */
  readonly idleMs?: number;
  /** Hint for an error when a limit is reached. */
  readonly timeoutHint?: string;
}

/** An answer whose header has arrived and whose body has not been read yet. */
export interface OpenBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** A proxy that may have answered instead of the node. */
  readonly proxy: ProxyChoice | undefined;
  /** Whether a login was sent. */
  readonly hasLogin: boolean;
  /** Its Content-Encoding, which got takes out of the headers when it unpacks the body. */
  readonly encoding: string | undefined;
  /** Bytes received so far, header included; null when not known. */
  readonly wireBytes: () => number | null;
  /**
   * Throws NetworkError or TimeoutError if the connection is lost, MislabelledError if the encoding is not as labelled.
   */
  chunks(): AsyncGenerator<Uint8Array>;
  /** The whole body. Throws UndecodableError over the limit, CutAnswerError when it is cut short or damaged. */
  bytes(limitBytes: number): Promise<Uint8Array>;
}

/** Sends one GET, without retries, and resolves when the header of the answer arrives, whatever its status. Throws NodeError. */
export async function openBody(transport: Transport, url: string, options: OpenOptions): Promise<OpenBody> {
  const { signal } = options;
  signal.throwIfAborted();
  const { servedAt } = transport;
  const served = servedAt === undefined ? url : servedAt.address + url.slice(servedAt.base.length);
  const proxy = proxyFor(transport.proxies, served);
  const agent = proxy === undefined ? DIRECT : await loadAgents(proxy, transport.connectMs);
  signal.throwIfAborted();
  const request = got.stream(served, {
    headers: {
      accept: options.accept,
      'user-agent': transport.userAgent,
      ...(transport.authorization !== undefined && { authorization: transport.authorization }),
      ...(transport.clientName !== undefined && { 'x-blockglass-client': transport.clientName }),
      ...(!options.decompress && { 'accept-encoding': 'identity' }),
    },
    agent,
    decompress: options.decompress,
    followRedirect: false,
    retry: { limit: 0 },
    signal,
    throwHttpErrors: false,
  });
  const hint = options.timeoutHint ?? TIMEOUT_HINT;
  const clock = new RequestClock(options.limits, limitMs => request.destroy(newTimeoutError(at(), limitMs, hint)));
  const at = () => ({ url, proxy, phase: clock.phase });
  let encoding: string | undefined;
  request.once('request', (sent: ClientRequest) => {
    clock.follow(sent);
    sent.prependOnceListener('response', ({ headers }) => {
      encoding = headers['content-encoding'];
    });
  });
  request.once('close', () => clock.stop());
  const wireBytes = createByteCounter(request);
  const failure = (error: unknown): unknown => (signal.aborted ? signal.reason : toConnectionError(error, at()));
  return await new Promise((resolve, reject) => {
    request.once('error', error => reject(failure(error)));
    request.once('response', (response: { statusCode: number; headers: IncomingHttpHeaders }) => {
      clock.answered();
      const failed = (error: unknown): unknown => toUnpackingError(error, encoding, url) ?? failure(error);
      const chunks = () => readChunks(url, request, { ...options, failed });
      resolve({
        status: response.statusCode,
        headers: response.headers,
        encoding,
        proxy: proxy !== undefined && isForwarded(proxy, url) ? proxy : undefined,
        hasLogin: transport.authorization !== undefined,
        wireBytes,
        chunks,
        bytes: limitBytes => readBytes(url, chunks(), limitBytes),
      });
    });
  });
}

const DIRECT: Agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

// One pool of keep-alive connections per proxy. The variables do not change while the program runs.
const pools = new Map<string, Agents>();

async function loadAgents(proxy: ProxyChoice, limitMs = USUAL_LIMIT_MS): Promise<Agents> {
  const key = JSON.stringify([proxy, limitMs]);
  const { proxyAgents } = await import('./proxy-agents.ts');
  const known = pools.get(key) ?? proxyAgents(proxy, limitMs);
  pools.set(key, known);
  return known;
}

const USUAL_LIMIT_MS = 30_000;

/** Bytes read since the request got its connection, which may have served other requests before. */
function createByteCounter(request: Request): () => number | null {
  let socket: Socket | null = null;
  let before = 0;
  request.once('request', (sent: ClientRequest) =>
    sent.once('socket', connection => {
      socket = connection;
      before = connection.bytesRead;
    }),
  );
  return () => socket && socket.bytesRead - before;
}

interface Reading extends OpenOptions {
  /** What an error of the connection means. */
  readonly failed: (error: unknown) => unknown;
}

async function* readChunks(url: string, request: Request, options: Reading): AsyncGenerator<Uint8Array> {
  const { idleMs, failed, timeoutHint = TIMEOUT_HINT } = options;
  // The time of the reader does not count.
  let waitedMs = 0;
  let bytes = 0;
  const silence = (): void => {
    const what = bytes === 0 ? 'nothing' : `only ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
    const words = `the node sent ${what} for ${(idleMs ?? 0) / 1000} s in the middle of its answer`;
    request.destroy(new TimeoutError(words, { url, hint: timeoutHint }));
  };
  const start = () => (idleMs === undefined ? undefined : setTimeout(silence, idleMs - waitedMs));
  let sinceMs = performance.now();
  let timer = start();
  try {
    for await (const chunk of request) {
      clearTimeout(timer);
      waitedMs += performance.now() - sinceMs;
      bytes += chunk.byteLength;
      if (bytes * 1000 >= (idleMs ?? 0) * MIN_BYTES_PER_S) [waitedMs, bytes] = [0, 0];
      yield chunk;
      sinceMs = performance.now();
      timer = start();
    }
  } catch (error) {
    throw failed(error);
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

/** A slower answer would never end. */
const MIN_BYTES_PER_S = 4;

const TIMEOUT_HINT = 'raise --timeout, or try another node';

async function readBytes(url: string, chunks: AsyncGenerator<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) {
        throw new UndecodableError(`the answer is larger than ${formatByteLimit(limitBytes)}`, {
          url,
          hint: 'ask for a smaller page',
        });
      }
      parts.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new DamagedAnswerError(`the answer was cut short or damaged on its way: ${error.message}`, {
      url,
      hint: 'two attempts failed: try again later, or ask for a smaller page',
      cause: error,
    });
  }
  return Buffer.concat(parts);
}
