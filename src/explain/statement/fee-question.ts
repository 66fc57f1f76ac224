import type { Json } from '../../api/json.ts';
import type { NodeRequest } from '../../api/request.ts';
import type { EpochRange } from '../../insight/statement-line.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import type { Resource, RowPage } from '../../resources/resource.ts';

/** Whose fees a statement is of, and which epochs. Ids in lower case; '' for any, but not for both party and market. */
export interface FeeQuestion {
  /** '': all that was allocated on the market. */
  readonly party: string;
  readonly market: string;
  readonly asset: string;
  readonly epochs: EpochChoice;
}

/** Which epochs a statement is of. */
export type EpochChoice =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'range' } & EpochRange)
  | { readonly kind: 'last'; readonly count: number };

/** A node, as far as a statement asks it. Both throw a NodeError. */
export interface FeeNode {
  /** A page with nothing wrong about it. */
  readonly page: (resource: Resource, request: PageRequest) => Promise<RowPage>;
  readonly get: (request: NodeRequest) => Promise<Json>;
}
