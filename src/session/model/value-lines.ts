import { type SafeText, sanitize } from '../../text/safe-text.ts';
import { wrapCells, wrapWords } from '../../text/width.ts';
import type { ValueView } from './overlay.ts';

interface Wrapped {
  readonly columns: number;
  readonly lines: readonly SafeText[];
}

const wrapped = new WeakMap<ValueView, Wrapped>();

/** The lines of one value in full, on a screen so wide; nothing is left out. A value is wrapped once while it is shown. */
export function valueLines(view: ValueView, columns: number): readonly SafeText[] {
  const known = wrapped.get(view);
  if (known?.columns === columns) return known.lines;
  const cells = Math.max(10, columns - 4);
  const lines = view.text.split('\n').flatMap(text => {
    const line = sanitize(text);
    return isSentence(text) ? wrapWords(line, cells) : wrapCells(line, cells);
  });
  wrapped.set(view, { columns, lines });
  return lines;
}

// What has no words, or is a document, is broken where a line ends: nothing is put in or left out.
const isSentence = (text: string): boolean => /^[^\s{["]+(?: [^\s]+)+$/.test(text);

/** The same value with another line on top; it stays wrapped. */
export function scrolledTo(view: ValueView, top: number): ValueView {
  const scrolled = { ...view, top };
  const known = wrapped.get(view);
  if (known !== undefined) wrapped.set(scrolled, known);
  return scrolled;
}
