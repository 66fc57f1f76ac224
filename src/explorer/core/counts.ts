import type { SafeText } from '../../base/text/safe-text.ts';
import type { CopyContent, TableFormat } from '../services/copying/content.ts';
import type { SharedState } from './screen.ts';

/** Rows that can be counted by what a column of them holds: those that a list has loaded, or all of a table on the disk. */
export interface CountsSource {
  /** Says how many rows are counted so far, where it knows. */
  readonly count: (shared: SharedState, signal: AbortSignal, onProgress: (rows: number) => void) => Promise<Counts>;
}

/** How often each value of a column occurs, and what its numbers come to. */
export interface Counts {
  readonly rows: number;
  /** The values that there are: `values` may leave the rarest out. */
  readonly distinct: number;
  /** The most frequent first. */
  readonly values: readonly ValueCount[];
  /** What may be added, exactly. */
  readonly sums: readonly CountedSum[];
  /** What is not in the sums, a sentence a line. */
  readonly unsummed: readonly string[];
  /** How the value in a place is shown, with the names of now. */
  readonly textAt: (place: number, shared: SharedState) => SafeText;
  /** What is copied or saved of them. */
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
