import type { Row } from './resource.ts';

/** Rows by their position: an array, or a packed list that is decoded where it is read. */
export interface RowList {
  readonly length: number;
  /** Undefined after the last position. */
  readonly at: (position: number) => Row | undefined;
  /** The same without caching the row, for a single pass. */
  readonly uncachedAt?: (position: number) => Row | undefined;
  readonly slice: (from?: number, to?: number) => readonly Row[];
}
