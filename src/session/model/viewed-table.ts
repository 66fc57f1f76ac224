// What is known of a table that is looked at, and what is asked of it: plain data, so that neither the state nor a test
// needs the engine that answers.

/** A value as its file has it, to the digit; null is NULL. Bytes are lower-case hexadecimal, times are UTC. */
export type ViewedCell = string | null;

export type ViewedRow = readonly ViewedCell[];

/** How values of a column look, align and sort. */
export type Shape = 'number' | 'ordinal' | 'id' | 'time' | 'word' | 'text';

export interface ViewedColumn {
  readonly name: string;
  /** As the engine names it. */
  readonly type: string;
  readonly shape: Shape;
  readonly about: string;
  /** What an amount is counted in; empty where that is not known. */
  readonly unit: string;
  /** Its numbers are what was asked for: drawn to the digit or not at all. */
  readonly isAnswer?: boolean;
  /** What values stand for, as far as that is known. */
  readonly words: Readonly<Record<string, string>>;
}

export interface ViewedTable {
  readonly name: string;
  readonly rows: number;
  /** Those of a row, in this order. */
  readonly columns: readonly ViewedColumn[];
  /** `block 501-1500`; empty where that is not known. */
  readonly range: string;
  /** Unix milliseconds of its first and last row; null where it has no rows or no times. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly isComplete: boolean;
}

/** Which rows, and in which order: those of the file where nothing is said. */
export interface Look {
  readonly filters: readonly ValueFilter[];
  readonly sort: { readonly column: string; readonly isDescending: boolean } | null;
}

/** Null looks for NULL. */
export interface ValueFilter {
  readonly column: string;
  readonly value: ViewedCell;
}

export const AS_IN_FILE: Look = { filters: [], sort: null };

/** One of the tables that are open, as it is looked at. */
export interface ViewedLook {
  readonly table: string;
  readonly look: Look;
}

export interface CountedValue {
  readonly value: ViewedCell;
  readonly count: number;
}

/** How often the values of a column occur in the rows of a look. */
export interface ValueCounts {
  readonly rows: number;
  /** All that there are, also those that are left out of `values`. */
  readonly distinct: number;
  /** The most frequent first. */
  readonly values: readonly CountedValue[];
  /** Of a column of numbers, exact. */
  readonly sums: NumberSums | null;
}

export interface NumberSums {
  readonly sum: string;
  readonly least: string;
  readonly largest: string;
  /** Rows that have a number. */
  readonly count: number;
}

/** What is drawn of the rows of a stretch of time. */
export type Measure = 'sum' | 'last' | 'largest' | 'least' | 'rows';

/** Rows of a look from a moment on, until the next one begins. */
export interface ChartPoint {
  readonly fromMs: number;
  /** Exact; null where no row of it has a number. */
  readonly value: string | null;
}

export interface ChartQuestion extends ViewedLook {
  readonly column: string;
  readonly measure: Measure;
  readonly firstMs: number;
  readonly stepMs: number;
}

/** Where a text was found: by its place among the rows of the look. */
export interface FoundAt {
  readonly row: number;
  readonly column: string;
}

export interface FindQuestion extends ViewedLook {
  readonly text: string;
  /** The first row that is looked at; what is behind it comes first, then what is before it. */
  readonly from: number;
  readonly direction: 1 | -1;
}
