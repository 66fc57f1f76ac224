import type { Directory } from '../../directory/directory.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import type { KeptRanges, RowRange } from './row-range.ts';

/** A question that is asked often, with what it takes. */
export interface Question {
  readonly name: QuestionName;
  /** What it answers, in a few words. */
  readonly title: string;
  /** Exported tables that have the answer: any one of them is enough. */
  readonly tables: readonly [string, ...string[]];
  /** Whether a party has to be named. */
  readonly needsParty: boolean;
  /** Said where it finds nothing: no wider than what was looked at. */
  readonly whenEmpty: string;
  /** Which of the values it heeds. */
  readonly takes: readonly (keyof QuestionValues)[];
}

export type QuestionName = 'received' | 'trades' | 'rewards' | 'fills' | 'balance';

/** What is asked for. Ids are 64 hexadecimal digits; an asset and a market may be named by symbol and code. */
export interface QuestionValues {
  readonly parties?: readonly string[];
  readonly asset?: string;
  readonly market?: string;
  /** An epoch, or a day or a time in UTC: `e20`, `2026-10-01`, `2026-10-01 12:00`. All of what is named belongs to it. */
  readonly from?: string;
  readonly to?: string;
  /** Everything in the files, in place of the range that they were asked for. */
  readonly isWhole?: boolean;
  readonly by?: 'day' | 'month';
  /** Each reason by itself: type of transfer, or kind of reward and game. */
  readonly types?: boolean;
  /** A day or an epoch, of which the end is meant, or a time, UTC. */
  readonly at?: string;
}

/** What a question is asked of. */
export interface QuestionGround {
  readonly dataset: Dataset;
  /** Names and decimals, as far as they are known. */
  readonly names: Directory;
  /** What is kept beside the exports of the ranges that they were asked for. */
  readonly kept: KeptRanges;
  readonly values: QuestionValues;
  readonly signal: AbortSignal;
}

/** The same, and the rows that count, of the table that answers it. */
export interface RangedGround extends QuestionGround {
  readonly table: DatasetTable;
  readonly range: RowRange;
}

export interface AnswerColumn {
  readonly id: string;
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Where it is of use: before people, to programs, or both. */
  readonly in: 'both' | 'table' | 'data';
  /** What an amount is counted in; empty of what is none. */
  readonly unit: string;
}

/** Plain data: numbers are text to the digit, null is what is not known. Text may come from a node: hostile. */
export interface ReadyAnswer {
  /** The statement that was run on the views of the dataset; runs as it stands in `blockglass query`. */
  readonly sql: string;
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** What a reader has to know, a sentence each. */
  readonly notes: readonly string[];
}
