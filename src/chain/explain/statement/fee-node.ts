import type { Json } from '../../api/json.ts';
import type { NodeRequest } from '../../api/request.ts';
import type { Range } from '../../insight/range.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import { paidLiquidityFees } from '../../resources/paid-liquidity-fees.ts';
import type { Resource, RowPage } from '../../resources/resource.ts';
import { fetchFlawlessPage, type WalkOptions, withRateLimitWaits } from '../../resources/walk-pages.ts';

/**
 * The requests of a statement: they wait when the node answers 429, and a page with a flaw is an error, since its sums would
 * be wrong.
 */
export function feeNode(options: Omit<WalkOptions, 'resource'>): FeeNode {
  const walk: WalkOptions = { ...options, resource: paidLiquidityFees };
  const patient = withRateLimitWaits(walk);
  return {
    page: (resource, request) => patient(() => fetchFlawlessPage({ ...walk, resource }, request)),
    get: async request => (await patient(() => options.client.get(request, options.signal))).json,
  };
}

/** The party, market, asset and epochs of a statement. Ids in lower case; '' for any, but not for both party and market. */
export interface FeeQuery {
  /** '': everything allocated on the market. */
  readonly party: string;
  readonly market: string;
  readonly asset: string;
  readonly epochs: EpochChoice;
}

/** The epochs of a statement. */
export type EpochChoice =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'range' } & Range)
  | { readonly kind: 'last'; readonly count: number };

/** The requests a statement needs. Both throw a NodeError. */
export interface FeeNode {
  /** A page without flaws. */
  readonly page: (resource: Resource, request: PageRequest) => Promise<RowPage>;
  readonly get: (request: NodeRequest) => Promise<Json>;
}
