import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import got, { type Request } from 'got';
import { CutAnswerError, NetworkError, TimeoutError, UndecodableError } from './errors.ts';
import { hideLogin } from './login.ts';
import { proxySettings, proxyVariable } from './proxies.ts';

export interface Transport {
  readonly userAgent: string;
  readonly proxies: NodeJS.ProcessEnv;
  /** Header that says who asks, when the node's address did. */
  readonly authorization: string | undefined;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  /** True: ask for gzip and unpack it. False: ask for the bytes as they are. */
  readonly decompress: boolean;
  /** Milliseconds a phase may take; a phase without a limit may take for ever. */
  readonly limits: PhaseLimits;
  /** Longest silence between two chunks of the body, in ms; none means for ever. */
  readonly idleMs?: number;
  /** What to try when a limit is reached. */
  readonly timeoutHint?: string;
}

interface PhaseLimits {
  readonly lookup?: number;
  readonly connect?: number;
  readonly secureConnect?: number;
  readonly response?: number;
  readonly request?: number;
}

/** An answer whose header has arrived and whose body has not been read. */
export interface OpenBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What came of it so far, the header too. */
  readonly wireBytes: () => number | null;
  /** The body's chunks; throws NetworkError or TimeoutError when it breaks off. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** The whole body. Throws UndecodableError past the limit, CutAnswerError when it breaks off or is damaged. */
  bytes(limitBytes: number): Promise<Uint8Array>;
}

/** Sends one GET and resolves with the header of the answer, whatever its status. Nothing is repeated. */
export async function openBody(transport: Transport, url: string, options: OpenOptions): Promise<OpenBody> {
  options.signal.throwIfAborted();
  const request = got.stream(url, {
    headers: {
      accept: options.accept,
      'user-agent': transport.userAgent,
      ...(transport.authorization !== undefined && { authorization: transport.authorization }),
      ...(!options.decompress && { 'accept-encoding': 'identity' }),
    },
    agent: agents(transport.proxies, url),
    decompress: options.decompress,
    followRedirect: false,
    retry: { limit: 0 },
    signal: options.signal,
    throwHttpErrors: false,
    timeout: options.limits,
  });
  const wireBytes = bytesReadFor(request);
  return await new Promise((resolve, reject) => {
    request.once('error', error => reject(viaProxy(transport, url, failure(url, error, options))));
    request.once('response', (response: { statusCode: number; headers: IncomingHttpHeaders }) => {
      const chunks = () => readChunks(url, request, options);
      resolve({
        status: response.statusCode,
        headers: response.headers,
        wireBytes,
        chunks,
        bytes: limitBytes => readBytes(url, chunks(), limitBytes),
      });
    });
  });
}

/** What its connection has read since the request got it: one that is kept alive has read other answers before. */
function bytesReadFor(request: Request): () => number | null {
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

async function* readChunks(url: string, request: Request, options: OpenOptions): AsyncGenerator<Uint8Array> {
  const { idleMs } = options;
  const silence = (): void => {
    const words = `the node fell silent for ${(idleMs ?? 0) / 1000} s in the middle of its answer`;
    request.destroy(new TimeoutError(words, { url, hint: options.timeoutHint ?? TIMEOUT_HINT }));
  };
  let timer = idleMs === undefined ? undefined : setTimeout(silence, idleMs);
  try {
    for await (const chunk of request) {
      clearTimeout(timer);
      yield chunk;
      timer = idleMs === undefined ? undefined : setTimeout(silence, idleMs);
    }
  } catch (error) {
    throw failure(url, error, options, 'the connection broke off');
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

const TIMEOUT_HINT = 'raise --timeout, or try another node';

async function readBytes(url: string, chunks: AsyncGenerator<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) {
        throw new UndecodableError(`the answer is larger than ${limitBytes / 2 ** 20} MiB`, {
          url,
          hint: 'ask for a smaller page',
        });
      }
      parts.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new CutAnswerError(`the answer was cut short or damaged on its way: ${error.message}`, {
      url,
      hint: 'it was asked for twice: try again later, or ask for a smaller page',
      cause: error,
    });
  }
  return Buffer.concat(parts);
}

const HINTS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there: check the address and the port (a data node serves REST on 3008)',
  ENOTFOUND: 'no such host: check the address',
  EAI_AGAIN: 'the name could not be looked up: check the network and DNS',
  ECONNRESET: 'the connection was closed: try again; a proxy or the node itself may be restarting',
  ERR_NON_2XX_3XX_RESPONSE: 'check the address',
  EPROTO: 'no TLS there: try http:// instead of https://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  CERT_HAS_EXPIRED: 'the certificate has expired',
};

const NO_ANSWER = 'cannot reach the node';

function failure(url: string, error: unknown, options: OpenOptions, what = NO_ANSWER): unknown {
  if (options.signal.aborted) return options.signal.reason;
  const cause = error instanceof Error ? error : new Error(String(error));
  // The error that a request is destroyed with comes back wrapped in another.
  if (cause.cause instanceof TimeoutError) return cause.cause;
  if (cause.name === 'TimeoutError' && 'event' in cause) {
    return new TimeoutError(`no answer: ${PHASES[String(cause.event)] ?? cause.event} took too long`, {
      url,
      hint: options.timeoutHint ?? TIMEOUT_HINT,
      cause,
    });
  }
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('HPE_') && what === NO_ANSWER)
    return new UndecodableError(`what answers there does not speak HTTP as it should: ${cause.message}`, {
      url,
      hint: 'check the address and the port (a data node serves REST on 3008)',
      cause,
    });
  return new NetworkError(`${what}: ${hideLogin(cause.message) || code}`, {
    url,
    hint: HINTS[code] ?? 'check the address and the network',
    cause,
  });
}

/** Whether it was the proxy or the node that could not be reached is not in the error: the hint names both. */
function viaProxy({ proxies }: Transport, url: string, error: unknown): unknown {
  const variable = proxyVariable(proxies, url);
  if (variable === undefined || !(error instanceof NetworkError)) return error;
  const hint = `${variable} is set: check the proxy it names, or except this host with NO_PROXY; else ${error.hint}`;
  return new NetworkError(error.message, { url, hint, cause: error.cause });
}

const PHASES: { readonly [event: string]: string } = {
  lookup: 'the name lookup',
  connect: 'connecting',
  secureConnect: 'the TLS handshake',
  response: 'the wait for the first byte',
  request: 'the whole answer',
};

// One connection pool per set of proxies, kept alive between pages.
const pools = new Map<string, { readonly http: HttpAgent; readonly https: HttpsAgent }>();

function agents(proxies: NodeJS.ProcessEnv, url: string): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  const proxyEnv = proxySettings(proxies);
  const key = JSON.stringify(proxyEnv);
  const known = pools.get(key);
  if (known !== undefined) return known;
  try {
    const pool = {
      http: new HttpAgent({ keepAlive: true, proxyEnv }),
      https: new HttpsAgent({ keepAlive: true, proxyEnv }),
    };
    pools.set(key, pool);
    return pool;
  } catch {
    // The reason names the address, and there may be a login in it.
    throw new NetworkError('the proxy cannot be used: its address is none', {
      url,
      hint: 'check HTTP_PROXY and HTTPS_PROXY',
    });
  }
}
