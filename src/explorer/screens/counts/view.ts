import { EMPTY, joinSafe, type SafeText, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateEnd, truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { digitsWithin } from '../../../chain/insight/decimal.ts';
import { type Filter, isInForce } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { isByDay } from '../../../chain/resources/tally.ts';
import { shownValue } from '../../core/filter-words.ts';
import { asRows, BLANK, type Line, line, type ScreenRow, span, textLine } from '../../core/line.ts';
import { linesPlace, listLines } from '../../core/list.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { type FittedTable, GAPS, tableHead, tableRow } from '../../core/table.ts';
import { type CountsLine, type CountsTable, countsPlaces, countsTable, scopeText } from './lines.ts';
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
  const fitted = fittedTable(table.columns, cells);
  return asRows([
    ...above,
    tableHead(fitted, cells),
    ...listLines(table.linesFrom(counts.top, counts.top + height), counts, context, (item, isSelected) =>
      tableRow(fitted, item, isSelected),
    ),
  ]);
}

type CountsColumns = CountsTable['columns'];

/** The columns, and what they leave for bars. */
function fittedTable(columns: CountsColumns, cells: number): FittedTable<CountsLine> {
  const widths = fittedWidths(columns, cells - GUTTER);
  const room = Math.min(MOST_BAR, cells - GUTTER - widths.reduce((sum, width) => sum + width + BETWEEN, 0));
  const figures = columns.map(({ title, align }, place) => ({
    cells: widths[place] ?? 0,
    column: {
      ...{ title, align, isName: place === 0 },
      cell: (item: CountsLine, width: number): Line => {
        const text = item.cells[place] ?? EMPTY;
        return line(place === 0 ? truncateMiddle(text, width) : figureWithin(text, width));
      },
    },
  }));
  const drawBar = ({ bar: of }: CountsLine): Line =>
    of === null ? BLANK : textLine(bar(of.part, of.of, room), 'accent');
  return {
    ...GAPS,
    fitted: room < LEAST_BAR ? figures : [...figures, { cells: room, column: { title: '', cell: drawBar } }],
  };
}

const { margin: GUTTER, gap: BETWEEN } = GAPS;
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
function fittedWidths(columns: CountsColumns, room: number): readonly number[] {
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
  return count === 0 ? `no ${counts.opening.shows}` : linesPlace(counts, count, countsPlaces(counts, context).height);
}
