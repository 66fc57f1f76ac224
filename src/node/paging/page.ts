import { goJson } from '../gateway/go-json.ts';
import type { ResolvedPageRequest } from './page-request.ts';

/** A record as the list sends it: its JSON text and its cursor. */
interface Edge {
  readonly node: string;
  readonly cursor: string;
}

export interface NodePage {
  readonly edges: readonly Edge[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** How many rows to fetch: one more than the page, and the row of the cursor if there is one. */
export function fetchSize({ limit, cursor }: ResolvedPageRequest): number {
  return cursor ? limit + 2 : limit + 1;
}

/** Trims fetched rows, in fetch order, to the page by the table of node-behaviour.md section 3.2. */
export function trimPage(fetched: readonly Edge[], request: ResolvedPageRequest): NodePage {
  const ahead = trimAhead(fetched, request);
  if (request.direction === 'forward') {
    return { edges: ahead.edges, hasNextPage: ahead.hasMore, hasPreviousPage: ahead.hasBehind };
  }
  return { edges: ahead.edges.toReversed(), hasNextPage: ahead.hasBehind, hasPreviousPage: ahead.hasMore };
}

/** The page wrapper of every list, under the member name of the resource. */
export function pageJson(wrapper: string, { edges, hasNextPage, hasPreviousPage }: NodePage): string {
  const list = edges.map(({ node, cursor }) => `{"node":${node},"cursor":${goJson(cursor)}}`).join(',');
  const pageInfo = {
    hasNextPage,
    hasPreviousPage,
    startCursor: edges[0]?.cursor ?? '',
    endCursor: edges.at(-1)?.cursor ?? '',
  };
  return `{"${wrapper}":{"edges":[${list}],"pageInfo":${goJson(pageInfo)}}}`;
}

function trimAhead(fetched: readonly Edge[], { limit, cursor }: ResolvedPageRequest) {
  const count = fetched.length;
  if (!cursor) return { edges: fetched.slice(0, limit), hasMore: count > limit, hasBehind: false };
  // With limit + 1 rows or more the first is dropped unchecked, even if it is not the row of the cursor.
  if (count === limit + 2) return { edges: fetched.slice(1, -1), hasMore: true, hasBehind: true };
  if (count === limit + 1) return { edges: fetched.slice(1), hasMore: false, hasBehind: true };
  const isCursorRow = fetched[0]?.cursor === cursor.encoded;
  return { edges: isCursorRow ? fetched.slice(1) : fetched, hasMore: false, hasBehind: isCursorRow };
}
