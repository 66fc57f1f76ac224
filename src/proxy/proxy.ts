import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RateBudget } from '../api/rate-budget.ts';
import type { OpenBody } from '../api/transport.ts';
import { AccessLog } from './access-log.ts';
import { AnswerCache, type ProxiedAnswer } from './answer-cache.ts';
import { clientOf, isOwnName } from './client-name.ts';
import { Connections } from './connections.ts';
import { Dispatcher } from './dispatcher.ts';
import { HeldBodies } from './held-bodies.ts';
import { Metrics, type Outcome } from './metrics.ts';
import { ownAnswer, textAnswer, tooMany } from './own-answer.ts';
import { type ProxiedRequest, readProxied } from './proxied-request.ts';
import { SharedRequests } from './shared-requests.ts';
import { exportHeaders, Upstream, type UpstreamResult } from './upstream.ts';

export interface ProxyOptions {
  /** The node, maybe with a login. */
  readonly base: URL;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly userAgent: string;
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly proxies: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Ceiling of requests to the node per second; without it what the node allows, 20 until it says so. */
  readonly perSecond: number | undefined;
  readonly cacheBytes: number;
  /** Whether log lines have the query. */
  readonly logsFilters: boolean;
  /** Writes one line of the log. */
  readonly log: (line: string) => Promise<void>;
  /** How long requests under way may take to end, in ms. */
  readonly drainMs: number;
}

export interface RunningProxy {
  readonly url: string;
  /** Takes no more requests, ends those under way within the time for it, and closes. */
  close(): Promise<void>;
}

const DEFAULT_PER_SECOND = 20;
const MOST_EXPORTS = 4;
const MOST_EXPORTS_PER_CLIENT = 2;
/** Longest wait for a turn and an answer. */
const LONGEST_WAIT_MS = 60_000;
/** Longest time to take an answer that is ready, and longest silence of a connection. */
const LONGEST_WRITE_MS = 120_000;
const IDLE_MS = 75_000;
const EXPORT_IDLE_MS = 310_000;
const MOST_QUERY = 8_192;

/** Starts the proxy. Rejects when the port cannot be used. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const proxy = new CachingProxy(options);
  return await proxy.listen();
}

/** A request of a client, and what is known of it so far. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly startedMs: number;
  /** Aborted when the client is gone or was answered. */
  readonly gone: AbortSignal;
}

interface Answered {
  readonly answer: ProxiedAnswer;
  readonly outcome: Outcome;
  readonly failure?: string | undefined;
}

class CachingProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #cache: AnswerCache;
  readonly #shared = new SharedRequests<UpstreamResult>();
  readonly #dispatcher: Dispatcher;
  readonly #upstream: Upstream;
  readonly #metrics = new Metrics();
  readonly #held = new HeldBodies();
  readonly #log: AccessLog;
  readonly #stop = new AbortController();
  /** Exports under way, by client. */
  readonly #exports = new Map<string, number>();
  #exportsStarted = 0;
  #open = 0;
  #isClosing = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const { perSecond, logsFilters, log, cacheBytes } = options;
    const budget = new RateBudget(now, Math.min(perSecond ?? DEFAULT_PER_SECOND, DEFAULT_PER_SECOND));
    const mostPerSecond = perSecond ?? Number.POSITIVE_INFINITY;
    this.#upstream = new Upstream({ ...options, budget, nowMs: now, mostPerSecond });
    this.#cache = new AnswerCache(cacheBytes, now);
    this.#log = new AccessLog(log, logsFilters);
    this.#dispatcher = new Dispatcher(budget, now);
    this.#server = createServer(
      {
        maxHeaderSize: 16_384,
        headersTimeout: 10_000,
        requestTimeout: 15_000,
        keepAliveTimeout: 30_000,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => this.#handle(request, response),
    );
    this.#server.setTimeout(IDLE_MS);
    this.#connections = new Connections(this.#server);
  }

  async listen(): Promise<RunningProxy> {
    const { port, host } = this.#options;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
    return { url: `http://${inUrl(address)}:${address.port}`, close: () => this.#close() };
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    if (this.#open > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onEmpty = resolve;
      const timer = setTimeout(resolve, this.#options.drainMs);
      await promise;
      clearTimeout(timer);
    }
    this.#dispatcher.stop();
    this.#stop.abort();
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // The rest of what was pipelined is still parsed.
    if (socket.destroyed) return;
    if (!this.#connections.began(socket)) {
      socket.destroy();
      return;
    }
    this.#open++;
    const gone = new AbortController();
    const exchange: Exchange = { request, response, client: clientOf(request), startedMs: now(), gone: gone.signal };
    response.once('close', () => {
      gone.abort();
      this.#connections.ended(socket);
      this.#open--;
      if (this.#open === 0) this.#onEmpty?.();
    });
    response.on('error', () => socket.destroy());
    this.#serve(exchange).catch(() => socket.destroy());
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const { method = '', url = '' } = request;
    const asked = readProxied(method, url);
    const problem = this.#problemOf(request);
    if (problem !== undefined) {
      response.shouldKeepAlive = false;
      this.#send(exchange, asked, { answer: problem, outcome: 'rejected' });
      return;
    }
    switch (asked.kind) {
      case 'rejected': {
        const allow: ProxiedAnswer['headers'] = asked.status === 405 ? [['allow', 'GET']] : [];
        this.#send(exchange, asked, {
          answer: ownAnswer(asked.status, asked.code, asked.message, allow),
          outcome: 'rejected',
        });
        return;
      }
      case 'health':
        this.#send(exchange, asked, { answer: textAnswer('ok'), outcome: 'own' });
        return;
      case 'metrics':
        this.#send(exchange, asked, { answer: this.#metricsAnswer(), outcome: 'own' });
        return;
      case 'export':
        await this.#export(exchange, asked);
        return;
      case 'list':
        this.#send(exchange, asked, await this.#list(exchange, asked));
    }
  }

  /** Why a request is not served, whatever it asks. */
  #problemOf(request: IncomingMessage): ProxiedAnswer | undefined {
    const { headers, url = '' } = request;
    if (this.#isClosing) return ownAnswer(503, 14, 'the proxy is shutting down');
    if (!isOwnName(request, this.#options.host))
      return ownAnswer(421, 7, 'this proxy answers to its own address and port only');
    if ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined)
      return ownAnswer(400, 3, 'a request must not have a body');
    return url.length > MOST_QUERY ? ownAnswer(414, 3, 'the address is too long') : undefined;
  }

  #metricsAnswer(): ProxiedAnswer {
    const text = this.#metrics.text({
      queues: this.#dispatcher.lengths(),
      cacheBytes: this.#cache.bytes,
      exports: [...this.#exports.values()].reduce((sum, count) => sum + count, 0),
      connections: this.#connections.count,
    });
    return textAnswer(text, 'text/plain; version=0.0.4; charset=utf-8');
  }

  async #list(exchange: Exchange, asked: ListRequest): Promise<Answered> {
    const cached = this.#cache.get(asked.target);
    if (cached !== undefined) return { answer: aged(cached.answer, cached.ageMs), outcome: 'hit' };
    const { client } = exchange;
    const waiter = this.#shared.join(asked.target, client);
    if (!waiter.isSent) {
      const pauseMs = this.#dispatcher.longPauseMs;
      const isIn = pauseMs === 0 && this.#wait(client, asked);
      if (!isIn) {
        waiter.leave();
        return this.#refused(pauseMs > 0 ? paused(pauseMs) : tooMany(FULL, 1));
      }
    }
    const result = await before(waiter.answer, exchange.gone);
    if (result === undefined) {
      if (waiter.leave()) this.#dispatcher.remove(client, asked.target);
      return { answer: ownAnswer(504, 4, BUSY), outcome: endOf(exchange.gone) };
    }
    const { answer, isGood, failure } = result;
    if (!isGood) return { answer, outcome: failure === undefined ? 'refused' : 'failed', failure };
    return { answer: aged(answer, result.ageMs), outcome: waiter.isFirst ? 'miss' : 'coalesced' };
  }

  #wait(client: string, asked: ListRequest): boolean {
    const { target, cost } = asked;
    return this.#dispatcher.push(
      client,
      { key: target, cost },
      {
        run: () => this.#fetch(asked),
        refuse: pauseMs =>
          this.#shared.settle(target, { answer: this.#refused(paused(pauseMs)).answer, isGood: false, ageMs: 0 }),
      },
    );
  }

  /** A refusal of the proxy itself. */
  #refused(answer: ProxiedAnswer): Answered {
    this.#metrics.refused('proxy', answer.status);
    return { answer, outcome: 'refused' };
  }

  async #fetch({ target, path, freshMs }: ListRequest): Promise<void> {
    this.#shared.sent(target);
    this.#metrics.sent(path);
    const result = await this.#upstream.whole(target, this.#stop.signal);
    if (result.isGood) this.#cache.set(target, result.answer, { freshMs, ageMs: result.ageMs });
    else if (result.failure === undefined) this.#metrics.refused('node', result.answer.status);
    this.#shared.settle(target, result);
  }

  async #export(exchange: Exchange, asked: ExportRequest): Promise<void> {
    const { client } = exchange;
    const running = this.#exports.get(client) ?? 0;
    const inAll = [...this.#exports.values()].reduce((sum, count) => sum + count, 0);
    const pauseMs = this.#dispatcher.longPauseMs;
    const refusal =
      pauseMs > 0
        ? paused(pauseMs)
        : inAll >= MOST_EXPORTS || running >= MOST_EXPORTS_PER_CLIENT
          ? tooMany('too many exports at the same time', 10)
          : undefined;
    if (refusal !== undefined) {
      this.#send(exchange, asked, this.#refused(refusal));
      return;
    }
    this.#exports.set(client, running + 1);
    try {
      await this.#exportInTurn(exchange, asked);
    } finally {
      const others = (this.#exports.get(client) ?? 0) - 1;
      if (others > 0) this.#exports.set(client, others);
      else this.#exports.delete(client);
    }
  }

  async #exportInTurn(exchange: Exchange, asked: ExportRequest): Promise<void> {
    const { client, gone, request } = exchange;
    // An export is never shared: each has a turn of its own.
    const key = `export ${++this.#exportsStarted}`;
    const { promise, resolve } = Promise.withResolvers<'now' | ProxiedAnswer>();
    const isIn = this.#dispatcher.push(
      client,
      { key, cost: asked.cost },
      { run: async () => resolve('now'), refuse: pauseMs => resolve(paused(pauseMs)) },
    );
    const turn = isIn ? await before(promise, gone) : tooMany(FULL, 1);
    if (turn !== 'now') {
      this.#dispatcher.remove(client, key);
      const late = ownAnswer(504, 4, BUSY);
      this.#send(exchange, asked, turn === undefined ? { answer: late, outcome: endOf(gone) } : this.#refused(turn));
      return;
    }
    this.#metrics.sent(asked.path);
    // The node may think about an export for minutes before its first byte.
    request.socket.setTimeout(0);
    const result = await this.#upstream.export(asked.target, AbortSignal.any([gone, this.#stop.signal]));
    if ('answer' in result) {
      const { answer, failure } = result;
      if (failure === undefined) this.#metrics.refused('node', answer.status);
      this.#send(exchange, asked, { answer, outcome: failure === undefined ? 'refused' : 'failed', failure });
      return;
    }
    await this.#passOn(exchange, asked, result);
  }

  /** Passes an export on as it arrives. If it breaks off, so does the answer: a cut export must not look whole. */
  async #passOn(exchange: Exchange, asked: ExportRequest, body: OpenBody): Promise<void> {
    const { response, request, gone } = exchange;
    request.socket.setTimeout(EXPORT_IDLE_MS);
    let bytes = 0;
    let failure: string | undefined;
    try {
      response.writeHead(200, Object.fromEntries(exportHeaders(body.headers)));
      response.flushHeaders();
      for await (const chunk of body.chunks()) {
        if (gone.aborted) break;
        bytes += chunk.byteLength;
        if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
      }
      response.end();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      request.socket.destroy();
    }
    this.#record(exchange, asked, { status: 200, outcome: gone.aborted ? 'left' : 'export', bytes, failure });
  }

  #send(exchange: Exchange, asked: ProxiedRequest, { answer, outcome, failure }: Answered): void {
    const { response, request } = exchange;
    const { body } = answer;
    this.#record(exchange, asked, { status: answer.status, outcome, bytes: body.byteLength, failure });
    if (response.destroyed) return;
    if (!this.#held.hold(body)) {
      request.socket.destroy();
      return;
    }
    const timer = setTimeout(() => request.socket.destroy(), LONGEST_WRITE_MS);
    response.once('close', () => {
      clearTimeout(timer);
      this.#held.release(body);
    });
    if (this.#isClosing) response.shouldKeepAlive = false;
    response.writeHead(answer.status, [...answer.headers.flat(), 'content-length', String(body.byteLength)]);
    response.end(body);
  }

  #record(
    { client, startedMs }: Exchange,
    { path, ...asked }: ProxiedRequest,
    {
      status,
      outcome,
      bytes,
      failure,
    }: {
      readonly status: number;
      readonly outcome: Outcome;
      readonly bytes: number;
      readonly failure: string | undefined;
    },
  ): void {
    const elapsedMs = now() - startedMs;
    this.#metrics.answered(outcome, elapsedMs);
    const query = 'target' in asked ? (asked.target.split('?')[1] ?? '') : '';
    this.#log.add({ client, path, query, status, outcome, elapsedMs, bytes, failure });
  }
}

type ListRequest = Extract<ProxiedRequest, { kind: 'list' }>;
type ExportRequest = Extract<ProxiedRequest, { kind: 'export' }>;

/** A clock that never goes back, in ms. */
const now = (): number => performance.now();

const FULL = 'too many requests are waiting';
const BUSY = 'the node did not answer in time: too many requests are waiting';

/** What became of a request without an answer. */
const endOf = (gone: AbortSignal): Outcome => (gone.aborted ? 'left' : 'failed');

const paused = (pauseMs: number): ProxiedAnswer =>
  tooMany('the node limits requests, so none are sent now', pauseMs / 1000);

const aged = (answer: ProxiedAnswer, ageMs: number): ProxiedAnswer => ({
  ...answer,
  headers: [...answer.headers, ['age', String(Math.floor(ageMs / 1000))]],
});

/** What was awaited; undefined when the client left before, or it took too long. */
async function before<Value>(awaited: Promise<Value>, gone: AbortSignal): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const give = (): void => resolve(undefined);
  const timer = setTimeout(give, LONGEST_WAIT_MS);
  gone.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', give);
  }
}

const inUrl = ({ address, family }: AddressInfo): string => (family === 'IPv6' ? `[${address}]` : address);
