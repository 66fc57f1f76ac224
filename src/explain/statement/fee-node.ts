import { paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import { fetchSoundPage, patiently, type WalkOptions } from '../../resources/walk.ts';
import type { FeeNode } from './fee-question.ts';

/**
 * The requests of a statement: they wait when the node answers 429, and a page with a flaw is an error, since its sums would
 * be wrong.
 */
export function feeNode(options: Omit<WalkOptions, 'resource'>): FeeNode {
  const walk: WalkOptions = { ...options, resource: paidLiquidityFees };
  const patient = patiently(walk);
  return {
    page: (resource, request) => patient(() => fetchSoundPage({ ...walk, resource }, request)),
    get: async request => (await patient(() => options.client.get(request, options.signal))).json,
  };
}
