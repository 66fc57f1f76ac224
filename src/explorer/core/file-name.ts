import { looksLikeId } from '../../base/text/ids.ts';

/** The name of a file saved from a screen: its words, and the time its content was loaded. */
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
