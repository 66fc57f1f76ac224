import type { Json } from '../../api/json.ts';
import type { NodeRequest } from '../../api/request.ts';
import type { EpochRange } from '../../insight/statement-line.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import type { Resource, RowPage } from '../../resources/resource.ts';

/** The party, market, asset and epochs of a statement. Ids in lower case; '' for any, but not for both party and market. */
export interface FeeQuestion {
  /** '': everything allocated on the market. */
  readonly party: string;
  readonly market: string;
  readonly asset: string;
  readonly epochs: EpochChoice;
}

/** The epochs of a statement. */
export type EpochChoice =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'range' } & EpochRange)
  | { readonly kind: 'last'; readonly count: number };

/** The requests a statement needs. Both throw a NodeError. */
export interface FeeNode {
  /** A page without flaws. */
  readonly page: (resource: Resource, request: PageRequest) => Promise<RowPage>;
  readonly get: (request: NodeRequest) => Promise<Json>;
}
