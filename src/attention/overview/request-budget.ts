import type { Client } from '../../chain/api/client.ts';
import { RateLimitedError } from '../../chain/api/errors.ts';

/** The request was not sent, because as many were sent as may be. */
export class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError';
}

/** A client that sends at most a given number of requests, each once, or again after a 429. */
interface BudgetedClient {
  readonly client: Client;
  readonly sent: () => number;
}

interface RequestBudget {
  readonly most: number | (() => number);
  /** The message for a request that is not sent. */
  readonly spent: string;
  /** Until when it waits after a 429 (Unix milliseconds). */
  readonly waitsUntilMs: number;
}

export function withRequestBudget(client: Client, { most, spent, waitsUntilMs }: RequestBudget): BudgetedClient {
  let sent = 0;
  const count = (): void => {
    if (sent >= (typeof most === 'number' ? most : most())) throw new BudgetSpentError(spent);
    sent++;
  };
  const get: Client['get'] = async (request, signal, options) => {
    count();
    let isSent = false;
    const onSend = (): void => {
      if (isSent) count();
      isSent = true;
      options?.onSend?.();
    };
    try {
      return await client.get(request, signal, { ...options, isOnce: true, waitsUntilMs, onSend });
    } catch (error) {
      if (error instanceof RateLimitedError && !isSent) sent--;
      throw error;
    }
  };
  return { client: { ...client, get }, sent: () => sent };
}
