import type { Measure, TableLook, ViewerColumn, ViewerTable } from '../../answers/index.ts';
import { layoutOf } from '../model/layout.ts';
import type { SessionState } from '../model/state.ts';
import { AS_IN_FILE, newView, type OpenTable } from '../model/viewer.ts';
import type { ViewerChoice } from '../model/viewer-action.ts';
import { stepFor } from '../model/viewer-chart.ts';
import { drawnColumns } from '../model/viewer-order.ts';
import { askAgain, askOfExport, askOfParty, openFiles } from './ask-export.ts';
import { withNotice } from './transitions.ts';
import { tableHere, withView, withViewWish } from './viewer-state.ts';

/** What was chosen for tables that are looked at. */
export function chooseInViewer(state: SessionState, choice: ViewerChoice): SessionState {
  if (choice.kind === 'open') return openFiles(state, choice.files);
  if (choice.kind === 'ask') return askOfExport(state, choice.question, choice.party);
  if (choice.kind === 'ask-party') return askOfParty(state, choice.party);
  if (choice.kind === 'ask-again') return askAgain(state, choice);
  const open = tableHere(state);
  if (open === undefined) return withNotice(state, 'no table is open here');
  switch (choice.kind) {
    case 'table': {
      const { files } = open;
      const table = files.tables[choice.table];
      if (table === undefined) return state;
      return withViewWish(state, open, (_, ticket) => newView(choice.table, ticket, table));
    }
    case 'sort':
      return withLook(state, open, { ...open.view.shown.look, sort: nextSort(open, choice) });
    case 'filter':
      return filterBy(state, open, choice);
    case 'find':
      return findFrom(state, open, { text: choice.text, direction: 1, isOnward: false });
    case 'count':
      return withViewWish(state, open, (view, ticket) => ({
        ...view,
        over: { kind: 'counts', column: choice.column, row: 0, top: 0, answer: { ticket } },
      }));
    case 'chart':
      return openChart(state, open, choice);
  }
}

type SortChoice = Extract<ViewerChoice, { readonly kind: 'sort' }>;

// The same column again turns the order round. Of numbers the largest are looked for.
function nextSort({ view, table }: OpenTable, { column, isDescending }: SortChoice): TableLook['sort'] {
  if (column === '') return null;
  const { sort } = view.shown.look;
  const isNumber = table.columns.find(({ name }) => name === column)?.shape === 'number';
  const next = sort?.column === column ? !sort.isDescending : isNumber;
  return { column, isDescending: isDescending ?? next };
}

/** Wishes for the rows of another look; until they are there, those of the last one are shown. */
export function withLook(state: SessionState, open: OpenTable, look: TableLook): SessionState {
  const { table } = open;
  if (look.filters.length === 0 && look.sort === null)
    return withViewWish(state, open, (view, ticket) => ({
      ...shownAnew(view, ticket, AS_IN_FILE),
      shown: { ticket, look: AS_IN_FILE, count: table.rows },
    }));
  return withViewWish(state, open, (view, ticket) => ({
    ...view,
    over: null,
    finding: null,
    arranging: { ticket, look },
  }));
}

/** The view from the first of other rows. */
export const shownAnew = (view: OpenTable['view'], ticket: number, look: TableLook): OpenTable['view'] => ({
  ...view,
  arranging: null,
  finding: null,
  hasJustCome: false,
  loaded: null,
  over: null,
  shown: { ...view.shown, ticket, look },
  row: 0,
  top: 0,
});

type FilterChoice = Extract<ViewerChoice, { readonly kind: 'filter' }>;

function filterBy(state: SessionState, open: OpenTable, { column, value }: FilterChoice): SessionState {
  const { look } = open.view.shown;
  const others = look.filters.filter(filter => filter.column !== column);
  return withLook(state, open, { ...look, filters: [...others, { column, value }] });
}

export interface FindWish {
  readonly text: string;
  readonly direction: 1 | -1;
  /** Not the row that is selected, but the next one. */
  readonly isOnward: boolean;
}

/** Looks for a text from the selected row on, in all rows shown. */
export function findFrom(state: SessionState, open: OpenTable, wish: FindWish): SessionState {
  const text = wish.text.trim();
  const { view } = open;
  if (text === '') return withView(state, open, { ...view, find: '', finding: null });
  const { count } = view.shown;
  if (count === 0) return withNotice(state, 'there are no rows to find in');
  const from = wish.isOnward ? (view.row + wish.direction + count) % count : view.row;
  return withViewWish(state, open, (found, ticket) => ({
    ...found,
    over: null,
    find: text,
    finding: { ticket, from, direction: wish.direction, done: 0 },
  }));
}

/** Columns that can be drawn over time, what is wanted first before the others. */
export const chartable = ({ columns, firstMs }: Pick<ViewerTable, 'columns' | 'firstMs'>): readonly ViewerColumn[] =>
  firstMs === null ? [] : drawnColumns(columns).filter(({ shape }) => shape === 'number');

/** What is usually asked of a column: what moved adds up, what stands or is a price does not. */
export const usualMeasure = ({ name }: ViewerColumn): Measure =>
  /balance|price|position|amount_at|level|open_interest|target_stake/.test(name) ? 'last' : 'sum';

interface ChartChoice {
  readonly column: string;
  readonly measure: Measure;
}

export function openChart(state: SessionState, open: OpenTable, { column, measure }: ChartChoice): SessionState {
  const stepMs = chartStep(state, open);
  if (stepMs === undefined) return withNotice(state, 'this table has no times to draw it by');
  return withViewWish(state, open, (view, ticket) => ({
    ...view,
    over: { kind: 'chart', column, measure, stepMs, at: 0, answer: { ticket } },
  }));
}

/** Cells of a chart that its labels take, at most. */
const LABELS = 28;

/** The stretch of time of each bar, so that all of them have room. */
export function chartStep(state: SessionState, { table }: OpenTable): number | undefined {
  const { firstMs, lastMs } = table;
  if (firstMs === null || lastMs === null) return undefined;
  return stepFor(firstMs, lastMs, Math.max(8, state.screen.columns - LABELS));
}

/** How many lines are below each other over a table: of values that were counted. */
export const countsRows = (state: SessionState): number => Math.max(1, layoutOf(state).bodyRows - 2);
