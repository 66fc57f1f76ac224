import { bar } from '../../../insight/bar.ts';
import { countOf } from '../../../insight/count-of.ts';
import { digitsWithin } from '../../../insight/decimal.ts';
import { type Filter, isInForce } from '../../../resources/filter.ts';
import { resourceById } from '../../../resources/registry.ts';
import { isByDay } from '../../../resources/tally.ts';
import { joinSafe, type SafeText, safeText, sanitize } from '../../../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle, widthCells } from '../../../text/width.ts';
import { shownValue } from '../../core/filter-words.ts';
import { asRows, BLANK, headLine, type Line, line, type ScreenRow, span, textLine } from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { type CountsTable, countsPlaces, countsTable, scopeText } from './lines.ts';
import { countLines, type ShownCounts } from './state.ts';

/** How often the values of a column occur, a line each with a bar; above them the sums of amounts. */
export function drawShownCounts(counts: ShownCounts, context: ScreenContext): readonly ScreenRow[] {
  const { columns: cells } = context.area;
  const table = countsTable(counts, context.shared);
  if (table === undefined) return asRows(drawCounting(counts));
  const { sums, height } = countsPlaces(counts, context);
  const above = sums.map(text => line(safeText` ${truncateEnd(text, cells - 2)}`, 'strong'));
  if (countLines(counts) === 0)
    return asRows([...above, BLANK, textLine('  there is nothing to count in these rows', 'strong')]);
  const widths = fitted(table.columns, cells - GUTTER);
  const titles = table.columns.map(({ title }) => title);
  return asRows([
    ...above,
    headLine([span(safeText`  `), ...drawCells(titles, table.columns, widths).map(text => span(text, 'quiet'))], cells),
    ...table.linesFrom(counts.top, counts.top + height).map((item, index): Line => {
      const isSelected = counts.top + index === counts.row;
      const drawn = drawCells(item.cells, table.columns, widths).map((text, place) =>
        span(text, isSelected && place === 0 ? 'selected' : 'plain'),
      );
      const room = Math.min(MOST_BAR, cells - GUTTER - widths.reduce((sum, width) => sum + width + BETWEEN, 0));
      const shown = item.bar === null || room < LEAST_BAR ? '' : bar(item.bar.part, item.bar.of, room);
      const mark = span(isSelected ? safeText`> ` : safeText`  `, 'selected');
      const row = [mark, ...drawn, span(sanitize(shown), 'accent')];
      return isSelected ? selectedLine(row, cells, context.shared) : row;
    }),
  ]);
}

const GUTTER = 2;
const BETWEEN = 2;
const LEAST_BAR = 3;
const GOOD_BAR = 10;
const MOST_BAR = 40;

function drawCounting({ opening, rowsCounted }: ShownCounts): readonly Line[] {
  // What takes no time is not announced.
  if (rowsCounted === 0) return [];
  const rows = countOf(rowsCounted, 'row');
  return [BLANK, textLine(`  counting: ${rows} of ${countOf(opening.scope.rows, 'row')} ...  Esc stops`, 'quiet')];
}

/** The first column is cut first: the figures matter more. */
function fitted(columns: CountsTable['columns'], room: number): readonly number[] {
  const [first, ...whole] = columns.map(({ cells }) => cells);
  if (first === undefined) return [];
  const others = narrowed(whole, room - BETWEEN - LEAST_VALUE);
  const figures = others.reduce((sum, cells) => sum + cells + BETWEEN, 0);
  const left = room - BETWEEN - figures;
  return [
    Math.max(LEAST_VALUE, Math.min(first, left - GOOD_BAR - BETWEEN, MOST_VALUE), Math.min(first, LEAST_WANTED, left)),
    ...others,
  ];
}

/** The widest columns become narrower until all have room. */
function narrowed(widths: readonly number[], room: number): readonly number[] {
  let most = Math.max(0, ...widths);
  const within = (): readonly number[] => widths.map(width => Math.min(width, most));
  while (most > LEAST_FIGURE && within().reduce((sum, width) => sum + width + BETWEEN, 0) > room) most--;
  return within();
}

const LEAST_FIGURE = 8;
const LEAST_VALUE = 6;
const LEAST_WANTED = 24;
const MOST_VALUE = 66;

function drawCells(
  cells: readonly SafeText[],
  columns: CountsTable['columns'],
  widths: readonly number[],
): readonly SafeText[] {
  return columns.map(({ align }, index) => {
    const text = cells[index] ?? safeText``;
    const width = widths[index] ?? 0;
    return safeText`${fitCells(index === 0 ? truncateMiddle(text, width) : figureWithin(text, width), width, align)}  `;
  });
}

/** A figure that has no room has fewer digits, and says so. */
const figureWithin = (text: SafeText, width: number): SafeText =>
  widthCells(text) <= width ? text : sanitize(digitsWithin(text.replaceAll(' ', ''), width));

/** What was counted, in which rows, and what narrows them. */
export function countsHead(counts: ShownCounts, { shared: { directory } }: ScreenContext): Line {
  const { resource, column, shows, scope, page } = counts.opening;
  const { filters } = page.request;
  const narrowing = (resourceById(resource)?.filters ?? []).filter(({ name }) => isInForce(filters, name));
  const valuesOf = (filter: Filter) => (filters[filter.name] ?? []).map(value => shownValue(directory, filter, value));
  const values = counts.frequency === null ? '' : countOf(countLines(counts), shows === 'values' ? 'value' : 'asset');
  return [
    span(shows === 'values' ? safeText` frequency  ` : safeText` sums  `, 'strong'),
    span(sanitize(column.title), 'accent'),
    span(sanitize(isByDay(column) ? ' by day, UTC  ' : '  '), 'quiet'),
    span(sanitize(`${values}  ${scopeText(scope)}  `)),
    ...(scope.find === '' ? [] : textLine(`find "${truncateEnd(sanitize(scope.find), 20)}"  `, 'accent')),
    ...narrowing.flatMap(filter => [
      span(sanitize(`${filter.title} `), 'quiet'),
      span(safeText`${joinSafe(valuesOf(filter), safeText` `)}  `, 'accent'),
    ]),
  ];
}

export function countsPlace(counts: ShownCounts, context: ScreenContext): string {
  if (counts.frequency === null) return 'counting';
  const count = countLines(counts);
  const last = Math.min(count, counts.top + countsPlaces(counts, context).height);
  return count === 0 ? `no ${counts.opening.shows}` : `${counts.top + 1}-${last} of ${count}`;
}
