import type { Meeting } from '../faults/fault-queue.ts';
import { type Failure, limiterFailure } from './failure.ts';

/** The longest message that the gateway accepts from the service (node-behaviour.md section 2). */
const MAX_MESSAGE_BYTES = 20_971_520;

/** The refusal of an answer that is too long. It has the same code as the rate limiter, but another text. */
export function messageTooLarge(body: string, { strike, value }: Meeting): Failure | undefined {
  const limit = strike?.kind === 'message-limit' ? value : MAX_MESSAGE_BYTES;
  // A character is at most three bytes, so most bodies need no counting.
  if (body.length * 3 <= limit) return undefined;
  const bytes = Buffer.byteLength(body);
  return bytes > limit
    ? limiterFailure(8, `grpc: received message larger than max (${bytes} vs. ${limit})`)
    : undefined;
}
