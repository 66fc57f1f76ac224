import { type SafeText, sanitize } from '../../text/safe-text.ts';
import { wrapCells } from '../../text/width.ts';
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
  const lines = view.text.split('\n').flatMap(line => wrapCells(sanitize(line), Math.max(10, columns - 4)));
  wrapped.set(view, { columns, lines });
  return lines;
}

/** The same value with another line on top; it stays wrapped. */
export function scrolledTo(view: ValueView, top: number): ValueView {
  const scrolled = { ...view, top };
  const known = wrapped.get(view);
  if (known !== undefined) wrapped.set(scrolled, known);
  return scrolled;
}
