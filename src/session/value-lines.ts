import { type SafeText, sanitize } from '../text/safe-text.ts';
import { wrapCells } from '../text/width.ts';

/** The lines of one value in full, on a screen so wide; nothing is left out. */
export const valueLines = (text: string, columns: number): readonly SafeText[] =>
  text.split('\n').flatMap(line => wrapCells(sanitize(line), Math.max(10, columns - 4)));
