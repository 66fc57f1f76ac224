import type { ReadyQuestion } from '../../answers/index.ts';

/** The files that the viewer opens. */
export interface FilesRequest {
  readonly paths: readonly string[];
  readonly isEvenIncomplete: boolean;
  /** The table to show first; otherwise the first one. */
  readonly table?: string;
  /** Opens its answer instead of the files; null for the files themselves. */
  readonly question: AnswerRequest | null;
}

/** A ready question with its values. */
export interface AnswerRequest {
  readonly name: string;
  readonly title: string;
  /** Empty if the question needs no party. */
  readonly party: string;
  /** `e20..e25`, a day, or `all` in the files; the range of the export if it is left out. */
  readonly range?: string;
  /** One row per reason. */
  readonly isSplit?: boolean;
}

/** How much of a CSV has been converted so far. */
export interface OpeningProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number | null;
}

/** What can be done with an export of a table. */
export interface TableOffer {
  /** Whether the engine is installed that opens tables and answers questions. */
  readonly hasEngine: boolean;
  /** The ready questions that the table answers. */
  readonly questions: readonly ReadyQuestion[];
}

/** The party that ready questions are asked for. */
export interface Asking {
  /** The question that waits for its party. */
  readonly question: ReadyQuestion | null;
  /** The last party, as it was typed; empty before the first. */
  readonly party: string;
}
