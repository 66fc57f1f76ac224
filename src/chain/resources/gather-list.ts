import { groupDigits } from '../insight/decimal.ts';
import { MAX_PAGE_SIZE, type PageRequest } from './page-request.ts';
import { runInSlices } from './time-slices.ts';
import type { WalkOptions } from './walk-pages.ts';
import { walkRows } from './walk-rows.ts';
import { type WholeRows, WholeRowsBuilder } from './whole-rows.ts';

/** How much of a list is loaded. */
export interface GatherProgress {
  readonly rows: number;
  readonly pages: number;
  /** How long the node asked to wait; 0 if it did not. */
  readonly waitMs: number;
}

export interface GatheredList {
  readonly rows: WholeRows;
  /** Why these may not be all rows, or not all from the same time; null if nothing is known to be missing. */
  readonly problem: string | null;
}

/** The first page is small, to learn early how large the rows are. */
const FIRST_ROWS = 1000;

/** Approximate characters per page: a larger page would take longer to read than a key may wait. */
const PAGE_CHARACTERS = 640_000;

/** How much of a list is loaded at most. */
interface RowLimits {
  readonly rows: number;
  /** Of all rows in stored form, since rows may have any size. */
  readonly characters: number;
}

const ROOM: RowLimits = { rows: 500_000, characters: 250_000_000 };

/**
 * Loads every row of a list, page by page. Rejects if the first page fails; after that, a failure ends the list early and
 * is reported with the rows loaded so far.
 */
export async function gatherList(
  { room = ROOM, ...options }: Omit<WalkOptions, 'onWait' | 'onSmaller' | 'onNote'> & { readonly room?: RowLimits },
  request: Pick<PageRequest, 'filters' | 'newestFirst'>,
  onProgress: (progress: GatherProgress) => void,
): Promise<GatheredList> {
  const { resource, signal } = options;
  const maker = new WholeRowsBuilder(resource, request.filters);
  let pages = 0;
  let mostRows = MAX_PAGE_SIZE;
  const report = (waitMs: number): void => onProgress({ rows: maker.length, pages, waitMs });
  const walk: WalkOptions = {
    ...options,
    onWait: report,
    onNote: () => {},
    onSmaller: (_, smaller) => {
      mostRows = smaller;
    },
    // If a node could not send that many rows at once, no larger request is sent to it again. Sizes at most double, because
    // the first large page makes the heap grow.
    nextSize: size => Math.min(mostRows, 2 * size, nextPageSize(maker.charactersPerRow)),
  };
  const size = resource.paging.pageSize ?? FIRST_ROWS;
  const first: PageRequest = { ...request, size, position: { kind: 'first' } };
  try {
    for await (const { rows } of walkRows(walk, first)) {
      const isFull = maker.characters >= room.characters;
      const left = isFull ? 0 : room.rows - maker.length;
      await runInSlices(maker.add(rows.slice(0, left)), { signal });
      pages++;
      report(0);
      if (rows.length > left) return { rows: maker.made(), problem: limitProblem(room, isFull) };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (maker.length === 0) throw error;
    return { rows: maker.made(), problem: error instanceof Error ? error.message : String(error) };
  }
  return { rows: maker.made(), problem: null };
}

const limitProblem = ({ rows, characters }: RowLimits, isFull: boolean): string =>
  isFull
    ? `not all rows are loaded: these take ${Math.floor(characters / 1e6)} MB`
    : `only the first ${groupDigits(String(rows))} rows are loaded`;

const nextPageSize = (charactersPerRow: number): number =>
  charactersPerRow === 0
    ? FIRST_ROWS
    : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.floor(PAGE_CHARACTERS / charactersPerRow)));
