import { looksLikeId } from '../../base/text/ids.ts';

/** What a file that is saved from a screen is called: its words, and when what it holds was loaded. */
export interface FileName {
  readonly parts: readonly string[];
  /** Now where it is left out. */
  readonly atMs?: number;
}

/** What narrows the content of a file, in its name; nothing where it does not. */
export const fileNameParts = (name: string, value: string): readonly string[] =>
  value === '' ? [] : [name, shortenForFileName(value)];

/** Of an id its first digits tell it from the others of a day. */
export const shortenForFileName = (value: string): string =>
  looksLikeId(value) ? value.slice(0, 4) : value.slice(0, 24);
