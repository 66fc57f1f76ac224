import type { IncomingMessage, RequestListener } from 'node:http';
import type { NodeHead } from './demo/chain.ts';
import { isPreflight } from './gateway/cors.ts';
import { deadlineMs, newDeadlineFailure } from './gateway/deadline.ts';
import { Failure, newGatewayFailure, newLimiterFailure } from './gateway/failure.ts';
import { goJson, prettyGoJson } from './gateway/go-json.ts';
import type { GatewayRequest, Operation, StreamOperation, UnaryOperation } from './gateway/operation.ts';
import { Query } from './gateway/query.ts';
import type { RateLimit, RateLimiter } from './gateway/rate-limit.ts';
import { type HttpExchange, type NodeReply, sendReply } from './gateway/reply.ts';
import type { NodeHooks } from './hooks.ts';

interface AppParts {
  readonly operations: readonly Operation[];
  /** undefined for no limit. */
  readonly limiter: RateLimiter | undefined;
  readonly limit: RateLimit;
  /** The host it listens on. */
  readonly host: string;
  readonly head: () => NodeHead;
  readonly clock: () => number;
  readonly beforeReply: NodeHooks['beforeReply'];
}

/** Answers a request; `pathValue` is the variable part of its path, "" if it has none. */
type Route = (incoming: IncomingMessage, pathValue: string) => NodeReply | Promise<NodeReply>;
type Headers = NodeReply['headers'];

const JSON_TYPE: Headers = [['Content-Type', 'application/json']];
// The error metadata of the service leaks through the gateway as a second header (node-behaviour.md section 1.3).
const SERVICE_ERROR_TYPES: Headers = [...JSON_TYPE, ['Content-Type', 'application/grpc']];

/** The HTTP side of the node: routes, the order of checks, and the shape of every answer. */
export function createApp(parts: AppParts): RequestListener {
  const routes = new Routes<Route>();
  for (const operation of parts.operations)
    routes.add(operation.path, (incoming, pathValue) => answer(incoming, pathValue, { operation, parts }));
  routes.add('/health', ({ method }) => (method === 'GET' ? health : notFoundReply));
  return (incoming, outgoing) => {
    const [path = ''] = (incoming.url ?? '').split('?', 1);
    const { route, pathValue } = routes.match(path);
    const exchange = { incoming, outgoing };
    const decide = async (): Promise<NodeReply> => {
      if (!isOwnHost(incoming, parts.host)) return misdirectedReply;
      return isPreflight(incoming) ? preflightReply : (route?.(incoming, pathValue) ?? notFoundReply);
    };
    respond(exchange, decide, parts.beforeReply)
      .catch((error: Error) => respondToFault(exchange, error))
      .catch(() => outgoing.destroy());
  };
}

const preflightReply: NodeReply = { status: 204, headers: [], body: '' };
const misdirectedReply: NodeReply = {
  status: 421,
  headers: JSON_TYPE,
  body: goJson({ code: 7, message: 'this node answers to its own address and port only', details: [] }),
};
const notFoundReply: NodeReply = failureReply(newGatewayFailure(5, 'Not Found'), []);
const health: NodeReply = { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: 'ok' };

async function respond(
  exchange: HttpExchange,
  decide: () => Promise<NodeReply>,
  beforeReply: AppParts['beforeReply'],
): Promise<void> {
  const reply = beforeReply === undefined ? await decide() : await beforeReply(exchange, decide);
  if (reply !== undefined) await sendReply(reply, exchange);
}

/** A bug in this program is reported to the client, never to the terminal that the node may share. */
async function respondToFault(exchange: HttpExchange, error: Error): Promise<void> {
  if (exchange.outgoing.headersSent) throw error;
  await sendReply(
    { status: 500, headers: JSON_TYPE, body: goJson({ code: 13, message: error.message, details: [] }) },
    exchange,
  );
}

interface RoutedRequest {
  readonly operation: Operation;
  readonly parts: AppParts;
}

async function answer(
  incoming: IncomingMessage,
  pathValue: string,
  { operation, parts }: RoutedRequest,
): Promise<NodeReply> {
  try {
    if (incoming.method !== 'GET') throw newGatewayFailure(12, 'Method Not Allowed');
    const request = readRequest(incoming, pathValue, parts.clock());
    if (operation.kind === 'stream') return streamReply(operation, request);
    const reply = await unaryReply(operation, request, parts);
    return isPretty(incoming) ? prettyReply(reply) : reply;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reply = failureReply(error, []);
    return isPretty(incoming) ? prettyReply(reply) : reply;
  }
}

function readRequest({ url = '', headers }: IncomingMessage, pathValue: string, nowMs: number): GatewayRequest {
  const questionMark = url.indexOf('?');
  return {
    query: new Query(questionMark < 0 ? '' : url.slice(questionMark + 1)),
    pathValue,
    deadlineMs: deadlineMs(headers['grpc-timeout']?.toString(), nowMs),
  };
}

async function unaryReply(operation: UnaryOperation, request: GatewayRequest, parts: AppParts): Promise<NodeReply> {
  const serve = operation.accept(request);
  const { height, timeNs } = parts.head();
  const block: Headers = [
    ['X-Block-Height', String(height)],
    ['X-Block-Timestamp', String(timeNs)],
  ];
  try {
    const limits = takeToken(parts);
    const body = await serve();
    const tooLarge = messageTooLarge(body);
    if (tooLarge) return failureReply(tooLarge, [...block, ...limits]);
    if (parts.clock() < request.deadlineMs) return { status: 200, headers: [...JSON_TYPE, ...block, ...limits], body };
  } catch (error) {
    if (error instanceof LimitReached) return failureReply(error.failure, [...block, ...error.headers]);
    if (error instanceof Failure) return failureReply(error, block);
    throw error;
  }
  throw newDeadlineFailure();
}

/** Spends a token. Returns the limit headers of the answer, or throws the refusal with its own headers. */
function takeToken({ limiter, limit }: AppParts): Headers {
  if (limiter === undefined) return [];
  const verdict = limiter.take();
  if (verdict.kind === 'banned') {
    const text = 'temporarily banned for continuing to request while rate limited';
    const headers: Headers = [['Ratelimit-Retry-After', String(verdict.retryAfterSeconds)]];
    throw new LimitReached(newLimiterFailure(7, text), headers);
  }
  const remaining = verdict.kind === 'allowed' ? verdict.remaining : 0;
  const headers: Headers = [
    ['Ratelimit-Limit', String(Math.round(limit.ratePerSecond))],
    ['Ratelimit-Reset', '1'],
    ['Ratelimit-Remaining', String(remaining)],
    ['Ratelimit-Request-Remote-Addr', '127.0.0.1'],
  ];
  if (verdict.kind === 'allowed') return headers;
  throw new LimitReached(newLimiterFailure(8, 'api request rate limit exceeded'), headers);
}

class LimitReached extends Error {
  readonly failure: Failure;
  readonly headers: Headers;

  constructor(failure: Failure, headers: Headers) {
    super(failure.message);
    this.failure = failure;
    this.headers = headers;
  }
}

function streamReply(operation: StreamOperation, request: GatewayRequest): NodeReply {
  const serve = operation.accept(request);
  try {
    return { status: 200, ...serve() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Wrapped and chunked, because it takes the streaming path (export-behaviour.md section 1.5).
    const text = Buffer.from(goJson({ error: error.status }));
    return {
      status: error.httpStatus,
      headers: JSON_TYPE,
      body: async function* () {
        yield text;
      },
    };
  }
}

function failureReply(failure: Failure, headers: Headers): NodeReply {
  const contentTypes = failure.origin === 'service' ? SERVICE_ERROR_TYPES : JSON_TYPE;
  return { status: failure.httpStatus, headers: [...contentTypes, ...headers], body: goJson(failure.status) };
}

function prettyReply(reply: NodeReply): NodeReply {
  return typeof reply.body === 'string' ? { ...reply, body: prettyGoJson(reply.body) } : reply;
}

function isPretty({ url = '' }: IncomingMessage): boolean {
  return /[?&]pretty(=|&|$)/.test(url);
}

/** The longest message that the gateway accepts from the service (node-behaviour.md section 2). */
const MAX_MESSAGE_BYTES = 20_971_520;

/** The refusal of an answer that is too long. It has the same code as the rate limiter, but another text. */
export function messageTooLarge(body: string, limit: number = MAX_MESSAGE_BYTES): Failure | undefined {
  // A character is at most three bytes, so most bodies need no counting.
  if (body.length * 3 <= limit) return undefined;
  const bytes = Buffer.byteLength(body);
  return bytes > limit
    ? newLimiterFailure(8, `grpc: received message larger than max (${bytes} vs. ${limit})`)
    : undefined;
}

/**
 * Whether the Host header names this node: a loopback name, the address of the connection or the one it listens on, with
 * its port. A web page whose own name resolves to this machine (DNS rebinding) sends its own name.
 */
function isOwnHost({ headers, socket }: IncomingMessage, listensAt: string): boolean {
  const { localAddress = '', localPort = 0 } = socket;
  const port = `:${localPort}`;
  const host = (headers.host ?? '').toLowerCase();
  const name = host.endsWith(port) ? host.slice(0, -port.length) : localPort === 80 ? host : '';
  const reachedAt = localAddress.replace(/^::ffff:/, '');
  return ['localhost', '127.0.0.1', '[::1]', hostInUrl(reachedAt), hostInUrl(listensAt.toLowerCase())].includes(name);
}

const hostInUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

interface Match<Route> {
  readonly route: Route | undefined;
  /** The decoded variable part of the path; '' if it has none. */
  readonly pathValue: string;
}

/** A lookup by path. The last part of a path may be variable, written `:name`; it is never empty. */
class Routes<Route> {
  readonly #whole = new Map<string, Route>();
  readonly #varied = new Map<string, Route>();

  add(path: string, route: Route): void {
    const [, folder] = /^(.*\/):\w+$/.exec(path) ?? [];
    if (folder === undefined) this.#whole.set(path, route);
    else this.#varied.set(folder, route);
  }

  match(path: string): Match<Route> {
    const last = path.lastIndexOf('/') + 1;
    const route = this.#whole.get(path);
    if (route !== undefined || last === path.length) return { route, pathValue: '' };
    return { route: this.#varied.get(path.slice(0, last)), pathValue: decodePathValue(path.slice(last)) };
  }
}

function decodePathValue(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
