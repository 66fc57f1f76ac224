import { groupDigits } from '../insight/decimal.ts';
import { MAX_PAGE_SIZE, type PageRequest } from './page-request.ts';
import { inSlices } from './slices.ts';
import type { WalkOptions } from './walk.ts';
import { walkRows } from './walk-rows.ts';
import { type WholeRows, WholeRowsMaker } from './whole-rows.ts';

/** How far a list is loaded. */
export interface GatherProgress {
  readonly rows: number;
  readonly pages: number;
  /** The node wants to be left alone for so long; 0 when it does not. */
  readonly waitMs: number;
}

export interface GatheredList {
  readonly rows: WholeRows;
  /** Why these are not all of its rows, or not all of one time; null when nothing is known against it. */
  readonly problem: string | null;
}

/** The first page is small, so that it is soon known how large the rows are. */
const FIRST_ROWS = 1000;

/** Characters of a page as it is kept, about: what takes longer to read than a key may wait is asked for in parts. */
const PAGE_CHARACTERS = 640_000;

/** How much of a list is kept; that there is more is said. */
interface Room {
  readonly rows: number;
  /** Of all rows as they are kept: rows may be of any size, and memory is not. */
  readonly characters: number;
}

const ROOM: Room = { rows: 500_000, characters: 250_000_000 };

/**
 * Every row of a list, by the rules of a walk through its pages. Rejects when not even its first page came: what came
 * before a failure is kept, and the failure told with it.
 */
export async function gatherList(
  { room = ROOM, ...options }: Omit<WalkOptions, 'onWait' | 'onSmaller' | 'onNote'> & { readonly room?: Room },
  request: Pick<PageRequest, 'filters' | 'newestFirst'>,
  onProgress: (progress: GatherProgress) => void,
): Promise<GatheredList> {
  const { resource, signal } = options;
  const maker = new WholeRowsMaker(resource, request.filters);
  let pages = 0;
  let mostRows = MAX_PAGE_SIZE;
  const tell = (waitMs: number): void => onProgress({ rows: maker.length, pages, waitMs });
  const walk: WalkOptions = {
    ...options,
    onWait: tell,
    onNote: () => {},
    onSmaller: (_, smaller) => {
      mostRows = smaller;
    },
    // A node that could not send so many at once is not asked for more again. The first large page comes in two steps:
    // it is the one for which the heap has to grow.
    nextSize: size => Math.min(mostRows, 2 * size, sizeFor(maker.charactersPerRow)),
  };
  const size = resource.paging.pageSize ?? FIRST_ROWS;
  const first: PageRequest = { ...request, size, position: { kind: 'first' } };
  try {
    for await (const { rows } of walkRows(walk, first)) {
      const isFull = maker.characters >= room.characters;
      const left = isFull ? 0 : room.rows - maker.length;
      await inSlices(maker.add(rows.slice(0, left)), { signal });
      pages++;
      tell(0);
      if (rows.length > left) return { rows: maker.made(), problem: cutAt(room, isFull) };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (maker.length === 0) throw error;
    return { rows: maker.made(), problem: error instanceof Error ? error.message : String(error) };
  }
  return { rows: maker.made(), problem: null };
}

const cutAt = ({ rows, characters }: Room, isFull: boolean): string =>
  isFull
    ? `no more is loaded: these rows take ${Math.floor(characters / 1e6)} MB`
    : `no more than ${groupDigits(String(rows))} rows are loaded`;

const sizeFor = (charactersPerRow: number): number =>
  charactersPerRow === 0
    ? FIRST_ROWS
    : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.floor(PAGE_CHARACTERS / charactersPerRow)));
