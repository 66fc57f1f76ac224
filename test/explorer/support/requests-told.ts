import type { SentRequest } from '../../../src/chain/api/sent-request.ts';

/** Requests as a client tells of them, newest first: each third was refused, each fourth was sent again. */
export const requestsTold = (count: number, message = 'HTTP 503: unavailable'): readonly SentRequest[] =>
  Array.from({ length: count }, (_, index) => {
    const id = count - index;
    const isRefused = id % 3 === 0;
    return {
      id,
      sentAtMs: 1_800_000_000_000 + id * 1000,
      url: `http://127.0.0.1:3008/api/v2/liquidity/provisions?pagination.first=50&reference=a%20${id}`,
      status: isRefused ? 503 : 200,
      outcome: isRefused ? { kind: 'failed', error: 'refused', message } : { kind: 'answered' },
      elapsedMs: 12 * id,
      wireBytes: 400 + 1000 * id,
      bodyBytes: isRefused ? null : 4000 * id,
      attempt: id % 4 === 0 ? 2 : 1,
      budgetLeft: isRefused ? null : 100 - id,
    };
  });
