import type { Client } from '../../src/chain/api/client.ts';
import { RateBudget } from '../../src/chain/api/rate-budget.ts';

/** A client without a node: what is asked is answered by the test. */
export const clientOf = (get: Client['get']): Client => ({
  base: new URL('http://n/'),
  hasLogin: false,
  budget: new RateBudget(Date.now),
  pageLimitBytes: 1,
  open: () => Promise.reject(new Error('not here')),
  get,
});
