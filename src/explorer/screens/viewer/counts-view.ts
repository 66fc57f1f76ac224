import type { ValueCounts, ViewerCell, ViewerColumn } from '../../../answers/index.ts';
import { EMPTY, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { groupDigits } from '../../../chain/insight/decimal.ts';
import { shareShown } from '../../../chain/insight/paid-fees.ts';
import { BLANK, headLine, type Line, line, span, textLine } from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { fileText, numberWithin, shownCell } from './cells.ts';
import { alignOf } from './columns.ts';
import { mixedIn } from './mixed.ts';
import { readingOf } from './reading.ts';
import { type CountsView, countsRows, type OpenTable } from './state.ts';

/** How often the values of a column occur, a line each with a bar; above them the sum of its numbers. */
export function drawCounts(known: OpenTable, over: CountsView, context: ScreenContext): readonly Line[] {
  const column = known.table.columns.find(({ name }) => name === over.column);
  if (column === undefined) return [];
  const { counts } = over;
  if (counts === null) return [BLANK, textLine(`  counting the values of ${column.name} ...  Esc stops`, 'quiet')];
  const room = context.area.columns - 2;
  return [
    line(safeText` ${aboveText(counts, { column, mixed: mixedIn(known, column.name), room })}`, 'strong'),
    ...valueLines(over, { counts, column, text: textsOf(known, column, context) }, context),
  ];
}

interface Above {
  readonly column: ViewerColumn;
  readonly mixed: ReturnType<typeof mixedIn>;
  readonly room: number;
}

/** As much as has room: no figure is cut. */
function aboveText({ rows, distinct, values, sums }: ValueCounts, { column, mixed, room }: Above): SafeText {
  const { name, unit } = column;
  const shown = values.length < distinct ? `, the ${countText(values.length)} most frequent` : '';
  const counted = `${countOf(distinct, 'value')} in ${countOf(rows, 'row')}`;
  const all = `${name}: ${counted}${shown}`;
  if (sums === null)
    return fitting([all, `${name}: ${counted}`, counted], room) ?? truncateEnd(sanitize(counted), room);
  // Numbers in units of different sizes neither add up nor compare.
  if (mixed !== undefined) {
    const no = `no sum: the ${mixed}s may differ`;
    const units = column.counted === undefined ? [] : [`${no}  ${counted}, in smallest units`];
    return (
      fitting([`${no}  ${all}${unit === '' ? '' : `  in ${unit}`}`, ...units, `${no}  ${counted}`, no], room) ?? EMPTY
    );
  }
  const of = sums.count < rows ? ` of ${countOf(sums.count, 'row')}` : '';
  // The rows are in units, and these figures are not.
  const smallest = column.counted === undefined ? '' : ' smallest units';
  const sum = `sum ${groupDigits(sums.sum)}${smallest}${of}`;
  const figures = `${sum}  least ${groupDigits(sums.least)}  largest ${groupDigits(sums.largest)}`;
  const ways = [
    `${figures}  ${all}${unit === '' ? '' : `  in ${unit}`}`,
    `${figures}  ${all}`,
    `${figures}  ${counted}`,
    figures,
    sum,
  ];
  return fitting(ways, room) ?? safeText`sum ${numberWithin(sums.sum, room - 4)}`;
}

const fitting = (ways: readonly string[], room: number): SafeText | undefined =>
  ways.map(way => sanitize(way)).find(text => widthCells(text) <= room);

interface Counted {
  readonly counts: ValueCounts;
  readonly column: ViewerColumn;
  readonly text: (value: ViewerCell) => SafeText;
}

function textsOf(known: OpenTable, column: ViewerColumn, { shared }: ScreenContext): Counted['text'] {
  const { isRaw, names } = readingOf(known, shared);
  return value => (isRaw ? fileText(value) : shownCell({ column, table: known.table.name }, value, names));
}

function valueLines(
  over: CountsView,
  { counts, column, text }: Counted,
  { shared, area }: ScreenContext,
): readonly Line[] {
  const cells = area.columns;
  const shown = counts.values.slice(over.top, over.top + countsRows(area)).map(({ value, count }) => ({
    value,
    text: text(value),
    count: sanitize(countText(count)),
    share: sanitize(`${shareShown(String(count), String(counts.rows)) ?? '-'} %`),
    of: BigInt(count),
  }));
  const widest = (texts: readonly number[]): number => Math.max(5, ...texts);
  const countCells = widest(shown.map(({ count }) => widthCells(count)));
  const shareCells = widest(shown.map(({ share }) => widthCells(share)));
  const room = cells - GUTTER - countCells - shareCells - 2 * BETWEEN;
  const title = sanitize(column.name);
  const valueCells = Math.min(
    widest([widthCells(title), ...shown.map(({ text }) => widthCells(text))]),
    Math.max(LEAST_VALUE, room - LEAST_BAR - BETWEEN),
  );
  const barCells = Math.min(MOST_BAR, room - valueCells - BETWEEN);
  const most = BigInt(counts.values[0]?.count ?? 0);
  const align = alignOf(column);
  // The first digits of a number, and how many there are, are what it is worth.
  const tableCell = (value: string | null, text: SafeText): SafeText =>
    column.shape === 'number' && value !== null ? numberWithin(value, valueCells) : text;
  const row = (texts: { readonly value: typeof title; readonly count: typeof title; readonly share: typeof title }) =>
    safeText`${fitCells(truncateMiddle(texts.value, valueCells), valueCells, align)}  ${fitCells(texts.count, countCells, 'right')}  ${fitCells(texts.share, shareCells, 'right')}`;
  return [
    headLine(
      [span(safeText`  `), span(row({ value: title, count: safeText`count`, share: safeText`share` }), 'quiet')],
      cells,
    ),
    ...shown.map(({ value, text, count, share, of }, index): Line => {
      const isSelected = over.top + index === over.row;
      const drawn = [
        span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
        span(row({ value: tableCell(value, text), count, share }), isSelected ? 'selected' : 'plain'),
        span(safeText`  `),
        span(sanitize(barCells < LEAST_BAR ? '' : bar(of, most, barCells)), 'accent'),
      ];
      return isSelected ? selectedLine(drawn, cells, shared) : drawn;
    }),
  ];
}

const GUTTER = 2;
const BETWEEN = 2;
const LEAST_VALUE = 8;
const LEAST_BAR = 6;
const MOST_BAR = 40;

/** `1-17 of 812`, `1-17 of the top 1 000 of 22 900` */
export function countedPlace({ counts, top }: CountsView, { area }: ScreenContext): string {
  if (counts === null) return 'counting';
  const count = counts.values.length;
  const last = Math.min(count, top + countsRows(area));
  const of =
    counts.distinct > count ? `the top ${countText(count)} of ${countText(counts.distinct)}` : countText(count);
  return count === 0 ? 'no values' : `${countText(top + 1)}-${countText(last)} of ${of}`;
}
