import type { CopyContent } from './content.ts';

/** File endings of a saved view, which determine the format. */
export const ENDINGS = ['csv', 'tsv', 'md', 'json', 'ndjson', 'txt'] as const;

export type FileEnding = (typeof ENDINGS)[number];

/** A view that can be saved. */
export interface Saveable {
  /** The content to save: `50 rows`. */
  readonly what: string;
  /** The likeliest first. */
  readonly endings: readonly FileEnding[];
  readonly content: (ending: FileEnding) => CopyContent;
}

/** The text on the screen. */
export const saveableScreen = (what: string): Saveable => ({
  what,
  endings: ['txt'],
  content: () => ({ kind: 'screen' }),
});
