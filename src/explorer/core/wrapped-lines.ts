import { safeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { widthCells, wrapCells } from '../../base/text/width.ts';
import { type Line, lineWidth, type ScreenRow, type Span, screenRowHeight, span, toScreenRows } from './line.ts';

/**
 * Rows that are never cut: a line that is too long continues in the next one. A row that does not fit on the screen is
 * left out whole, since half a hint has another meaning. The first row always stays.
 */
export function wrapRows(rows: readonly ScreenRow[], columns: number, height: number): readonly ScreenRow[] {
  const fitting: ScreenRow[] = [];
  let left = height;
  for (const [index, row] of rows.entries()) {
    const block = row.kind === 'line' ? toScreenRows(wrapLine(row.line, columns)) : [row];
    const needed = block.reduce((sum, part) => sum + screenRowHeight(part), 0);
    if (needed > left && index > 0) continue;
    fitting.push(...block);
    left -= needed;
  }
  return fitting;
}

/** Breaks a line between words into as many lines as needed; text that follows a label stays to its right. */
export function wrapLine(line: Line, columns: number): readonly Line[] {
  if (lineWidth(line) <= columns) return [line];
  const [first, ...rest] = line;
  if (first === undefined) return [];
  const isLabelled = /^ .* $/.test(first.text) && widthCells(first.text) <= columns / 2;
  const margin = isLabelled ? widthCells(first.text) : (/^ */.exec(first.text)?.[0].length ?? 0);
  const indent = span(sanitize(' '.repeat(margin)));
  const lines: Span[][] = [isLabelled ? [first] : [indent]];
  for (const word of splitWords(isLabelled ? rest : line)) {
    const current = lines.at(-1) ?? [];
    const isEmpty = current.length === 1;
    const gap = isEmpty || !word.isSpaced ? [] : [span(safeText` `)];
    if (lineWidth([...current, ...gap]) + widthCells(word.part.text) <= columns) current.push(...gap, word.part);
    else {
      const parts = wrapCells(word.part.text, Math.max(1, columns - margin)).map(text => ({ ...word.part, text }));
      for (const [index, part] of parts.entries()) {
        if (index === 0 && isEmpty) current.push(part);
        else lines.push([indent, part]);
      }
    }
  }
  return lines;
}

/** The words of a line in their styles; `isSpaced` when a space stood before. */
function* splitWords(line: Line): Iterable<{ readonly part: Span; readonly isSpaced: boolean }> {
  let isSpaced = false;
  for (const part of line) {
    for (const { 0: found, index } of part.text.matchAll(/ +|[^ ]+/g)) {
      if (!found.startsWith(' '))
        yield { part: { ...part, text: sliceSafe(part.text, index, index + found.length) }, isSpaced };
      isSpaced = found.startsWith(' ');
    }
  }
}
