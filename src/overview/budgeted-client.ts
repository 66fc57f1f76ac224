import type { Client } from '../api/client.ts';

/** The request was not sent, because the overview has sent as many as it may. */
export class BudgetSpentError extends Error {
  override readonly name = 'BudgetSpentError';
}

/** A client that sends at most so many requests, each once. */
export interface BudgetedClient {
  readonly client: Client;
  readonly sent: () => number;
}

export function budgeted(client: Client, most: number): BudgetedClient {
  let sent = 0;
  const get: Client['get'] = (request, signal, options) => {
    if (sent >= most)
      return Promise.reject(new BudgetSpentError(`the overview sends at most ${most} requests, and has sent them`));
    sent++;
    return client.get(request, signal, { ...options, isOnce: true });
  };
  return { client: { ...client, get }, sent: () => sent };
}
