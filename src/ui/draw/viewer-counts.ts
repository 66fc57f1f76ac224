import type { ValueCounts, ViewerColumn } from '../../answers/index.ts';
import { BLANK, type Line, line, span, textLine } from '../../explorer/core/line.ts';
import { bar } from '../../insight/bar.ts';
import { countOf, countText } from '../../insight/count-of.ts';
import { groupDigits } from '../../insight/decimal.ts';
import { shareShown } from '../../insight/paid-fees.ts';
import type { SessionState } from '../../session/model/state.ts';
import type { CountsView, OpenTable } from '../../session/model/viewer.ts';
import { numberWithin, viewedText } from '../../session/model/viewer-cells.ts';
import { alignOf } from '../../session/model/viewer-columns.ts';
import { mixedIn } from '../../session/model/viewer-mixed.ts';
import { countsRows } from '../../session/reduce/viewer-look.ts';
import { type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../../text/width.ts';

/** How often the values of a column occur, a line each with a bar; above them what its numbers come to. */
export function drawCounts(state: SessionState, open: OpenTable, over: CountsView): readonly Line[] {
  const column = open.table.columns.find(({ name }) => name === over.column);
  if (column === undefined) return [];
  if (!('counts' in over.answer))
    return [BLANK, textLine(`  counting the values of ${column.name} ...  Esc stops`, 'quiet')];
  const { counts } = over.answer;
  const { columns: cells } = state.screen;
  return [
    line(safeText` ${aboveText(counts, { column, mixed: mixedIn(open, column.name), room: cells - 2 })}`, 'strong'),
    ...valueLines(state, over, { counts, column }),
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
  const of = sums.count < rows ? ` of ${countOf(sums.count, 'row')}` : '';
  const begin = mixed === undefined ? 'sum' : `sum of whatever ${mixed}`;
  const sum = `${begin} ${groupDigits(sums.sum)}${of}`;
  const figures = `${sum}  least ${groupDigits(sums.least)}  largest ${groupDigits(sums.largest)}`;
  const ways = [
    `${figures}  ${all}${unit === '' ? '' : `  in ${unit}`}`,
    `${figures}  ${all}`,
    `${figures}  ${counted}`,
    figures,
    sum,
  ];
  return fitting(ways, room) ?? safeText`${sanitize(begin)} ${numberWithin(sums.sum, room - begin.length - 1)}`;
}

const fitting = (ways: readonly string[], room: number): SafeText | undefined =>
  ways.map(way => sanitize(way)).find(text => widthCells(text) <= room);

interface Counted {
  readonly counts: ValueCounts;
  readonly column: ViewerColumn;
}

function valueLines(state: SessionState, over: CountsView, { counts, column }: Counted): readonly Line[] {
  const { columns: cells } = state.screen;
  const shown = counts.values.slice(over.top, over.top + countsRows(state)).map(({ value, count }) => ({
    value,
    text: viewedText(column, value, state.directory),
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
  const cellText = (value: string | null, text: SafeText): SafeText =>
    column.shape === 'number' && value !== null ? numberWithin(value, valueCells) : text;
  const row = (texts: { readonly value: typeof title; readonly count: typeof title; readonly share: typeof title }) =>
    safeText`${fitCells(truncateMiddle(texts.value, valueCells), valueCells, align)}  ${fitCells(texts.count, countCells, 'right')}  ${fitCells(texts.share, shareCells, 'right')}`;
  return [
    [span(safeText`  `), span(row({ value: title, count: safeText`count`, share: safeText`share` }), 'quiet')],
    ...shown.map(({ value, text, count, share, of }, index): Line => {
      const isSelected = over.top + index === over.row;
      return [
        span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
        span(row({ value: cellText(value, text), count, share }), isSelected ? 'selected' : 'plain'),
        span(safeText`  `),
        span(sanitize(barCells < LEAST_BAR ? '' : bar(of, most, barCells)), 'accent'),
      ];
    }),
  ];
}

const GUTTER = 2;
const BETWEEN = 2;
const LEAST_VALUE = 8;
const LEAST_BAR = 6;
const MOST_BAR = 40;

/** `1-17 of 812`, of values or of bars. */
export function countedPlace(state: SessionState, { view }: OpenTable): string {
  const { over } = view;
  if (over === null) return '';
  if (over.kind === 'chart') return 'points' in over.answer ? '' : 'working it out';
  if (!('counts' in over.answer)) return 'counting';
  const count = over.answer.counts.values.length;
  const last = Math.min(count, over.top + countsRows(state));
  return count === 0 ? 'no values' : `${countText(over.top + 1)}-${countText(last)} of ${countText(count)}`;
}
