import { EMPTY, type SafeText, safeText, sanitize, sliceSafe } from '../../../base/text/safe-text.ts';
import { wrapCells, wrapWords } from '../../../base/text/width.ts';
import type { Area } from '../../core/screen.ts';
import type { ValueOpening } from '../../openings.ts';

interface Wrapped {
  readonly columns: number;
  readonly lines: readonly SafeText[];
}

const wrapped = new WeakMap<ValueOpening, Wrapped>();

/** The lines of one value in full, on a screen so wide; nothing is left out. A value is wrapped once while it is shown. */
export function valueLines(value: ValueOpening, columns: number): readonly SafeText[] {
  const known = wrapped.get(value);
  if (known?.columns === columns) return known.lines;
  const cells = Math.max(10, columns - 4);
  const lines = value.text.split('\n').flatMap(text => {
    const line = sanitize(text);
    const row = value.isProse ? tableRow(line, cells) : undefined;
    if (row !== undefined) return row;
    const indent = value.isProse ? sliceSafe(line, 0, Math.min(line.search(/[^ ]|$/), cells - 5)) : EMPTY;
    if (!isSentence(text.slice(indent.length))) return wrapCells(line, cells);
    const words = wrapWords(sliceSafe(line, indent.length), cells - indent.length);
    return words.map(part => safeText`${indent}${part}`);
  });
  wrapped.set(value, { columns, lines });
  return lines;
}

/** A row of a table is broken below its last column; undefined for other lines, and where there is no room. */
function tableRow(line: SafeText, cells: number): readonly SafeText[] | undefined {
  const before = /^\S.* {2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  if (before === 0 || cells - before < MIN_LAST_CELLS) return undefined;
  const [first = EMPTY, ...more] = wrapWords(sliceSafe(line, before), cells - before);
  const indent = sanitize(' '.repeat(before));
  return [safeText`${sliceSafe(line, 0, before)}${first}`, ...more.map(part => safeText`${indent}${part}`)];
}

const MIN_LAST_CELLS = 20;

// Text without words, or a document, is broken at the line's end: nothing is inserted or left out.
const isSentence = (text: string): boolean => /^[^\s{["]+(?: [^\s]+)+$/.test(text);

/** Lines below the title. */
export const valueRows = ({ rows }: Area): number => rows - 1;

/** The last line that can be the first one drawn. */
export const maxValueTop = (value: ValueOpening, area: Area): number =>
  Math.max(0, valueLines(value, area.columns).length - valueRows(area));
