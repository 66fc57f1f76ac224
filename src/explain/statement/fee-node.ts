import { paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import { fetchSoundPage, patiently, type WalkOptions } from '../../resources/walk.ts';
import type { FeeNode } from './fee-question.ts';

/**
 * A node as a statement asks it: it waits when the node says so, and a page with anything about it that cannot be read
 * is none, since a sum would be wrong.
 */
export function feeNode(options: Omit<WalkOptions, 'resource'>): FeeNode {
  const walk: WalkOptions = { ...options, resource: paidLiquidityFees };
  const patient = patiently(walk);
  return {
    page: (resource, request) => patient(() => fetchSoundPage({ ...walk, resource }, request)),
    get: async request => (await patient(() => options.client.get(request, options.signal))).json,
  };
}
