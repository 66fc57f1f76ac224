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
import { type FittedTable, fitTable, type SteppedColumn, tableHead, tableRow } from '../../core/table.ts';
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
  const fitted = fittedCounts(table.columns, cells, counts.opening.column.isNumber);
  return toScreenRows([
    ...above,
    tableHead(fitted, cells),
    ...listLines(table.linesFrom(counts.top, counts.top + places.height), counts, context, (item, isSelected) =>
      tableRow(fitted, item, isSelected),
    ),
  ]);
}

type CountsColumns = CountsTable['columns'];

/** The figures matter most: the values are cut before them, and the bars have what is left. */
function fittedCounts(columns: CountsColumns, screen: number, isNumber: boolean): FittedTable<CountsLine> {
  const figures = columns.map(({ title, align, cells: all }, place): SteppedColumn<CountsLine> => {
    const upTo = (most: number): number => Math.min(all, most);
    const [least, usual, most] = [upTo(VALUE_CELLS.least), upTo(VALUE_CELLS.usual), upTo(VALUE_CELLS.most)];
    return {
      ...{ title, align, isName: place === 0 },
      steps: place === 0 ? [least, least, usual, usual, most] : [upTo(MIN_FIGURE_CELLS), all],
      cell: ({ cells }, width) => {
        const text = cells[place] ?? EMPTY;
        return line(place === 0 && !isNumber ? truncateMiddle(text, width) : figureWithin(text, width));
      },
    };
  });
  const { least, usual, most } = BAR_CELLS;
  const bars: SteppedColumn<CountsLine> = {
    ...{ title: '', yields: 1, yieldsAt: 2 },
    steps: [least, least, least, usual, usual, most],
    cell: ({ bar: of }, cells) => (of === null ? BLANK : textLine(bar(of.part, of.of, cells), 'accent')),
  };
  return fitTable([...figures, bars], screen);
}

const VALUE_CELLS = { least: 6, usual: 24, most: 66 };
const BAR_CELLS = { least: 3, usual: 12, most: 40 };
const MIN_FIGURE_CELLS = 8;

function drawCounting(counts: ShownCounts): readonly Line[] {
  // What takes no time is not announced.
  return counts.rowsCounted === 0 ? [] : [BLANK, textLine(`  ${countingText(counts)} ...  Esc stops`, 'quiet')];
}

/** The current step of counting, and its progress if known. */
export function countingText({ opening: { scope }, rowsCounted }: ShownCounts): string {
  return scope === null ? 'counting all rows' : `counting: ${countText(rowsCounted)} of ${countOf(scope.rows, 'row')}`;
}

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
