import type { Row } from './resource.ts';

/** Rows by place: an array, or a packed list that is decoded where it is read. */
export interface RowList {
  readonly length: number;
  /** Undefined after the last place. */
  readonly at: (place: number) => Row | undefined;
  /** The same without caching the row, for a single pass. */
  readonly uncachedAt?: (place: number) => Row | undefined;
  readonly slice: (from?: number, to?: number) => readonly Row[];
}
