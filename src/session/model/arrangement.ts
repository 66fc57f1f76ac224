import type { Directory } from '../../directory/directory.ts';

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

export interface Arranged extends Arrangement {
  /** Of the rows, in the order they are shown in; null: all of them in the order of the list. */
  readonly places: Uint32Array<ArrayBuffer> | null;
}

/** What they are to be found and sorted by: shown when all of it is done. */
export interface Arranging extends Arrangement, ArrangeProgress {
  readonly ticket: number;
}

export interface ArrangeProgress {
  readonly step: 'find' | 'sort';
  /** Of the step, from 0 to 1. */
  readonly done: number;
}
