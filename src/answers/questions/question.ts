import type { Directory } from '../../chain/directory/directory.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import type { SqlTarget } from './dialects/dialect.ts';
import type { RowRange, SavedRanges } from './row-range.ts';

/** A ready-made question and the values it accepts. */
export interface Question {
  readonly name: QuestionName;
  /** A short description, shown in help and menus. */
  readonly title: string;
  /** Exported tables that answer it; one is enough. */
  readonly tables: readonly [string, ...string[]];
  /** Tables that name markets and assets, on which a party may have accounts. */
  readonly naming?: readonly string[];
  /** Whether it needs a party. */
  readonly needsParty: boolean;
  /** The message for an empty answer; it must not claim more than was searched. */
  readonly whenEmpty: string;
  /** The values it uses. */
  readonly takes: readonly (keyof QuestionValues)[];
}

export type QuestionName = 'received' | 'trades' | 'rewards' | 'fills' | 'balance';

/** The values of a request. Ids are 64 hexadecimal digits; an asset may be a symbol and a market a code. */
export interface QuestionValues {
  readonly parties?: readonly string[];
  readonly asset?: string;
  readonly market?: string;
  /** An epoch, a day or a time in UTC: `e20`, `2026-10-01`, `2026-10-01 12:00`. Both ends are inclusive. */
  readonly from?: string;
  readonly to?: string;
  /** All rows of the files instead of the range that was exported. */
  readonly isWhole?: boolean;
  readonly by?: 'day' | 'month';
  /** One row per reason: transfer type, or reward type and game. */
  readonly types?: boolean;
  /** A time in UTC, or the end of a day or epoch. */
  readonly at?: string;
}

/** What a question is answered from. */
export interface QuestionContext {
  readonly dataset: Dataset;
  /** Known names and decimals. */
  readonly names: Directory;
  /** The ranges and epochs saved with the exports. */
  readonly saved: SavedRanges;
  readonly values: QuestionValues;
  readonly signal: AbortSignal;
}

/** The same with the table that answers the question, the range of its rows, and where the SQL runs. */
export interface RangedContext extends QuestionContext {
  readonly table: DatasetTable;
  readonly range: RowRange;
  readonly target: SqlTarget;
}

/** How a question is answered. */
export interface AnswerMethod {
  /** The SQL with the notes that only its text needs. */
  readonly sql: (context: RangedContext) => Promise<QuestionSql>;
  readonly answer: (context: RangedContext) => Promise<ReadyAnswer>;
}

export interface QuestionSql {
  readonly sql: string;
  readonly notes: readonly string[];
}

export interface AnswerColumn {
  readonly id: string;
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Whether it is for tables that people read, for data that programs read, or both. */
  readonly in: 'both' | 'table' | 'data';
  /** The unit of an amount; '' for other columns. */
  readonly unit: string;
  /** What the numbers mean, where they are neither amounts nor counts. */
  readonly kind?: 'ordinal' | 'price';
}

/** Plain data: numbers are exact text, null is unknown. Text may come from a node and be hostile. */
export interface ReadyAnswer {
  /** The SQL statement; it also runs in `blockglass query`. */
  readonly sql: string;
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Data that could not be attributed and may belong to the answer: a line below the rows. */
  readonly more?: string;
  /** What readers must know, a sentence each. */
  readonly notes: readonly string[];
}
