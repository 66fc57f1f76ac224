import { bar } from '../../insight/bar.ts';
import { countOf } from '../../insight/count-of.ts';
import { type Filter, isInForce } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import { isByDay } from '../../resources/tally.ts';
import { countedColumn } from '../../session/model/counted-columns.ts';
import { type FrequencyView, frequencyCount } from '../../session/model/frequency.ts';
import {
  type FrequencyTable,
  frequencyPlaces,
  frequencyTable,
  scopeText,
} from '../../session/model/frequency-lines.ts';
import type { SessionState } from '../../session/model/state.ts';
import { joinSafe, type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, truncateMiddle } from '../../text/width.ts';
import { BLANK, cutLine, type Line, line, span, textLine } from '../line.ts';
import { shownValue } from './filter-value.ts';

/** How often the values of a column occur, a line each with a bar; above them what amounts come to. */
export function drawFrequency(state: SessionState, view: FrequencyView): readonly Line[] {
  const { columns: cells } = state.screen;
  const table = frequencyTable(state, view);
  if (view.status === 'counting' || table === undefined) return drawCounting(view);
  const { sums, height } = frequencyPlaces(state, view);
  const above = sums.map(text => line(safeText` ${truncateEnd(text, cells - 2)}`, 'strong'));
  if (frequencyCount(view) === 0)
    return [...above, BLANK, textLine('  there is nothing to count in these rows', 'strong')];
  const widths = fitted(table.columns, cells - GUTTER);
  const titles = table.columns.map(({ title }) => title);
  return [
    ...above,
    [span(safeText`  `), ...drawCells(titles, table.columns, widths).map(text => span(text, 'quiet'))],
    ...table.linesFrom(view.top, view.top + height).map((item, index): Line => {
      const isSelected = view.top + index === view.row;
      const drawn = drawCells(item.cells, table.columns, widths).map((text, place) =>
        span(text, isSelected && place === 0 ? 'selected' : 'plain'),
      );
      const room = Math.min(MOST_BAR, cells - GUTTER - widths.reduce((sum, width) => sum + width + BETWEEN, 0));
      const shown = item.bar === null || room < LEAST_BAR ? '' : bar(item.bar.part, item.bar.of, room);
      return [span(isSelected ? safeText`> ` : safeText`  `, 'selected'), ...drawn, span(sanitize(shown), 'accent')];
    }),
  ];
}

const GUTTER = 2;
const BETWEEN = 2;
const LEAST_BAR = 3;
const GOOD_BAR = 10;
const MOST_BAR = 40;

function drawCounting(view: FrequencyView): readonly Line[] {
  // What takes no time is not announced.
  if (view.status !== 'counting' || view.rowsCounted === 0) return [];
  const rows = countOf(view.rowsCounted, 'row');
  return [BLANK, textLine(`  counting: ${rows} of ${countOf(view.scope.rows, 'row')} ...  Esc stops`, 'quiet')];
}

/** The first column gives way: the figures are what it is about. */
function fitted(columns: FrequencyTable['columns'], room: number): readonly number[] {
  const [first, ...others] = columns.map(({ cells }) => cells);
  if (first === undefined) return [];
  const figures = others.reduce((sum, cells) => sum + cells + BETWEEN, 0);
  const left = room - BETWEEN - figures;
  return [
    Math.max(LEAST_VALUE, Math.min(first, left - GOOD_BAR - BETWEEN, MOST_VALUE), Math.min(first, LEAST_WANTED, left)),
    ...others,
  ];
}

const LEAST_VALUE = 6;
const LEAST_WANTED = 24;
const MOST_VALUE = 66;

function drawCells(
  cells: readonly SafeText[],
  columns: FrequencyTable['columns'],
  widths: readonly number[],
): readonly SafeText[] {
  return columns.map(({ align }, index) => {
    const text = cells[index] ?? safeText``;
    const width = widths[index] ?? 0;
    return safeText`${fitCells(index === 0 ? truncateMiddle(text, width) : text, width, align)}  `;
  });
}

/** What was counted, of which rows, and what narrows them. */
export function drawCounted(state: SessionState, view: FrequencyView): Line {
  const column = countedColumn(state, view);
  const filters = state.browsers[view.resource]?.page?.request.filters ?? {};
  const inForce = (resourceById(view.resource)?.filters ?? []).filter(({ name }) => isInForce(filters, name));
  const valuesOf = (filter: Filter) =>
    (filters[filter.name] ?? []).map(value => shownValue(state.directory, filter, value));
  const values =
    view.status === 'counting' ? '' : countOf(frequencyCount(view), view.shows === 'values' ? 'value' : 'asset');
  return cutLine(
    [
      span(view.shows === 'values' ? safeText` frequency  ` : safeText` sums  `, 'strong'),
      span(sanitize(column?.title ?? view.column), 'accent'),
      span(sanitize(column !== undefined && isByDay(column) ? ' by day, UTC  ' : '  '), 'quiet'),
      span(sanitize(`${values}  ${scopeText(view.scope)}  `)),
      ...(view.scope.find === '' ? [] : textLine(`find "${truncateEnd(sanitize(view.scope.find), 20)}"  `, 'accent')),
      ...inForce.flatMap(filter => [
        span(sanitize(`${filter.title} `), 'quiet'),
        span(safeText`${joinSafe(valuesOf(filter), safeText` `)}  `, 'accent'),
      ]),
    ],
    state.screen.columns,
  );
}
