import type { NodeRequest } from '../api/request.ts';
import type { FilterValues } from './filter.ts';
import type { Resource } from './resource.ts';

/** The position of a page in its list. Cursors come from the node and are opaque. */
export type Position =
  | { readonly kind: 'first' }
  | { readonly kind: 'after'; readonly cursor: string; readonly overlap?: Overlap }
  | { readonly kind: 'before'; readonly cursor: string; readonly overlap?: Overlap }
  | { readonly kind: 'last' };

/**
 * Known rows that are requested again at the start (or end) of a page. If the row of a cursor has moved, a node drops the
 * first row in its place (node-behaviour.md section 3.2). If the page starts a few rows earlier, the dropped row is a
 * known one; and as long as one known row comes again, the pages have no gap.
 */
interface Overlap {
  /** The cursor to send. */
  readonly cursor: string;
  /** Cursors of the known rows, in the list's order. */
  readonly known: readonly string[];
}

/** Everything that determines the rows of a page. */
export interface PageRequest {
  readonly filters: FilterValues;
  /** Rows, 1-5000. */
  readonly size: number;
  readonly newestFirst: boolean;
  readonly position: Position;
}

export const MAX_PAGE_SIZE = 5000;

/** Why the list cannot be sorted oldest first with these filters; undefined if it can. */
export function orderProblem({ paging: { oldestFirst } }: Resource, filters: FilterValues): string | undefined {
  const rule = typeof oldestFirst === 'function' ? oldestFirst(filters) : oldestFirst;
  return rule === true ? undefined : rule;
}

/** Whether the better path is requested first with these filters. */
export const prefersBetterPath = ({ better }: Resource, filters: FilterValues): boolean =>
  better?.when(filters) ?? false;

/** The GET request of a page, without defaults. */
export function pageRequest(
  resource: Resource,
  page: PageRequest,
  better = prefersBetterPath(resource, page.filters),
): NodeRequest {
  const filters = resource.filters.flatMap(filter =>
    (page.filters[filter.name] ?? []).map(value => [filter.name, value] as const),
  );
  const isReversed = resource.paging.isReversed?.(page.filters) ?? false;
  const newestFirst = page.newestFirst !== isReversed ? [] : [['pagination.newestFirst', 'false'] as const];
  return {
    path: better ? (resource.better?.path ?? resource.path) : resource.path,
    query: [...filters, ...positionQuery(page), ...newestFirst],
  };
}

/** Rows to request, including the known ones. */
export function requestedSize({ position, size }: PageRequest): number {
  const known = 'overlap' in position ? (position.overlap?.known.length ?? 0) : 0;
  return Math.min(MAX_PAGE_SIZE, size + known);
}

function positionQuery(request: PageRequest): readonly (readonly [string, string])[] {
  const { position } = request;
  const size = requestedSize(request);
  const forward = [['pagination.first', String(size)] as const];
  const backward = [['pagination.last', String(size)] as const];
  switch (position.kind) {
    case 'first':
      return forward;
    case 'after':
      return [...forward, ['pagination.after', position.overlap?.cursor ?? position.cursor]];
    case 'before':
      return [...backward, ['pagination.before', position.overlap?.cursor ?? position.cursor]];
    case 'last':
      return backward;
  }
}
