import type { Json } from '../../api/json.ts';
import type { NodeRequest } from '../../api/request.ts';
import type { PageRequest } from '../../resources/page-request.ts';
import type { Resource, RowPage } from '../../resources/resource.ts';

/** Whose fees a statement is of. Ids in lower case; '' for any, but not for both party and market. */
export interface FeeQuestion {
  /** '': all that was paid on the market. */
  readonly party: string;
  readonly market: string;
  readonly asset: string;
  /** Known before anything is asked, as from the rows on the screen. */
  readonly seen: readonly FeePair[];
  /** Epochs will be counted back from the newest: the node has to be asked which one that is. */
  readonly isCountedBack: boolean;
}

/** The one thing of which a request returns every epoch (node-behaviour.md section 6). */
export interface FeePair {
  readonly market: string;
  readonly asset: string;
}

/** A node, as far as a statement asks it. Both throw a NodeError. */
export interface FeeNode {
  /** A page with nothing wrong about it. */
  readonly page: (resource: Resource, request: PageRequest) => Promise<RowPage>;
  readonly get: (request: NodeRequest) => Promise<Json>;
}

/** The node, and how many requests it was sent. */
export interface CountedNode extends FeeNode {
  readonly count: () => number;
}

export function countedNode(node: FeeNode, onRequest: (count: number) => void): CountedNode {
  let count = 0;
  const next = (): void => onRequest(++count);
  return {
    count: () => count,
    page: (resource, request) => {
      next();
      return node.page(resource, request);
    },
    get: request => {
      next();
      return node.get(request);
    },
  };
}
