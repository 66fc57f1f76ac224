import type { ViewerRow, ViewerTables } from '../../../answers/index.ts';
import { countOf, countText } from '../../../insight/count-of.ts';
import { type MoveAction, moved } from '../../core/moving.ts';
import type { Message, ScreenContext, Step } from '../../core/screen.ts';
import { select } from '../../core/window.ts';
import { open } from '../../openings.ts';
import { askAgain, askParty, askQuestion } from './asking.ts';
import { closed, goBack } from './back.ts';
import { chartBars, MEASURES } from './bars.ts';
import { rowLines } from './cells.ts';
import { charted, chartStep, openChart } from './charting.ts';
import { placedColumns, withWidths } from './columns.ts';
import type { ViewerEvent } from './events.ts';
import { readingFor, readingOf, tableNames } from './reading.ts';
import { arranged, filterBy, findFrom, found, nextSort, rowsOfValue, withLook } from './rows.ts';
import {
  AS_IN_FILE,
  atWork,
  type CountsView,
  countsRows,
  newView,
  type OpenTable,
  openTableOf,
  rowAt,
  spanWanted,
  type TableView,
  type Viewer,
  viewerRows,
  waitedSeconds,
} from './state.ts';
import { isShown, openedAgain, opening, said, withFiles, withRequestId, withView } from './steps.ts';
import { rangeTyped } from './verbs.ts';

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
      return notOpened(viewer, event);
    case 'type-find': {
      const found = (text: string): Message => context.to({ type: 'find', text });
      return opening(viewer, { label: 'find in all rows', text: '', done: (_, text) => ({ actions: [found(text)] }) });
    }
    case 'type-range':
      return typeRange(viewer, context);
    case 'ask':
      return askQuestion(viewer, event.question, context);
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

function typeRange(viewer: Viewer, { to }: ScreenContext): Step<Viewer> {
  const { range = '' } = viewer.opening.question ?? {};
  return opening(viewer, {
    label: 'range',
    text: range === 'all' ? '' : range,
    isProposed: true,
    hint: () => 'e20..e25, or days and times: 2026-10-01..2026-10-31',
    done: (_, text) => {
      const outcome = rangeTyped(text.trim());
      return 'problem' in outcome ? outcome : { actions: [to(outcome.event)] };
    },
  });
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
      const { hiddenLeft, hiddenRight } = placedColumns(
        opened,
        readingOf(opened, context.shared),
        context.area.columns,
      );
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
    case 'toggle-raw':
      return withView({ ...opened, viewer: { ...viewer, isRaw: !viewer.isRaw } }, { ...view, measured: null });
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
      return withRequestId(opened, id => ({ ...view, over: counting(id) }));
    }
    case 'chart':
      return openChart(opened, event, context);
    case 'rows':
      return withView(opened, {
        ...view,
        loaded: { from: event.from, rows: event.rows },
        ...widthsWith(opened, event.rows, context),
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

/** The columns with room for these rows; anew if they are written in another way than those before. */
function widthsWith(
  known: OpenTable,
  rows: readonly ViewerRow[],
  { shared }: ScreenContext,
): Pick<TableView, 'widths' | 'measured'> {
  const { tables, table, view, viewer } = known;
  const measured = { names: tableNames(tables, shared), isRaw: viewer.isRaw };
  const before = view.measured?.names === measured.names && view.measured.isRaw === measured.isRaw ? view.widths : [];
  const reading = readingFor({ table, rows, ...measured });
  return { measured, widths: withWidths({ ...known, view: { ...view, widths: before } }, rows, reading) };
}

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
  const { question } = viewer.opening;
  const files: Viewer['files'] = { status: 'open', tables, view: newView(place, first) };
  const state: Viewer = { ...viewer, files, answered: question, refusal: null };
  if (viewer.refusal !== null) return said(state, viewer.refusal, 'bad');
  const { notes } = tables;
  if (notes.length === 0) return { state };
  if (question === null) return said(state, notes.join('; '));
  // They stand below the rows, each in two lines or so.
  if (first.rows + 2 + 2 * notes.length <= viewerRows(context.area)) return { state };
  const copied = `y copies ${countOf(notes.length, 'note')} on what this is made of`;
  return said(state, isShown(context) ? copied : 'the answer is there, on the export tab');
}

/** A refused range leaves the answer before, with the reason. */
function notOpened(
  viewer: Viewer,
  { problem, hint }: { readonly problem: string; readonly hint: string },
): Step<Viewer> {
  const { answered, opening: asked } = viewer;
  if (answered === null || answered === asked.question || viewer.refusal !== null)
    return withFiles({ ...viewer, refusal: null }, { status: 'failed', problem, hint });
  return openedAgain({ ...viewer, refusal: [problem, hint].filter(Boolean).join('; ') }, answered);
}

/** All of the selected row. */
function inspectRow(known: OpenTable, { shared }: ScreenContext): Step<Viewer> {
  const { view, table } = known;
  const row = rowAt(view, view.row);
  if (row === undefined) return withView(known, view);
  const text = rowLines({ table: table.name, columns: table.columns }, row, readingOf(known, shared)).join('\n');
  const title = `${table.name}: row ${countText(view.row + 1)} of ${countText(view.shown.count)}`;
  return withView(known, view, [open('value', { title, text, isProse: true })]);
}

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
  const moved = isSame ? view : { ...view, row, top, span: isSpan ? view.span : span };
  const settled = isMeasured(known, context)
    ? moved
    : { ...moved, ...widthsWith(known, view.loaded?.rows ?? [], context) };
  const { over } = view;
  if (over?.kind === 'chart' && chartStep(known, context) !== over.stepMs)
    return openChart({ ...known, view: settled }, over, context).state ?? viewer;
  return withView(known, over?.kind === 'counts' ? withCountsInRange(settled, over, context) : settled).state;
}

/** The columns have room for the names and units of now. */
const isMeasured = ({ tables, view: { loaded, measured }, viewer }: OpenTable, { shared }: ScreenContext): boolean =>
  loaded === null || (measured?.names === tableNames(tables, shared) && measured.isRaw === viewer.isRaw);

function withCountsInRange(view: TableView, over: CountsView, { area }: ScreenContext): TableView {
  const { row, top } = select(over, over.row, over.counts?.values.length ?? 0, countsRows(area));
  return row === over.row && top === over.top ? view : { ...view, over: { ...over, row, top } };
}
