import type { Client } from '../../src/chain/api/client.ts';
import { RateBudget } from '../../src/chain/api/rate-budget.ts';

/** A client without a node: what is asked is answered by the test. */
export function clientOf(get: Client['get']): Client {
  const listeners: Parameters<Client['onReply']>[0][] = [];
  return {
    base: new URL('http://n/'),
    hasLogin: false,
    budget: new RateBudget(Date.now),
    pageLimitBytes: 1,
    open: () => Promise.reject(new Error('not here')),
    get: async (request, ...options) => {
      const reply = await get(request, ...options);
      for (const listener of listeners) listener(request, reply);
      return reply;
    },
    onReply: listener => void listeners.push(listener),
  };
}
