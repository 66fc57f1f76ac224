import type {
  ChartPoint,
  FoundAt,
  Measure,
  ReadyQuestion,
  TableLook,
  ValueCounts,
  ViewerCell,
  ViewerColumn,
  ViewerRow,
  ViewerTable,
  ViewerTables,
} from '../../../answers/index.ts';
import { countOf, countText } from '../../../insight/count-of.ts';
import type { Notice } from '../../core/action.ts';
import { type MoveAction, moved } from '../../core/moving.ts';
import type { Message, ScreenContext, Step } from '../../core/screen.ts';
import { select } from '../../core/window.ts';
import { open, type PromptOpening } from '../../openings.ts';
import { NO_PARTY, partyTyped } from '../../services/names/party.ts';
import type { AnswerRequest, OpeningProgress } from '../../services/tables.ts';
import { chartBars, MEASURES, stepFor } from './bars.ts';
import { rowLines } from './cells.ts';
import { placedColumns, withWidths } from './columns.ts';
import { drawnColumns, drawnOrder } from './order.ts';
import {
  AS_IN_FILE,
  atWork,
  type ChartView,
  type CountsView,
  countsRows,
  newView,
  type OpenTable,
  openTableOf,
  overOf,
  rowAt,
  spanWanted,
  type TableView,
  type Viewer,
  type ViewerFiles,
  viewerRows,
  waitedSeconds,
} from './state.ts';

export type ViewerEvent = KeyEvent | ChoiceEvent | EffectEvent;

type KeyEvent =
  | { readonly type: 'open-again' | 'back' | 'type-find' }
  | { readonly type: 'inspect' | 'all-rows' | 'rows-of-value' | 'next-measure' }
  | { readonly type: 'scroll-columns' | 'step-bar' | 'find-next'; readonly direction: 1 | -1 }
  /** What was pointed at. */
  | { readonly type: 'select'; readonly row: number };

/** Chosen from a menu or the command line. */
type ChoiceEvent =
  | { readonly type: 'table'; readonly table: number }
  /** Without an order: the opposite of the present one, or the usual one of the column. '' is the order of the file. */
  | { readonly type: 'sort'; readonly column: string; readonly isDescending?: boolean }
  | { readonly type: 'filter'; readonly column: string; readonly value: ViewerCell }
  | { readonly type: 'find'; readonly text: string }
  | { readonly type: 'count'; readonly column: string }
  | { readonly type: 'chart'; readonly column: string; readonly measure: Measure }
  | { readonly type: 'ask'; readonly question: ReadyQuestion }
  | { readonly type: 'ask-party'; readonly question: ReadyQuestion; readonly party: string }
  | { readonly type: 'type-range' }
  /** The same question for another range, or with reasons apart; '' is the range that was exported. */
  | { readonly type: 'ask-again'; readonly range?: string; readonly isSplit?: boolean };

/** What the effects report. */
export type EffectEvent =
  | { readonly type: 'opening'; readonly progress: OpeningProgress }
  | { readonly type: 'opened'; readonly tables: ViewerTables }
  | { readonly type: 'not-opened'; readonly problem: string; readonly hint: string }
  | { readonly type: 'rows'; readonly from: number; readonly rows: readonly ViewerRow[] }
  | { readonly type: 'no-rows'; readonly problem: string }
  | { readonly type: 'arranged'; readonly count: number }
  | { readonly type: 'finding'; readonly done: number }
  | { readonly type: 'found'; readonly at: FoundAt | null }
  | { readonly type: 'counted'; readonly counts: ValueCounts }
  | { readonly type: 'charted'; readonly points: readonly ChartPoint[] }
  /** Another second has passed. */
  | { readonly type: 'waited' }
  /** The rows stay as they are. */
  | { readonly type: 'failed'; readonly of: 'rows' | 'values'; readonly problem: string };

export function update(viewer: Viewer, event: ViewerEvent, context: ScreenContext): Step<Viewer> {
  switch (event.type) {
    case 'open-again':
      return openedAgain(viewer, viewer.opening.question);
    case 'ask-again':
      return askAgain(viewer, event);
    case 'opening':
      return withFiles(viewer, { status: 'opening', progress: event.progress });
    case 'opened':
      return opened(viewer, event.tables, context);
    case 'not-opened':
      return withFiles(viewer, { status: 'failed', problem: event.problem, hint: event.hint });
    case 'type-find': {
      const found = (text: string): Message => context.to({ type: 'find', text });
      return opening(viewer, { label: 'find in all rows', text: '', done: (_, text) => ({ actions: [found(text)] }) });
    }
    case 'type-range':
      return { state: viewer, messages: [{ type: 'open-prompt', id: 'command' }] };
    case 'ask':
      return ask(viewer, event.question, context);
    case 'ask-party':
      return askParty(viewer, event, context);
    case 'back': {
      const known = openTableOf(viewer);
      return known === undefined ? closed(viewer, context) : goBack(known, context);
    }
  }
  const known = openTableOf(viewer);
  return known === undefined ? said(viewer, 'no table is open here') : inTable(known, event, context);
}

type TableEvent = Exclude<
  ViewerEvent,
  | { readonly type: 'open-again' | 'back' | 'type-find' | 'type-range' | 'ask' | 'ask-party' | 'ask-again' }
  | { readonly type: 'opening' | 'opened' | 'not-opened' }
>;

function inTable(known: OpenTable, event: TableEvent, context: ScreenContext): Step<Viewer> {
  const { viewer, tables } = known;
  const opened = isKeyOverRows(known, event) ? pressed(known) : known;
  const { view } = opened;
  switch (event.type) {
    case 'scroll-columns': {
      const { hiddenLeft, hiddenRight } = placedColumns(opened, context.area.columns);
      const step = event.direction === 1 && hiddenRight === 0 ? 0 : event.direction;
      return withView(opened, { ...view, left: Math.max(0, hiddenLeft + step) });
    }
    case 'inspect':
      return inspectRow(opened, context);
    case 'find-next':
      return findFrom(opened, { text: view.find, direction: event.direction, isOnward: true });
    case 'all-rows':
      return withLook(opened, AS_IN_FILE);
    case 'select':
      return withView(opened, selected(view, event.row));
    case 'rows-of-value':
      return rowsOfValue(opened);
    case 'next-measure': {
      if (view.over?.kind !== 'chart') return { state: viewer };
      const { column, measure } = view.over;
      const next = MEASURES[(MEASURES.indexOf(measure) + 1) % MEASURES.length] ?? 'sum';
      return openChart(opened, { column, measure: next }, context);
    }
    case 'step-bar': {
      if (view.over?.kind !== 'chart') return { state: viewer };
      const at = Math.max(0, Math.min(view.over.at + event.direction, chartBars(opened, view.over).length - 1));
      return withView(opened, { ...view, over: { ...view.over, at } });
    }
    case 'table': {
      const table = tables.tables[event.table];
      return table === undefined ? { state: viewer } : withView(opened, newView(event.table, table, view.requests));
    }
    case 'sort':
      return withLook(opened, { ...view.shown.look, sort: nextSort(opened, event) });
    case 'filter':
      return filterBy(opened, event);
    case 'find':
      return findFrom(opened, { text: event.text, direction: 1, isOnward: false });
    case 'count': {
      const { column } = event;
      const counting = (id: number) => ({ kind: 'counts', id, column, row: 0, top: 0, counts: null }) as const;
      return withRequest(opened, id => ({ ...view, over: counting(id) }));
    }
    case 'chart':
      return openChart(opened, event, context);
    case 'rows':
      return withView(opened, {
        ...view,
        loaded: { from: event.from, rows: event.rows },
        widths: withWidths(opened, event.rows, context.shared.directory),
      });
    case 'no-rows':
      return withView(opened, { ...view, problem: event.problem });
    case 'arranged':
      return arranged(opened, event.count);
    case 'finding':
      return withView(opened, { ...view, finding: view.finding && { ...view.finding, done: event.done } });
    case 'found':
      return found(opened, event.at, context);
    case 'counted':
      if (view.over?.kind !== 'counts') return { state: viewer };
      return withView(opened, { ...view, over: { ...view.over, counts: event.counts } });
    case 'charted':
      return charted(opened, event.points);
    case 'waited': {
      const id = atWork(view);
      const waited = id === undefined ? null : { id, seconds: waitedSeconds(view) + 1 };
      return withView(opened, { ...view, waited });
    }
    case 'failed': {
      const over = event.of === 'values' ? null : view.over;
      const stopped = { ...view, arranging: null, finding: null, over };
      return withView(opened, stopped, [{ type: 'noticed', text: event.problem, tone: 'bad' }]);
    }
  }
}

const KEYS_OVER_ROWS: ReadonlySet<ViewerEvent['type']> = new Set([
  'scroll-columns',
  'inspect',
  'find-next',
  'all-rows',
]);

const isKeyOverRows = ({ view }: OpenTable, { type }: TableEvent): boolean =>
  view.over === null && KEYS_OVER_ROWS.has(type);

const selected = (view: TableView, row: number): TableView =>
  view.over?.kind === 'counts' ? { ...view, over: { ...view.over, row } } : { ...view, row };

/** A key was pressed over rows that had just arrived. */
const pressed = (known: OpenTable): OpenTable => ({ ...known, view: { ...known.view, hasJustCome: false } });

const said = (viewer: Viewer, text: string, tone: Notice['tone'] = 'info'): Step<Viewer> => ({
  state: viewer,
  messages: [{ type: 'noticed', text, tone }],
});

const withFiles = (viewer: Viewer, files: ViewerFiles): Step<Viewer> => ({ state: { ...viewer, files } });

function withView({ viewer, tables }: OpenTable, view: TableView, messages?: readonly Message[]) {
  const isSame = viewer.files.status === 'open' && viewer.files.view === view;
  const state: Viewer = isSame ? viewer : { ...viewer, files: { status: 'open', tables, view } };
  return messages === undefined ? { state } : { state, messages };
}

/** Like `withView`, with a new id for what the change requests. */
function withRequest(known: OpenTable, change: (id: number) => TableView): Step<Viewer> {
  const id = known.view.requests + 1;
  return withView(known, { ...change(id), requests: id });
}

/** Opens the files anew, or another answer of them. */
const openedAgain = (viewer: Viewer, question: AnswerRequest | null): Step<Viewer> => ({
  state: {
    opening: { ...viewer.opening, question },
    attempt: viewer.attempt + 1,
    files: { status: 'opening', progress: null },
  },
});

function opened(viewer: Viewer, tables: ViewerTables, context: ScreenContext): Step<Viewer> {
  const names = tables.tables.map(({ name }) => name);
  const { table: wanted = names[0] } = viewer.opening;
  const place = tables.tables.findIndex(({ name }) => name === wanted);
  const first = tables.tables[place];
  if (wanted === undefined)
    return withFiles(viewer, { status: 'failed', problem: 'there is no table in it', hint: 'Esc closes it' });
  if (first === undefined) {
    const problem = `there is no table "${wanted}" in it`;
    return withFiles(viewer, { status: 'failed', problem, hint: `there are ${names.join(', ')}` });
  }
  const state: Viewer = { ...viewer, files: { status: 'open', tables, view: newView(place, first) } };
  const { notes } = tables;
  if (notes.length === 0) return { state };
  if (viewer.opening.question === null) return said(state, notes.join('; '));
  // They stand below the rows, each in two lines or so.
  if (first.rows + 2 + 2 * notes.length <= viewerRows(context.area)) return { state };
  const copied = `y copies ${countOf(notes.length, 'note')} on what this is made of`;
  return said(state, isShown(context) ? copied : 'the answer is there, on the export tab');
}

const isShown = ({ shared }: ScreenContext): boolean => shared.tab === 'export';

/** All of the selected row. */
function inspectRow(known: OpenTable, { shared }: ScreenContext): Step<Viewer> {
  const { view, table } = known;
  const row = rowAt(view, view.row);
  if (row === undefined) return withView(known, view);
  const text = rowLines(table.columns, row, shared.directory).join('\n');
  const title = `${table.name}: row ${countText(view.row + 1)} of ${countText(view.shown.count)}`;
  return withView(known, view, [open('value', { title, text })]);
}

type SortChoice = Extract<ViewerEvent, { readonly type: 'sort' }>;

// The same column again reverses the order. Of numbers the largest come first.
function nextSort({ view, table }: OpenTable, { column, isDescending }: SortChoice): TableLook['sort'] {
  if (column === '') return null;
  const { sort } = view.shown.look;
  const isNumber = table.columns.find(({ name }) => name === column)?.shape === 'number';
  const next = sort?.column === column ? !sort.isDescending : isNumber;
  return { column, isDescending: isDescending ?? next };
}

/** Requests the rows of another look; the rows before are shown until they arrive. */
function withLook(known: OpenTable, look: TableLook): Step<Viewer> {
  const { table, view } = known;
  if (look.filters.length === 0 && look.sort === null)
    return withRequest(known, id => fromFirstRow(view, { id, look: AS_IN_FILE, count: table.rows }));
  return withRequest(known, id => ({ ...view, over: null, finding: null, arranging: { id, look } }));
}

const fromFirstRow = (view: TableView, shown: TableView['shown']): TableView => ({
  ...view,
  shown,
  arranging: null,
  finding: null,
  hasJustCome: false,
  loaded: null,
  over: null,
  row: 0,
  top: 0,
});

function filterBy(
  known: OpenTable,
  { column, value }: { readonly column: string; readonly value: ViewerCell },
): Step<Viewer> {
  const { look } = known.view.shown;
  const others = look.filters.filter(filter => filter.column !== column);
  return withLook(known, { ...look, filters: [...others, { column, value }] });
}

function rowsOfValue(known: OpenTable): Step<Viewer> {
  const { over } = known.view;
  const value = over?.kind === 'counts' ? over.counts?.values[over.row] : undefined;
  return over === null || value === undefined
    ? { state: known.viewer }
    : filterBy(known, { column: over.column, value: value.value });
}

function arranged(known: OpenTable, count: number): Step<Viewer> {
  const { view, viewer } = known;
  if (view.arranging === null) return { state: viewer };
  const shown = { ...fromFirstRow(view, { ...view.arranging, count }), hasJustCome: true };
  if (view.finding === null) return withView(known, shown);
  // A search among the rows before goes on among these.
  return findFrom({ ...known, view: shown }, { text: view.find, direction: view.finding.direction, isOnward: false });
}

interface TextSearch {
  readonly text: string;
  readonly direction: 1 | -1;
  /** From the next row on, not from the selected one. */
  readonly isOnward: boolean;
}

/** Searches all rows that are shown, from the selected one on. */
function findFrom(known: OpenTable, { text: typed, direction, isOnward }: TextSearch): Step<Viewer> {
  const text = typed.trim();
  const { view } = known;
  if (text === '') return withView(known, { ...view, find: '', finding: null });
  const { count } = view.shown;
  if (count === 0)
    return withView(known, view, [{ type: 'noticed', text: 'there are no rows to find in', tone: 'info' }]);
  const from = isOnward ? (view.row + direction + count) % count : view.row;
  return withRequest(known, id => ({ ...view, over: null, find: text, finding: { id, from, direction, done: 0 } }));
}

function found(known: OpenTable, at: FoundAt | null, context: ScreenContext): Step<Viewer> {
  const { view } = known;
  const stopped = { ...view, finding: null };
  if (at === null)
    return withView(known, stopped, [
      { type: 'noticed', text: `no row holds "${view.find}" in any value`, tone: 'bad' },
    ]);
  const rows = viewerRows(context.area);
  const isNear = at.row >= view.top && at.row < view.top + rows;
  const top = isNear ? view.top : Math.max(0, at.row - Math.floor(rows / 3));
  const there = { ...stopped, ...select({ row: at.row, top }, at.row, view.shown.count, rows) };
  const left = leftFor({ ...known, view: there }, at.column, context.area.columns);
  const where = `found in ${at.column} of row ${countText(at.row + 1)}`;
  const next = isShown(context) ? '; n the next one, Esc ends the find' : ' of the table on the export tab';
  return withView(known, { ...there, left }, [{ type: 'noticed', text: `${where}${next}`, tone: 'info' }]);
}

/** The columns to scroll away so that this one is seen. */
function leftFor(known: OpenTable, name: string, columns: number): number {
  if (placedColumns(known, columns).placed.some(({ column }) => column.name === name)) return known.view.left;
  const place = drawnOrder(known.table.columns).findIndex(index => known.table.columns[index]?.name === name);
  return Math.max(0, place - 1);
}

/** Columns that can be drawn over time, in the order of the table. */
export const chartable = ({ columns, firstMs }: Pick<ViewerTable, 'columns' | 'firstMs'>): readonly ViewerColumn[] =>
  firstMs === null ? [] : drawnColumns(columns).filter(({ shape }) => shape === 'number');

/** What moved adds up; a level or a price does not. */
export const usualMeasure = ({ name }: ViewerColumn): Measure =>
  /balance|price|position|amount_at|level|open_interest|target_stake/.test(name) ? 'last' : 'sum';

type ChartChoice = Pick<ChartView, 'column' | 'measure'>;

function openChart(known: OpenTable, { column, measure }: ChartChoice, context: ScreenContext): Step<Viewer> {
  const stepMs = chartStep(known, context);
  if (stepMs === undefined) return said(known.viewer, 'this table has no times to draw it by');
  return withRequest(known, id => ({
    ...known.view,
    over: { kind: 'chart', id, column, measure, stepMs, at: 0, points: null },
  }));
}

/** Cells of a chart that its labels take, at most. */
const LABELS = 28;

/** The range of time of a bar, so that all bars have room. */
function chartStep({ table }: OpenTable, { area }: ScreenContext): number | undefined {
  const { firstMs, lastMs } = table;
  if (firstMs === null || lastMs === null) return undefined;
  return stepFor(firstMs, lastMs, Math.max(8, area.columns - LABELS));
}

function charted(known: OpenTable, points: readonly ChartPoint[]): Step<Viewer> {
  const { view, viewer } = known;
  if (view.over?.kind !== 'chart') return { state: viewer };
  const over = { ...view.over, points };
  const at = Math.max(
    0,
    chartBars(known, over).findLastIndex(({ kind }) => kind === 'value'),
  );
  return withView(known, { ...view, over: { ...over, at } });
}

/** A question of the tables; where it needs a party, that is asked first. */
function ask(viewer: Viewer, question: ReadyQuestion, context: ScreenContext): Step<Viewer> {
  if (!question.needsParty) return answered(viewer, { name: question.name, title: question.title, party: '' });
  const answer = (party: string): Message => context.to({ type: 'ask-party', question, party });
  return opening(viewer, {
    label: 'party',
    drawnLabel: 'party (64 digits, paste it)',
    text: context.shared.partyRequest.party,
    isProposed: true,
    done: ({ directory }, text) =>
      partyTyped({ directory }, text) === undefined ? { problem: NO_PARTY } : { actions: [answer(text)] },
  });
}

const opening = (viewer: Viewer, prompt: PromptOpening): Step<Viewer> => ({
  state: viewer,
  messages: [open('prompt', prompt)],
});

/** With the party as it was typed, which is offered for the next question. */
function askParty(
  viewer: Viewer,
  { question: { name, title }, party: typed }: { readonly question: ReadyQuestion; readonly party: string },
  { shared }: ScreenContext,
): Step<Viewer> {
  const party = partyTyped(shared, typed);
  if (party === undefined) return said(viewer, NO_PARTY, 'bad');
  const { state, messages = [] } = answered(viewer, { name, title, party });
  return { state, messages: [{ type: 'party-asked', party: typed }, ...messages] };
}

/** The answer opens over the table. */
function answered(viewer: Viewer, question: AnswerRequest): Step<Viewer> {
  const { paths, isEvenIncomplete } = viewer.opening;
  return {
    state: viewer,
    messages: [open('answer', { paths, isEvenIncomplete, question, isOverTable: true })],
  };
}

function askAgain(
  viewer: Viewer,
  { range, isSplit }: { readonly range?: string; readonly isSplit?: boolean },
): Step<Viewer> {
  if (viewer.opening.question === null) return said(viewer, 'no answer is open');
  const { range: before, ...question } = viewer.opening.question;
  const wanted = range ?? before ?? '';
  return openedAgain(viewer, {
    ...question,
    ...(wanted !== '' && { range: wanted }),
    ...(isSplit !== undefined && { isSplit }),
  });
}

// Esc takes back the last thing first, as in the lists, and closes the table last. The first Esc over rows that have just
// arrived closes nothing, since it may have been meant to stop them.

/** What Esc would do instead of closing the table. */
export function escWord(viewer: Viewer, context: ScreenContext): string | undefined {
  if (overOf(viewer) !== null) return undefined;
  const known = openTableOf(viewer);
  if (known === undefined || known.view.problem !== null) {
    if (viewer.files.status === 'opening') return undefined;
    return isLast(viewer, context) ? 'end' : 'back';
  }
  const last = lastOf(known.view);
  return last === undefined ? undefined : WORDS[last];
}

const WORDS = { runs: 'stop', find: 'end find', arranged: 'keep rows' } as const;

/** What runs, what was found, or rows that have just arrived. */
function lastOf({ arranging, finding, find, hasJustCome }: TableView): keyof typeof WORDS | undefined {
  if (arranging !== null || finding !== null) return 'runs';
  if (find !== '') return 'find';
  return hasJustCome ? 'arranged' : undefined;
}

function goBack(known: OpenTable, context: ScreenContext): Step<Viewer> {
  const { view } = known;
  if (view.over !== null) return withView(known, { ...view, over: null });
  const next = isLast(known.viewer, context) ? 'Esc again quits' : 'Esc again closes the table';
  const stay = (changed: Partial<TableView>, text: string): Step<Viewer> =>
    withView(known, { ...view, ...changed }, [{ type: 'noticed', text, tone: 'info' }]);
  switch (lastOf(view)) {
    case 'runs': {
      const find = view.finding === null ? view.find : '';
      return stay({ arranging: null, finding: null, find }, 'stopped: the rows are as they were');
    }
    case 'find':
      return stay({ find: '', hasJustCome: false }, `the find is ended; ${next}`);
    case 'arranged':
      return stay({ hasJustCome: false }, `the rows are there; ${next}`);
    case undefined:
      return closed(known.viewer, context);
  }
}

/** Nothing is behind it: no table that it is an answer of, and no node. */
export const isLast = ({ opening }: Viewer, { shared }: ScreenContext): boolean =>
  shared.node.status === 'unasked' && opening.isOverTable !== true;

const closed = (viewer: Viewer, context: ScreenContext): Step<Viewer> =>
  isLast(viewer, context) ? { state: viewer, messages: [{ type: 'quit' }] } : { state: null };

export function moveInViewer(viewer: Viewer, action: MoveAction, { area }: ScreenContext): Viewer {
  const known = openTableOf(viewer);
  if (known === undefined) return viewer;
  const { view } = known;
  const { over } = view;
  if (over === null) {
    const window = moved(view, action, view.shown.count, viewerRows(area));
    return withView(known, { ...view, ...window, hasJustCome: false }).state;
  }
  if (over.kind === 'chart') return viewer;
  const window = moved(over, action, over.counts?.values.length ?? 0, countsRows(area));
  return withView(known, { ...view, over: { ...over, ...window } }).state;
}

/** The selection on rows that are there, the rows to load for it, and bars that have room. */
export function settle(viewer: Viewer, context: ScreenContext): Viewer {
  const known = openTableOf(viewer);
  if (known === undefined) return viewer;
  const { area } = context;
  const { view } = known;
  const height = viewerRows(area);
  const { row, top } = select(view, view.row, view.shown.count, height);
  const span = spanWanted({ ...view, top }, height);
  const isSpan = span.from === view.span.from && span.rows === view.span.rows;
  const isSame = row === view.row && top === view.top && isSpan;
  const settled = isSame ? view : { ...view, row, top, span: isSpan ? view.span : span };
  const { over } = view;
  if (over?.kind === 'chart' && chartStep(known, context) !== over.stepMs)
    return openChart({ ...known, view: settled }, over, context).state ?? viewer;
  return withView(known, over?.kind === 'counts' ? withCountsInRange(settled, over, context) : settled).state;
}

function withCountsInRange(view: TableView, over: CountsView, { area }: ScreenContext): TableView {
  const { row, top } = select(over, over.row, over.counts?.values.length ?? 0, countsRows(area));
  return row === over.row && top === over.top ? view : { ...view, over: { ...over, row, top } };
}
