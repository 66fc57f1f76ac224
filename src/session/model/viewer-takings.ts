import type { ViewerCell } from '../../answers/index.ts';
import { ENDINGS, type Takeable } from '../../explorer/services/copying/takeable.ts';
import type { TableForm, Taking } from '../../explorer/services/copying/taking.ts';
import { countOf } from '../../insight/count-of.ts';
import type { ChartView, CountsView, OpenTable } from './viewer.ts';
import { barsOf } from './viewer-chart.ts';

/** What of tables on the disk can be saved: all rows of the look, or what is over them; a sentence where there is nothing. */
export function ofViewer(open: OpenTable | undefined): Takeable | string {
  if (open === undefined) return 'the table is not open';
  const { over, shown } = open.view;
  if (over === null) {
    if (shown.count === 0) return 'there are no rows to save';
    return takeable(countOf(shown.count, 'row'), form => viewedTaking(open, form));
  }
  const made = over.kind === 'counts' ? countsRecords(over) : chartRecords(open, over);
  if (made === undefined) return 'the rows are being counted';
  return takeable(countOf(made.records.length, 'line'), form => ({ kind: 'records', form, ...made }));
}

const takeable = (what: string, made: (form: TableForm) => Taking): Takeable => ({
  what,
  endings: ENDINGS,
  taking: ending => (ending === 'txt' ? { kind: 'screen' } : made(ending)),
});

/** All rows of the look, as the file has them. */
export const viewedTaking = ({ viewer, view, table }: OpenTable, form: TableForm): Taking => ({
  kind: 'viewed',
  form,
  viewer: viewer.ticket,
  looked: { table: table.name, look: view.shown.look },
  head: table.columns.map(({ name }) => name),
});

interface Records {
  readonly head: readonly string[];
  readonly records: readonly (readonly ViewerCell[])[];
}

/** Undefined while they are counted. */
export function countsRecords({ column, answer }: CountsView): Records | undefined {
  if (!('counts' in answer)) return undefined;
  return {
    head: [column, 'count'],
    records: answer.counts.values.map(({ value, count }) => [value, String(count)]),
  };
}

/** A line for each stretch of time; one without rows has no value. Undefined while they are worked out. */
export function chartRecords({ table }: OpenTable, over: ChartView): Records | undefined {
  const { firstMs, lastMs } = table;
  if (!('points' in over.answer) || firstMs === null || lastMs === null) return undefined;
  const { stepMs, column, measure } = over;
  const begin = Math.floor(firstMs / stepMs);
  return {
    head: ['from', `${column} ${measure}`],
    records: barsOf(over.answer.points, { firstMs, lastMs, stepMs }).map((bar, index) => [
      new Date((begin + index) * stepMs).toISOString(),
      bar.kind === 'value' ? bar.value : null,
    ]),
  };
}

/** How a file of it is called. */
export function viewedName(open: OpenTable | undefined): readonly string[] {
  if (open === undefined) return ['table'];
  const { over, shown } = open.view;
  const parts =
    over === null ? shown.look.filters.map(({ value }) => (value ?? 'NULL').slice(0, 24)) : [over.column, over.kind];
  return [open.table.name, ...parts];
}
