import type { ExactJson } from './exact-json.ts';
import { booleanOf, countOf, type Query, Refusal, textOf } from './strict-node-query.ts';

/** A record and its place in its table, oldest first; the place is what its cursor names. */
export interface Row<Node extends ExactJson = ExactJson> {
  readonly index: number;
  readonly node: Node;
}

export const paginationNames = ['first', 'after', 'last', 'before', 'newestFirst'].map(name => `pagination.${name}`);

const defaultSize = 100;

/**
 * The page a request asks for (4.1), from rows given oldest first. The document shows no order of a page read
 * backwards, so it comes in the order asked for, as forwards.
 */
export function pageOf(table: string, rows: readonly Row[], query: Query): ExactJson {
  const newestFirst = booleanOf(query, 'pagination.newestFirst') ?? true;
  const ordered = newestFirst ? rows.toReversed() : rows;
  const { start, end } = rangeOf(table, ordered, newestFirst, query);
  const edges = ordered.slice(start, end).map(row => ({ cursor: cursorOf(table, row.index), node: row.node }));
  return {
    edges,
    pageInfo: {
      startCursor: edges.at(0)?.cursor ?? '',
      endCursor: edges.at(-1)?.cursor ?? '',
      hasNextPage: end < ordered.length,
      hasPreviousPage: start > 0,
    },
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf(table: string, ordered: readonly Row[], newestFirst: boolean, query: Query): Range {
  const first = countOf(query, 'pagination.first');
  const last = countOf(query, 'pagination.last');
  const after = textOf(query, 'pagination.after');
  const before = textOf(query, 'pagination.before');
  const isForwards = first !== undefined || after !== undefined;
  const isBackwards = last !== undefined || before !== undefined;
  if (isForwards && isBackwards) {
    throw new Refusal('pagination: first and after do not go together with last and before');
  }
  const rowsUpTo = (cursor: string, isInclusive: boolean) => {
    const place = placeOf(table, cursor);
    return ordered.filter(({ index }) => (index === place ? isInclusive : newestFirst ? index > place : index < place))
      .length;
  };
  if (isBackwards) {
    const end = before === undefined ? ordered.length : rowsUpTo(before, false);
    return { start: Math.max(0, end - (last ?? defaultSize)), end };
  }
  const start = after === undefined ? 0 : rowsUpTo(after, true);
  return { start, end: Math.min(ordered.length, start + (first ?? defaultSize)) };
}

/** Names the table too, so that a cursor taken to another list is refused and not a wrong page. */
function cursorOf(table: string, index: number): string {
  return Buffer.from(`c-${table}-${index}`).toString('hex');
}

function placeOf(table: string, cursor: string): number {
  const [, cursorTable, place] = /^c-(\w+)-(\d+)$/.exec(Buffer.from(cursor, 'hex').toString()) ?? [];
  if (cursorTable !== table || place === undefined || cursorOf(table, Number(place)) !== cursor) {
    throw new Refusal(`pagination: "${cursor}" is not a cursor of this list`);
  }
  return Number(place);
}
