import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json.ts';
import type { RateFacts } from './rate-budget.ts';

/** A decoded answer with what its headers told. */
export interface Reply {
  readonly json: Json;
  readonly facts: ReplyFacts;
  /** Decoded size of the body. */
  readonly bytes: number;
  /** From the sending to the last byte; reading it took longer. */
  readonly elapsedMs: number;
  /** When its header came, Unix milliseconds: of then is what the header says. */
  readonly headerAtMs?: number;
}

/** Header facts of an answer (node-behaviour.md section 2); a node that sends none of them is fine. */
export interface ReplyFacts {
  /** Last block the node has stored, decimal. */
  readonly blockHeight?: string;
  /** Time of that block, Unix nanoseconds, decimal. */
  readonly blockTimeNs?: string;
  readonly rate: RateFacts;
}

export function replyFacts(headers: IncomingHttpHeaders): ReplyFacts {
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

/** Whole seconds left of a ban, from the header the node sends with it. */
export function banSeconds(headers: IncomingHttpHeaders): number | undefined {
  const seconds = digits(headers['ratelimit-retry-after']);
  return seconds === undefined ? undefined : Number(seconds);
}

// The node prints decimals; anything else, or absurdly long, is nobody's block height.
function digits(header: string | readonly string[] | undefined): string | undefined {
  const value = typeof header === 'string' ? header : header?.[0];
  return value !== undefined && /^\d{1,20}$/.test(value) ? value : undefined;
}
