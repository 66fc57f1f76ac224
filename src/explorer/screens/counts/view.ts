import { EMPTY, safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { bar } from '../../../chain/insight/bar.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { searchLabel } from '../../../chain/resources/record-search.ts';
import type { Counts } from '../../core/counts.ts';
import { BLANK, type Line, line, type ScreenRow, span, textLine, toScreenRows } from '../../core/line.ts';
import { linesRangeText, listLines } from '../../core/list.ts';
import { type RuleParts, ruleTitle } from '../../core/rule.ts';
import type { ScreenContext } from '../../core/screen.ts';
import { type FittedTable, GAPS, tableHead, tableRow } from '../../core/table.ts';
import { type CountsLine, type CountsTable, countsLayout, countsTable, figureWithin, scopeText } from './lines.ts';
import { countLines, type ShownCounts } from './state.ts';

/** How often the values of a column occur, a line each with a bar; above them the sums of amounts. */
export function drawShownCounts(counts: ShownCounts, context: ScreenContext): readonly ScreenRow[] {
  const { columns: cells } = context.area;
  const table = countsTable(counts, context.shared);
  if (table === undefined) return toScreenRows(drawCounting(counts));
  const places = countsLayout(counts, context);
  const above = places.above.map(text => line(safeText` ${text}`, 'strong'));
  if (countLines(counts) === 0)
    return toScreenRows([...above, BLANK, textLine('  there is nothing to count in these rows', 'strong')]);
  const fitted = fittedTable(table.columns, cells, counts.opening.column.isNumber);
  return toScreenRows([
    ...above,
    tableHead(fitted, cells),
    ...listLines(table.linesFrom(counts.top, counts.top + places.height), counts, context, (item, isSelected) =>
      tableRow(fitted, item, isSelected),
    ),
  ]);
}

type CountsColumns = CountsTable['columns'];

/** The columns, and the room they leave for bars. */
function fittedTable(columns: CountsColumns, cells: number, isNumber: boolean): FittedTable<CountsLine> {
  const widths = fittedWidths(columns, cells - GUTTER);
  const room = Math.min(MAX_BAR_CELLS, cells - GUTTER - widths.reduce((sum, width) => sum + width + BETWEEN, 0));
  const figures = columns.map(({ title, align }, place) => ({
    cells: widths[place] ?? 0,
    column: {
      ...{ title, align, isName: place === 0 },
      cell: (item: CountsLine, width: number): Line => {
        const text = item.cells[place] ?? EMPTY;
        return line(place === 0 && !isNumber ? truncateMiddle(text, width) : figureWithin(text, width));
      },
    },
  }));
  const drawBar = ({ bar: of }: CountsLine): Line =>
    of === null ? BLANK : textLine(bar(of.part, of.of, room), 'accent');
  return {
    ...GAPS,
    fitted: room < MIN_BAR_CELLS ? figures : [...figures, { cells: room, column: { title: '', cell: drawBar } }],
  };
}

const { margin: GUTTER, gap: BETWEEN } = GAPS;
const MIN_BAR_CELLS = 3;
const GOOD_BAR = 10;
const MAX_BAR_CELLS = 40;

function drawCounting(counts: ShownCounts): readonly Line[] {
  // What takes no time is not announced.
  return counts.rowsCounted === 0 ? [] : [BLANK, textLine(`  ${countingText(counts)} ...  Esc stops`, 'quiet')];
}

/** The current step of counting, and its progress if known. */
export function countingText({ opening: { scope }, rowsCounted }: ShownCounts): string {
  return scope === null ? 'counting all rows' : `counting: ${countText(rowsCounted)} of ${countOf(scope.rows, 'row')}`;
}

/** The first column is cut first: the figures matter more. */
function fittedWidths(columns: CountsColumns, room: number): readonly number[] {
  const [first, ...whole] = columns.map(({ cells }) => cells);
  if (first === undefined) return [];
  const others = narrowWidest(whole, room - BETWEEN - MIN_VALUE_CELLS);
  const figures = others.reduce((sum, cells) => sum + cells + BETWEEN, 0);
  const left = room - BETWEEN - figures;
  return [
    Math.max(
      MIN_VALUE_CELLS,
      Math.min(first, left - GOOD_BAR - BETWEEN, MAX_VALUE_CELLS),
      Math.min(first, PREFERRED_VALUE_CELLS, left),
    ),
    ...others,
  ];
}

/** The widest columns become narrower until all have room. */
function narrowWidest(widths: readonly number[], room: number): readonly number[] {
  let most = Math.max(0, ...widths);
  const within = (): readonly number[] => widths.map(width => Math.min(width, most));
  while (most > MIN_FIGURE_CELLS && within().reduce((sum, width) => sum + width + BETWEEN, 0) > room) most--;
  return within();
}

const MIN_FIGURE_CELLS = 8;
const MIN_VALUE_CELLS = 6;
const PREFERRED_VALUE_CELLS = 24;
const MAX_VALUE_CELLS = 66;

/** The counted column, the rows counted, and their filters. */
export function countsHead(shown: ShownCounts, { shared }: ScreenContext): RuleParts {
  const { opening, counts } = shown;
  const { column, shows, scope } = opening;
  const found = counts === null ? '' : shows === 'values' ? countOf(counts.distinct, 'value') : assetsOf(counts);
  const find = scope?.find ?? '';
  return [
    ruleTitle(shows === 'values' ? 'Frequency' : 'Sums'),
    [span(sanitize(column.title), 'accent'), span(sanitize(column.isByDay ? ' by day, UTC' : ''), 'quiet')],
    textLine([found, rowsText(shown)].filter(text => text !== '').join(' ')),
    ...(find === '' ? [] : [textLine(searchLabel(find, 20), 'accent')]),
    ...opening.narrowing(shared).map(({ title, text }) => [span(sanitize(`${title} `), 'quiet'), span(text, 'accent')]),
  ];
}

const assetsOf = ({ sums }: Counts): string => countOf(sums.length, 'asset');

function rowsText({ opening: { scope }, counts }: ShownCounts): string {
  if (scope !== null) return scopeText(scope);
  return counts === null ? '' : `of all ${countOf(counts.rows, 'row')}`;
}

/** `1-17 of 812`, `1-17 of the top 1 000 of 22 900` */
export function countsPosition(shown: ShownCounts, context: ScreenContext): string {
  const { counts, opening } = shown;
  if (counts === null) return 'counting';
  const count = countLines(shown);
  if (count === 0) return `no ${opening.shows}`;
  const place = linesRangeText(shown, count, countsLayout(shown, context).height);
  const isCut = opening.shows === 'values' && counts.distinct > count;
  return isCut ? place.replace(' of ', ' of the top ').concat(` of ${countText(counts.distinct)}`) : place;
}
