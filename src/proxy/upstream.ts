import type { IncomingHttpHeaders } from 'node:http';
import { NodeError, TimeoutError } from '../api/errors.ts';
import { splitLogin } from '../api/login.ts';
import type { RateBudget } from '../api/rate-budget.ts';
import { banSeconds, replyFacts } from '../api/reply.ts';
import { type OpenBody, openBody, type Transport } from '../api/transport.ts';
import type { ProxiedAnswer } from './answer-cache.ts';
import { isLoopbackName } from './loopback-name.ts';
import { ownAnswer } from './own-answer.ts';

export interface UpstreamOptions {
  readonly base: URL;
  readonly userAgent: string;
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly proxies: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly budget: RateBudget;
  /** The clock of the budget. */
  readonly nowMs: () => number;
  /** Ceiling for what the node says it allows, requests per second. */
  readonly mostPerSecond: number;
}

/** What came of a request to the node. */
export interface UpstreamResult {
  readonly answer: ProxiedAnswer;
  /** Only these may be reused. */
  readonly isGood: boolean;
  /** How old the node, or a cache before it, says the answer is. */
  readonly ageMs: number;
  /** Why there is no answer, for the log: it may name the node's address. */
  readonly failure?: string;
}

const ANSWER_LIMIT_BYTES = 32 * 1024 * 1024;
const REFUSAL_LIMIT_BYTES = 1024 * 1024;
const EXPORT_FIRST_BYTE_MS = 600_000;
const SILENT_MS = 300_000;
/** A node that asks for a longer pause is asked again after this one. */
const LONGEST_PAUSE_S = 3600;

/** Sends requests to the node, one at a time, when asked; it never follows a redirect and never repeats a request. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #base: URL;
  readonly #transport: Transport;

  constructor(options: UpstreamOptions) {
    const { base, authorization } = splitLogin(options.base);
    const { userAgent } = options;
    this.#options = options;
    this.#base = base;
    this.#transport = { authorization, userAgent, proxies: isLoopbackName(base.hostname) ? {} : options.proxies };
  }

  /** A whole answer. It always resolves: what fails is an error for the client. */
  async whole(target: string, signal: AbortSignal): Promise<UpstreamResult> {
    const { timeoutMs } = this.#options;
    const limits = phases(timeoutMs, { response: timeoutMs, request: timeoutMs });
    try {
      const body = await openBody(this.#transport, this.#url(target), {
        signal,
        accept: 'application/json',
        decompress: true,
        limits,
      });
      return await this.#read(body);
    } catch (error) {
      return failed(error);
    }
  }

  /** An export as it arrives, or the refusal instead of one. */
  async export(target: string, signal: AbortSignal): Promise<OpenBody | UpstreamResult> {
    const limits = phases(this.#options.timeoutMs, { response: EXPORT_FIRST_BYTE_MS });
    try {
      const body = await openBody(this.#transport, this.#url(target), {
        signal,
        accept: '*/*',
        decompress: false,
        limits,
        idleMs: SILENT_MS,
      });
      return body.status === 200 ? body : await this.#read(body);
    } catch (error) {
      return failed(error);
    }
  }

  #url(target: string): string {
    return `${this.#base.href.replace(/\/$/, '')}${target}`;
  }

  async #read(body: OpenBody): Promise<UpstreamResult> {
    const { status, headers } = body;
    const bytes = await body.bytes(status === 200 ? ANSWER_LIMIT_BYTES : REFUSAL_LIMIT_BYTES);
    if (status === 200) {
      const { budget, mostPerSecond } = this.#options;
      const { rate } = replyFacts(headers);
      const { limitPerSecond } = rate;
      budget.served({
        ...rate,
        ...(limitPerSecond !== undefined && { limitPerSecond: Math.min(limitPerSecond, mostPerSecond) }),
      });
      const ageMs = 1000 * (seconds(headers.age) ?? 0);
      return { answer: { status, headers: passedOn(headers, FOR_ANSWERS), body: bytes }, isGood: true, ageMs };
    }
    if (status < 400 || status > 599)
      return { ...bad(502, 'the node answered with something that is not an answer'), failure: `HTTP ${status}` };
    const pause = this.#pauseFor(status, headers, bytes);
    const passed = passedOn(headers, FOR_REFUSALS);
    const isSaid = passed.some(([name]) => name === 'retry-after');
    const retry: ProxiedAnswer['headers'] = pause === undefined || isSaid ? [] : [['retry-after', String(pause)]];
    return { answer: { status, headers: [...passed, ...retry], body: bytes }, isGood: false, ageMs: 0 };
  }

  /** Starts a pause after a refusal because of too many requests, and returns its seconds (node-behaviour.md section 2). */
  #pauseFor(status: number, headers: IncomingHttpHeaders, body: Uint8Array): number | undefined {
    const start = Buffer.from(body.subarray(0, 512)).toString('latin1');
    const banS = status === 403 ? banSeconds(headers) : undefined;
    const isLimit = status === 429 && !start.includes('received message larger than max');
    if (!isLimit && banS === undefined) return undefined;
    const saidS = banS ?? seconds(headers['retry-after']);
    const { budget, nowMs } = this.#options;
    const until = budget.refused(
      saidS === undefined ? undefined : Math.min(Math.max(saidS, 1), LONGEST_PAUSE_S) * 1000,
    );
    return Math.max(1, Math.ceil((until - nowMs()) / 1000));
  }
}

const phases = <Rest>(ms: number, rest: Rest) => ({ lookup: ms, connect: ms, secureConnect: ms, ...rest });

/** The rate limit of the node is the proxy's business: its headers are not passed on with an answer. */
const FOR_ANSWERS: readonly string[] = ['content-type', 'x-block-height', 'x-block-timestamp'];
const FOR_REFUSALS: readonly string[] = [...FOR_ANSWERS, 'retry-after', 'ratelimit-retry-after'];
const FOR_EXPORTS: readonly string[] = ['content-type', 'content-disposition', 'content-encoding', 'content-length'];

function passedOn(headers: IncomingHttpHeaders, names: readonly string[]): ProxiedAnswer['headers'] {
  return names.flatMap(name => {
    const value = headers[name];
    return typeof value === 'string' && /^[\x20-\x7e]{1,1024}$/.test(value) ? [[name, value] as const] : [];
  });
}

/** The headers of an export that are passed on. */
export const exportHeaders = (headers: IncomingHttpHeaders): ProxiedAnswer['headers'] => passedOn(headers, FOR_EXPORTS);

const seconds = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;

function failed(error: unknown): UpstreamResult {
  const failure = error instanceof Error ? error.message : String(error);
  if (error instanceof TimeoutError) return { ...bad(504, 'the node did not answer in time', 4), failure };
  return { ...bad(502, error instanceof NodeError ? (WHY[error.name] ?? UNREACHABLE) : UNREACHABLE), failure };
}

const UNREACHABLE = 'the node cannot be reached';
const WHY: { readonly [error: string]: string } = {
  CutAnswerError: 'the answer of the node was cut short',
  UndecodableError: 'the answer of the node is too large or not HTTP',
};

const bad = (status: number, message: string, code = 14) => ({
  answer: ownAnswer(status, code, message),
  isGood: false,
  ageMs: 0,
});
