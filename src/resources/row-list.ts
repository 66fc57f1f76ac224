import type { Row } from './resource.ts';

/** Rows by their places: an array of them, or a list that is kept in little memory and read where it is looked at. */
export interface RowList {
  readonly length: number;
  /** Undefined beyond the last place. */
  readonly at: (place: number) => Row | undefined;
  /** The same of rows that are looked at once and then are gone, where `at` keeps them. */
  readonly inPassing?: (place: number) => Row | undefined;
  readonly slice: (from?: number, to?: number) => readonly Row[];
}
