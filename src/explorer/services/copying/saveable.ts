import type { CopyContent } from './content.ts';

/** Endings that a file of a view may have, which say how it is written. */
export const ENDINGS = ['csv', 'tsv', 'md', 'json', 'ndjson', 'txt'] as const;

export type FileEnding = (typeof ENDINGS)[number];

/** A view that can be saved. */
export interface Saveable {
  /** What is saved: `50 rows`. */
  readonly what: string;
  /** The likeliest first. */
  readonly endings: readonly FileEnding[];
  readonly content: (ending: FileEnding) => CopyContent;
}
