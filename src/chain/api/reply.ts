import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json.ts';
import type { RateHeaders } from './rate-budget.ts';

/** A decoded answer with the facts in its headers. */
export interface Reply {
  readonly json: Json;
  readonly facts: ReplyHeaders;
  /** Decoded size of the body, in bytes. */
  readonly bytes: number;
  /** From sending to the last byte, without the time to decode it. */
  readonly elapsedMs: number;
  /** When the node sent the header (Unix milliseconds): the facts are of that moment, also if a cache had them. */
  readonly headerAtMs?: number;
}

/** Facts in the headers of an answer, all optional (node-behaviour.md section 2). */
export interface ReplyHeaders {
  /** Newest stored block, decimal. */
  readonly blockHeight?: string;
  /** Time of that block, Unix nanoseconds, decimal. */
  readonly blockTimeNs?: string;
  readonly rate: RateHeaders;
}

/** Reads the facts in the headers of an answer. */
export function readReplyHeaders(headers: IncomingHttpHeaders): ReplyHeaders {
  const blockHeight = digits(headers['x-block-height']);
  const blockTimeNs = digits(headers['x-block-timestamp']);
  const limit = digits(headers['ratelimit-limit']);
  const remaining = digits(headers['ratelimit-remaining']);
  return {
    ...(blockHeight !== undefined && blockHeight !== '0' && { blockHeight }),
    ...(blockTimeNs !== undefined && blockTimeNs !== '0' && { blockTimeNs }),
    rate: {
      ...(limit !== undefined && { limitPerSecond: Number(limit) }),
      ...(remaining !== undefined && { remaining: Number(remaining) }),
    },
  };
}

/** Remaining seconds of a ban, from its header; at most a day: by then it is worth a request. */
export function banSeconds(headers: IncomingHttpHeaders): number | undefined {
  const seconds = digits(headers['ratelimit-retry-after']);
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_BAN_S);
}

const MAX_BAN_S = 86_400;

/** How long to wait by the standard header, in ms: it has seconds or a date. At most an hour: no limit of requests lasts longer. */
export function retryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  const seconds = digits(header);
  // By the clock of the node, if the answer gives it.
  const sentMs = Date.parse(headers.date ?? '');
  const ms =
    seconds === undefined ? httpDateMs(header) - (Number.isNaN(sentMs) ? nowMs : sentMs) : Number(seconds) * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 1000), MAX_RETRY_AFTER_MS);
}

const MAX_RETRY_AFTER_MS = 3_600_000;

/** `Wed, 21 Oct 2026 07:28:00 GMT`; other texts are not HTTP dates. */
const httpDateMs = (text: string): number => (/^[A-Za-z]{3},.* GMT$/.test(text) ? Date.parse(text) : Number.NaN);

/** How long a cache had the answer, in ms. */
export function cachedForMs(headers: IncomingHttpHeaders): number {
  const age = digits(headers.age);
  return age === undefined || age.length > 9 ? 0 : Number(age) * 1000;
}

// Anything but a decimal number of sensible length is ignored.
function digits(header: string | readonly string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0];
  return value !== undefined && /^\d{1,20}$/.test(value) ? value : undefined;
}
