import type { Directory } from '../directory/directory.ts';
import type { ListPage } from './list-page.ts';
import type { Resource } from './resource.ts';
import type { WholeRows } from './whole-rows.ts';

export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** What rows are found and sorted by. */
export interface Arrangement {
  readonly find: string;
  readonly sort: Sort | null;
  readonly names: Directory;
}

export interface ArrangedRows extends Arrangement {
  /** Positions of the rows, in display order; null: all rows in the order of the list. */
  readonly places: Uint32Array<ArrayBuffer> | null;
}

export interface ArrangeProgress {
  readonly step: 'find' | 'sort';
  /** Of the step, from 0 to 1. */
  readonly done: number;
}

/** A whole list, and how its rows are to be found and sorted. */
export interface ArrangeRequest {
  readonly resource: Resource;
  readonly page: ListPage & { readonly whole: WholeRows };
  readonly wanted: Arrangement;
  /** The previous arrangement: a narrower search may be limited to its results. */
  readonly before: ArrangedRows;
}
