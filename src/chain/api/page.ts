import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member, printJson } from './json.ts';

/** One page of a list, its records as the node sent them (node-behaviour.md section 3.2). */
export interface Page {
  readonly records: readonly JsonObject[];
  /** The cursor of each record; '' where it has none. */
  readonly cursors: readonly string[];
  readonly startCursor: string;
  readonly endCursor: string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** The flaws of the page, one phrase each. Empty for a sound page. */
  readonly flaws: readonly string[];
}

/**
 * Reads the page in an answer; undefined if the wrapper key has no list of edges. `asked` is the cursor in the request,
 * which some nodes return on an empty page.
 */
export function readPage(answer: Json, wrapperKey: string, asked = ''): Page | undefined {
  const wrapper = member(answer, wrapperKey);
  const edges = member(wrapper, 'edges');
  if (!isJsonArray(edges)) return undefined;
  const read = edges.flatMap(edge => {
    const record = member(edge, 'node');
    return isJsonObject(record) ? [{ record, cursor: stringOrEmpty(member(edge, 'cursor')) }] : [];
  });
  const info = member(wrapper, 'pageInfo');
  const ends = { startCursor: edges[0], endCursor: edges.at(-1) };
  const unreadable = edges.length - read.length;
  return {
    records: read.map(({ record }) => record),
    cursors: read.map(({ cursor }) => cursor),
    startCursor: rowCursor(info, 'startCursor', ends),
    endCursor: rowCursor(info, 'endCursor', ends),
    hasNextPage: member(info, 'hasNextPage') === true,
    hasPreviousPage: member(info, 'hasPreviousPage') === true,
    flaws: [
      ...(unreadable === 0 ? [] : [`${unreadable} of the ${edges.length} edges on this page cannot be read`]),
      ...repeatFlaws(read, edges.length),
      ...infoFlaws(info, edges.length, ends, asked),
    ],
  };
}

interface Edge {
  readonly record: JsonObject;
  readonly cursor: string;
}

/** A cursor identifies one row, so the same cursor with the same record is the same row again. */
function repeatFlaws(edges: readonly Edge[], rows: number): readonly string[] {
  if (new Set(edges.map(({ cursor }) => cursor)).size === edges.length) return [];
  const seen = new Set<string>();
  let again = 0;
  for (const { record, cursor } of edges) {
    const row = `${cursor} ${cursor === '' ? '' : printJson(record)}`;
    if (cursor !== '' && seen.has(row)) again++;
    seen.add(row);
  }
  return again === 0 ? [] : [`${again} of the ${rows} rows on this page come twice`];
}

/** First and last edge, by the member of `pageInfo` that should match their cursor. */
type Ends = { readonly [name in (typeof CURSORS)[number]]: Json | undefined };

const CURSORS = ['startCursor', 'endCursor'] as const;

/** The row's own cursor wins over `pageInfo`: continuing from it skips nothing. */
const rowCursor = (info: Json | undefined, name: keyof Ends, ends: Ends): string =>
  stringOrEmpty(member(ends[name], 'cursor')) || stringOrEmpty(member(info, name));

function infoFlaws(info: Json | undefined, rows: number, ends: Ends, asked: string): readonly string[] {
  const count = `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  const hasNext = member(info, 'hasNextPage');
  if (typeof hasNext !== 'boolean') return [`this page of ${count} does not show whether more follow`];
  if (!isKnown(member(info, 'hasPreviousPage'), 'boolean'))
    return [`this page of ${count} does not show whether others come before it`];
  const cursors = [member(info, 'startCursor'), member(info, 'endCursor')];
  if (cursors.some(cursor => !isKnown(cursor, 'string'))) return [`a cursor of this page of ${count} is not text`];
  if (hasNext && rows === 0) return ['this page of 0 rows reports more'];
  if (hasNext && jsonText(cursors[1]) === '' && stringOrEmpty(member(ends.endCursor, 'cursor')) === '')
    return [`this page of ${count} reports more but has no cursor`];
  const known = rows === 0 ? CURSORS.filter(name => member(info, name) !== asked) : CURSORS;
  return known.flatMap(name => cursorFlaw(member(info, name), ends[name], `this page of ${count}`, name));
}

function cursorFlaw(
  cursor: Json | undefined,
  edge: Json | undefined,
  page: string,
  name: keyof Ends,
): readonly string[] {
  const own = stringOrEmpty(member(edge, 'cursor'));
  // A row has its cursor itself: a node that leaves these out has left nothing out.
  if (typeof cursor !== 'string' || cursor === '' || own === cursor) return [];
  if (edge === undefined) return [`${page} has the cursor of a row`];
  const [place, where] = name === 'endCursor' ? ['last', 'after'] : ['first', 'before'];
  return own === ''
    ? []
    : [`the ${name} of ${page} is not the cursor of its ${place} row: rows ${where} it may be missing`];
}

// Missing members and null mean the same (node-behaviour.md section 1.4).
const isKnown = (value: Json | undefined, type: 'boolean' | 'string'): boolean =>
  value === undefined || value === null || typeof value === type;

const stringOrEmpty = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
