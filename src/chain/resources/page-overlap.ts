import { hash } from 'node:crypto';
import { printJson } from '../api/json.ts';
import type { FilterValues } from './filter.ts';
import type { Position } from './page-request.ts';
import type { Resource, Row, RowPage } from './resource.ts';

/** Rows requested again: a gap is possible only if all of these move at once, and that is detected. */
const KNOWN_ROWS = 10;

/** The position of the next page. */
export function positionAfter(resource: Resource, filters: FilterValues, page: RowPage): Position {
  const [cursor, ...known] = movable(resource, filters, page).slice(-KNOWN_ROWS - 1);
  const position = { kind: 'after', cursor: page.endCursor } as const;
  return cursor === undefined || known.length === 0 ? position : { ...position, overlap: { cursor, known } };
}

/** The position of the previous page. */
export function positionBefore(resource: Resource, filters: FilterValues, page: RowPage): Position {
  const known = movable(resource, filters, page).slice(0, KNOWN_ROWS + 1);
  const cursor = known.pop();
  const position = { kind: 'before', cursor: page.startCursor } as const;
  return cursor === undefined || known.length === 0 ? position : { ...position, overlap: { cursor, known } };
}

/** Removes the known rows from a page, and adds a flaw if none was sent. */
export function dropKnownRows(page: RowPage, position: Position): RowPage {
  if (!('overlap' in position) || position.overlap === undefined) return page;
  const { known } = position.overlap;
  const isNew = (cursor: string): boolean => !known.includes(cursor);
  const from = position.kind === 'after' ? beforeFirst(page.cursors.findIndex(isNew), page.cursors.length) : 0;
  const to = position.kind === 'before' ? page.cursors.findLastIndex(isNew) + 1 : page.cursors.length;
  const cursors = page.cursors.slice(from, to);
  const flaws = cursors.length === page.cursors.length ? [...page.flaws, MOVED] : page.flaws;
  return {
    ...page,
    rows: page.rows.slice(from, to),
    cursors,
    flaws,
    startCursor: cursors[0] ?? page.startCursor,
    endCursor: cursors.at(-1) ?? page.endCursor,
  };
}

const MOVED = 'all rows at the edge of this page have moved since they were read: one may be missing here';

const movable = (resource: Resource, filters: FilterValues, { cursors }: RowPage): string[] =>
  resource.paging.rowsMove?.(filters) === true && !cursors.includes('') ? [...cursors] : [];

const beforeFirst = (index: number, length: number): number => (index < 0 ? length : index);

/** The pages of one list that came, by which the same one is known again: a node may send its pages in a circle. */
export class SeenPages {
  readonly #seen: Set<string>;

  constructor(cursors: Iterable<string> = []) {
    this.#seen = new Set(cursors);
  }

  /** The problem if the page came before; otherwise the page is remembered. */
  repeats({ endCursor, rows, hasNextPage }: Pick<RowPage, 'endCursor' | 'rows' | 'hasNextPage'>): string | undefined {
    const mark = rows.length === 0 ? '' : pageFingerprint(rows);
    // Behind the last row there is nothing, and some nodes give the cursor back that they were asked with.
    const isEnd = rows.length === 0 && !hasNextPage;
    if (!isEnd && endCursor !== '' && this.#seen.has(endCursor)) return 'the node sends the same cursor again';
    if (mark !== '' && this.#seen.has(mark)) return 'the node sends the same rows again under another cursor';
    this.#seen.add(endCursor).add(mark);
    return undefined;
  }
}

/** Identifies a page by its number of rows and its first and last row. */
export function pageFingerprint(rows: readonly Row[]): string {
  const ends = [rows[0], rows.at(-1)].map(row => printJson(row ?? null));
  return hash('sha1', [rows.length, ...ends].join('\n'), 'base64');
}
