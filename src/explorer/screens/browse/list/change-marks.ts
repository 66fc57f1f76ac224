import type { Row } from '../../../../resources/resource.ts';
import { type SafeText, safeText, sliceSafe } from '../../../../text/safe-text.ts';
import { type Line, type Span, span } from '../../../core/line.ts';
import { type FittedColumn, ownColumnId } from './column-layout.ts';
import type { Changes } from './row-changes.ts';

/**
 * The line of a row with a mark at each cell that has changed, or one in front of a row that is new or has changed where
 * no column is shown. `line` is the gutter and then the cells, with a gap of two between them.
 */
export function withChangeMarks(line: Line, fitted: readonly FittedColumn[], changes: Changes, row: Row): Line {
  if (changes.added.has(row)) return inGutter(line, safeText` +`);
  const values = changes.changed.get(row)?.values;
  if (values === undefined) return line;
  const isChanged = fitted.map(({ column }) => values.has(ownColumnId(column.id)));
  if (!isChanged.includes(true)) return inGutter(line, safeText` ~`);
  return line.flatMap((part, place): Line => {
    // Gaps have even places, and the cell behind each the odd one that follows.
    const cell = place % 2 === 0 ? line[place + 1] : part;
    if (cell === undefined || isChanged[Math.floor(place / 2)] !== true) return [part];
    const room = blanksBefore(cell.text);
    if (place % 2 === 0) return [room === 0 ? span(safeText` *`, 'accent') : part];
    const text = span(sliceSafe(cell.text, room), cell.style === 'plain' ? 'strong' : cell.style);
    return room === 0 ? [text] : [span(sliceSafe(cell.text, 1, room)), span(safeText`*`, 'accent'), text];
  });
}

const inGutter = ([, ...cells]: Line, mark: SafeText): Line => [span(mark, 'accent'), ...cells];

const blanksBefore = (text: SafeText): number => (text.trim() === '' ? 0 : text.length - text.trimStart().length);

/** What stands right before the first cell. */
export const besideGutter = (gutter: Span | undefined): Span =>
  gutter === undefined ? span(safeText` `) : { ...gutter, text: sliceSafe(gutter.text, 1) };
