import { type SafeText, sanitize } from '../../text/safe-text.ts';
import { wrapCells } from '../../text/width.ts';

let last: { readonly text: string; readonly columns: number; readonly lines: readonly SafeText[] } | undefined;

/** The lines of one value in full, on a screen so wide; nothing is left out. A value is wrapped once while it is shown. */
export function valueLines(text: string, columns: number): readonly SafeText[] {
  if (last?.text !== text || last.columns !== columns) {
    const lines = text.split('\n').flatMap(line => wrapCells(sanitize(line), Math.max(10, columns - 4)));
    last = { text, columns, lines };
  }
  return last.lines;
}
