import type { SafeText } from '../../base/text/safe-text.ts';
import type { CopyContent, TableFormat } from '../services/copying/content.ts';
import type { SharedState } from './screen.ts';

/**
 * Rows that can be counted by the values of one of their columns: the loaded rows of a list, or all rows of a table on
 * disk.
 */
export interface CountsSource {
  /** Reports how many rows are counted so far, if known. */
  readonly count: (shared: SharedState, signal: AbortSignal, onProgress: (rows: number) => void) => Promise<Counts>;
}

/** How often each value of a column occurs, and what its numbers come to. */
export interface Counts {
  readonly rows: number;
  /** The values that there are: `values` may leave the rarest out. */
  readonly distinct: number;
  /** The most frequent first. */
  readonly values: readonly ValueCount[];
  /** Exact sums of the values that can be added. */
  readonly sums: readonly CountedSum[];
  /** What the sums exclude, one sentence per line. */
  readonly unsummed: readonly string[];
  /** How the value in a place is shown, with the names of now. */
  readonly textAt: (place: number, shared: SharedState) => SafeText;
  /** The content to copy or save. */
  readonly content: (form: TableFormat, shared: SharedState) => CopyContent;
}

export interface ValueCount {
  /** As sent, or as in the file; '' or null if there is none. */
  readonly value: string | null;
  readonly count: number;
  /** What an amount of a list is of: two assets may have equal digits. */
  readonly of?: string;
}

/** What narrows the rows that are counted. */
export interface Narrowing {
  readonly title: string;
  readonly text: SafeText;
}

export interface CountedSum {
  readonly sum: SafeText;
  readonly least: SafeText;
  readonly largest: SafeText;
  /** Rows that are in it. */
  readonly count: number;
  /** Empty for plain numbers. */
  readonly unit: (shared: SharedState) => SafeText;
}
