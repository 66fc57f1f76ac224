import type { ChartPoint, Measure, ViewerColumn, ViewerTable } from '../../../answers/index.ts';
import { MIN_BAR_CELLS } from '../../core/bar-chart.ts';
import type { ScreenContext, Step } from '../../core/screen.ts';
import { barStepMs, chartBars } from './bars.ts';
import { drawnColumns } from './column-order.ts';
import { mixedUnitsOf } from './mixed-units.ts';
import type { ChartView, OpenTable, Viewer } from './state.ts';
import { viewerNotice, withRequestId, withView } from './steps.ts';

/** Columns that can be drawn over time, in the order of the table. */
export const chartableColumns = ({
  columns,
  firstMs,
}: Pick<ViewerTable, 'columns' | 'firstMs'>): readonly ViewerColumn[] =>
  firstMs === null ? [] : drawnColumns(columns).filter(({ shape }) => shape === 'number');

/** What moved adds up; a level or a price does not. */
export const defaultMeasure = ({ name, isSummable }: ViewerColumn): Measure =>
  isSummable !== true || /balance|price|position|amount_at|level|open_interest|target_stake/.test(name)
    ? 'last'
    : 'sum';

type ChartChoice = Pick<ChartView, 'column' | 'measure'>;

/** What a chart of a column can show, in the order of the key. */
export const measuresOf = ({ table }: OpenTable, name: string): readonly Measure[] =>
  table.columns.find(column => column.name === name)?.isSummable === true
    ? MEASURES
    : MEASURES.filter(measure => measure !== 'sum');

const MEASURES: readonly Measure[] = ['sum', 'last', 'largest', 'least', 'rows'];

/** Of numbers that may be of several assets there is a chart of how many rows they have. */
export function openChart(known: OpenTable, { column, ...wanted }: ChartChoice, context: ScreenContext): Step<Viewer> {
  const stepMs = chartStep(known, context);
  if (stepMs === undefined) return viewerNotice(known.viewer, 'this table has no times to draw it by');
  const measure = mixedUnitsOf(known, column) === undefined ? wanted.measure : 'rows';
  return withRequestId(known, id => ({
    ...known.view,
    over: { id, column, measure, stepMs, at: 0, points: null },
  }));
}

/** Cells of a chart that its labels take, at most. */
const LABELS = 28;

/** The range of time of a bar, so that all bars have room, and a gap between them. */
export function chartStep({ table }: OpenTable, { area }: ScreenContext): number | undefined {
  const { firstMs, lastMs } = table;
  if (firstMs === null || lastMs === null) return undefined;
  return barStepMs(firstMs, lastMs, Math.max(8, Math.floor((area.columns - LABELS) / MIN_BAR_CELLS)));
}

export function receivePoints(known: OpenTable, points: readonly ChartPoint[]): Step<Viewer> {
  const { view, viewer } = known;
  if (view.over === null) return { state: viewer };
  const over = { ...view.over, points };
  const at = Math.max(
    0,
    chartBars(known, over).findLastIndex(({ kind }) => kind === 'value'),
  );
  return withView(known, { ...view, over: { ...over, at } });
}
