import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import got, { type Request } from 'got';
import { CANNOT_REACH, CutAnswerError, NetworkError, TimeoutError, UndecodableError } from './errors.ts';
import { hideLogin } from './login.ts';

/** What all connections to a node share. */
export interface Transport {
  readonly userAgent: string;
  readonly proxies: NodeJS.ProcessEnv;
  /** The authorization header, if the address had a login. */
  readonly authorization: string | undefined;
  /** Whom a front on this machine takes the requests to be from. */
  readonly clientName?: string;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly accept: string;
  /** True: accept gzip and unpack it. False: ask for uncompressed bytes. */
  readonly decompress: boolean;
  /** Limits in ms, by phase; none means no limit. */
  readonly limits: PhaseLimits;
  /** Longest silence between two chunks of the body, in ms; none means no limit. */
  readonly idleMs?: number;
  /** Hint for an error when a limit is reached. */
  readonly timeoutHint?: string;
}

interface PhaseLimits {
  readonly lookup?: number;
  readonly connect?: number;
  readonly secureConnect?: number;
  readonly response?: number;
  readonly request?: number;
}

/** An answer whose header has arrived and whose body has not been read yet. */
export interface OpenBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Bytes received so far, header included; null when not known. */
  readonly wireBytes: () => number | null;
  /** Throws NetworkError or TimeoutError when the connection is lost. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** The whole body. Throws UndecodableError over the limit, CutAnswerError when it is cut short or damaged. */
  bytes(limitBytes: number): Promise<Uint8Array>;
}

/** Sends one GET, without retries, and resolves when the header of the answer arrives, whatever its status. Throws NodeError. */
export async function openBody(transport: Transport, url: string, options: OpenOptions): Promise<OpenBody> {
  options.signal.throwIfAborted();
  const request = got.stream(url, {
    headers: {
      accept: options.accept,
      'user-agent': transport.userAgent,
      ...(transport.authorization !== undefined && { authorization: transport.authorization }),
      ...(transport.clientName !== undefined && { 'x-blockglass-client': transport.clientName }),
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

/** Bytes read since the request got its connection, which may have served other requests before. */
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
    const words = `the node sent nothing for ${(idleMs ?? 0) / 1000} s in the middle of its answer`;
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
    throw failure(url, error, options, 'the connection was lost');
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
      hint: 'two attempts failed: try again later, or ask for a smaller page',
      cause: error,
    });
  }
  return Buffer.concat(parts);
}

const HINTS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing is listening there: check the address and the port (a data node usually serves REST on 3008)',
  ENOTFOUND: 'the host was not found: check the address',
  EAI_AGAIN: 'the name could not be looked up: check the network and DNS',
  ECONNRESET: 'the connection was closed: try again; a proxy or the node itself may be restarting',
  ERR_NON_2XX_3XX_RESPONSE: 'check the address',
  EPROTO: 'the node does not speak TLS: try http:// instead of https://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  CERT_HAS_EXPIRED: 'the certificate has expired: the operator of the node has to renew it',
};

function failure(url: string, error: unknown, options: OpenOptions, what = CANNOT_REACH): unknown {
  if (options.signal.aborted) return options.signal.reason;
  const cause = error instanceof Error ? error : new Error(String(error));
  // got wraps the error that a request is destroyed with.
  if (cause.cause instanceof TimeoutError) return cause.cause;
  if (cause.name === 'TimeoutError' && 'event' in cause) {
    return new TimeoutError(`${PHASES[String(cause.event)] ?? `no answer: ${cause.event}`} took too long`, {
      url,
      hint: options.timeoutHint ?? TIMEOUT_HINT,
      cause,
    });
  }
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('HPE_') && what === CANNOT_REACH)
    return new UndecodableError(`the answer is not valid HTTP: ${cause.message}`, {
      url,
      hint: 'check the address and the port (a data node usually serves REST on 3008)',
      cause,
    });
  return new NetworkError(`${what}: ${hideLogin(cause.message) || code}`, {
    url,
    hint: HINTS[code] ?? 'check the address and the network',
    cause,
  });
}

/** The error does not say whether the proxy or the node failed, so the hint names both. */
function viaProxy({ proxies }: Transport, url: string, error: unknown): unknown {
  const variable = proxyVariable(proxies, url);
  if (variable === undefined || !(error instanceof NetworkError)) return error;
  const hint = `${variable} is set: check that proxy, or exclude this host with NO_PROXY; otherwise ${error.hint}`;
  return new NetworkError(error.message, { url, hint, cause: error.cause });
}

const PHASES: { readonly [event: string]: string } = {
  lookup: 'no answer: the name lookup',
  connect: 'no answer: connecting',
  secureConnect: 'no answer: the TLS handshake',
  response: 'no answer: the wait for the first byte',
  request: 'no complete answer: receiving it',
};

// One keep-alive connection pool per set of proxies.
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
    // The original message contains the address, which may have a login.
    throw new NetworkError('the proxy address is not valid', {
      url,
      hint: 'check HTTP_PROXY and HTTPS_PROXY',
    });
  }
}

const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const;

/** The proxy variables of an environment, for Node's agents. An address without a scheme gets http://, as in curl. */
function proxySettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    NAMES.flatMap(name => {
      const value = env[name]?.trim();
      return value ? [[name, isList(name) || value.includes('://') ? value : `http://${value}`]] : [];
    }),
  );
}

/** The variable that names a proxy for this address, if any. NO_PROXY is not considered. */
function proxyVariable(env: NodeJS.ProcessEnv, url: string): string | undefined {
  const wanted = url.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  return NAMES.find(name => name.toLowerCase() === wanted && env[name]?.trim());
}

const isList = (name: string): boolean => name.toLowerCase() === 'no_proxy';
