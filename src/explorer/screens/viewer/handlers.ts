import type { ViewerRow, ViewerTables } from '../../../answers/index.ts';
import { countOf, countText } from '../../../chain/insight/count-of.ts';
import type { Handlers, Message, ScreenContext, Step } from '../../core/screen.ts';
import { type MoveAction, moveWindow, selectLine } from '../../core/window.ts';
import { open } from '../../openings.ts';
import { rowLines } from './cells.ts';
import { placedColumns, withWidths } from './columns.ts';
import { openTableCounts } from './counting.ts';
import type { ViewerEvent } from './events.ts';
import { closeViewer, goBack } from './go-back.ts';
import { type MenuEvent, openViewerMenu } from './menus.ts';
import { askAgain, askQuestion, openAnswerForParty } from './open-answer.ts';
import { currentRowFormat, rowFormatOf, tableNames } from './row-format.ts';
import { filterBy, findFrom, nextSort, receiveArrangement, requestLook, rowsOfValue, showFound } from './rows.ts';
import {
  AS_IN_FILE,
  newTableView,
  type OpenTable,
  openTableOf,
  rowAt,
  rowsToLoad,
  runningRequestId,
  type TableView,
  type Viewer,
  viewerRows,
  waitedSeconds,
} from './state.ts';
import { isViewerTabShown, openPromptStep, reopenViewer, viewerNotice, withFiles, withView } from './steps.ts';
import { parseRange } from './verbs.ts';

export const VIEWER_HANDLERS: Handlers<Viewer, ViewerEvent | MenuEvent> = {
  menu: openViewerMenu,
  'open-again': viewer => reopenViewer(viewer, viewer.opening.question),
  'ask-again': askAgain,
  opening: (viewer, { progress }) => withFiles(viewer, { status: 'opening', progress }),
  opened: (viewer, { tables }, context) => opened(viewer, tables, context),
  'not-opened': notOpened,
  'type-find': (viewer, _, { to }) => {
    const found = (text: string): Message => to({ type: 'find', text });
    return openPromptStep(viewer, {
      label: 'find in all rows',
      text: '',
      done: (_, text) => ({ actions: [found(text)] }),
    });
  },
  'type-range': (viewer, _, context) => typeRange(viewer, context),
  ask: (viewer, { question }, context) => askQuestion(viewer, question, context),
  'ask-party': openAnswerForParty,
  back: (viewer, _, context) => {
    const known = openTableOf(viewer);
    return known === undefined ? closeViewer(viewer, context) : goBack(known, context);
  },
  'scroll-columns': inTable((known, { direction }, { shared, area }) => {
    const { hiddenLeft, hiddenRight } = placedColumns(known, currentRowFormat(known, shared), area.columns);
    const step = direction === 1 && hiddenRight === 0 ? 0 : direction;
    return withView(known, { ...known.view, hasJustCome: false, left: Math.max(0, hiddenLeft + step) });
  }),
  inspect: inTable((known, _, context) => inspectRow(pressed(known), context)),
  'find-next': inTable((known, { direction }) =>
    findFrom(pressed(known), { text: known.view.find, direction, isOnward: true }),
  ),
  'all-rows': inTable(known => requestLook(pressed(known), AS_IN_FILE)),
  'rows-of-value': inTable(rowsOfValue),
  'toggle-raw': inTable(known => {
    const { viewer, view } = known;
    return withView({ ...known, viewer: { ...viewer, isRaw: !viewer.isRaw } }, { ...view, measured: null });
  }),
  table: inTable((known, { table: place }) => {
    const { viewer, tables, view } = known;
    const table = tables.tables[place];
    return table === undefined ? { state: viewer } : withView(known, newTableView(place, table, view.requests));
  }),
  sort: inTable((known, event) => requestLook(known, { ...known.view.shown.look, sort: nextSort(known, event) })),
  filter: inTable(filterBy),
  find: inTable((known, { text }) => findFrom(known, { text, direction: 1, isOnward: false })),
  count: inTable(openTableCounts),
  rows: inTable((known, { from, rows }, context) =>
    withView(known, { ...known.view, loaded: { from, rows }, ...widthsWith(known, rows, context) }),
  ),
  'no-rows': inTable((known, { problem }) => withView(known, { ...known.view, problem })),
  arranged: inTable((known, { count }, context) => receiveArrangement(known, count, context)),
  finding: inTable((known, { done }) => {
    const { view } = known;
    return withView(known, { ...view, finding: view.finding && { ...view.finding, done } });
  }),
  found: inTable((known, { at }, context) => showFound(known, at, context)),
  waited: inTable(known => {
    const { view } = known;
    const id = runningRequestId(view);
    const waited = id === undefined ? null : { id, seconds: waitedSeconds(view) + 1 };
    return withView(known, { ...view, waited });
  }),
  failed: inTable((known, { problem }) =>
    withView(known, { ...known.view, arranging: null, finding: null }, [
      { type: 'noticed', text: problem, tone: 'bad' },
    ]),
  ),
};

/** Handles an event of a table that is open. */
function inTable<Event>(handler: (known: OpenTable, event: Event, context: ScreenContext) => Step<Viewer>) {
  return (viewer: Viewer, event: Event, context: ScreenContext): Step<Viewer> => {
    const known = openTableOf(viewer);
    return known === undefined ? viewerNotice(viewer, 'no table is open here') : handler(known, event, context);
  };
}

function typeRange(viewer: Viewer, { to }: ScreenContext): Step<Viewer> {
  const { range = '' } = viewer.opening.question ?? {};
  return openPromptStep(viewer, {
    label: 'range',
    text: range === 'all' ? '' : range,
    isProposed: true,
    hint: () => 'e20..e25, or days and times: 2026-10-01..2026-10-31',
    done: (_, text) => {
      const outcome = parseRange(text.trim());
      return 'problem' in outcome ? outcome : { actions: [to(outcome.event)] };
    },
  });
}

/** A key was pressed over rows that had just arrived. */
const pressed = (known: OpenTable): OpenTable => ({ ...known, view: { ...known.view, hasJustCome: false } });

/**
 * The column widths with room for these rows; measured again if the rows are written differently from the previous ones.
 */
function widthsWith(
  known: OpenTable,
  rows: readonly ViewerRow[],
  { shared }: ScreenContext,
): Pick<TableView, 'widths' | 'measured'> {
  const { tables, table, view, viewer } = known;
  const measured = { names: tableNames(tables, shared), isRaw: viewer.isRaw };
  const before = view.measured?.names === measured.names && view.measured.isRaw === measured.isRaw ? view.widths : [];
  const rowFormat = rowFormatOf({ table, rows, ...measured });
  return { measured, widths: withWidths({ ...known, view: { ...view, widths: before } }, rows, rowFormat) };
}

function opened(viewer: Viewer, tables: ViewerTables, context: ScreenContext): Step<Viewer> {
  const names = tables.tables.map(({ name }) => name);
  const { table: wanted = names[0] } = viewer.opening;
  const place = tables.tables.findIndex(({ name }) => name === wanted);
  const first = tables.tables[place];
  if (wanted === undefined)
    return withFiles(viewer, { status: 'failed', problem: 'it contains no table', hint: 'Esc closes it' });
  if (first === undefined) {
    const problem = `it contains no table "${wanted}"`;
    return withFiles(viewer, { status: 'failed', problem, hint: `the tables are ${names.join(', ')}` });
  }
  const { question } = viewer.opening;
  const files: Viewer['files'] = { status: 'open', tables, view: newTableView(place, first) };
  const state: Viewer = { ...viewer, files, answered: question, refusal: null };
  if (viewer.refusal !== null) return viewerNotice(state, viewer.refusal, 'bad');
  const { notes } = tables;
  if (notes.length === 0) return { state };
  if (question === null) return viewerNotice(state, notes.join('; '));
  // They stand below the rows, each in two lines or so.
  if (first.rows + 2 + 2 * notes.length <= viewerRows(context.area)) return { state };
  const copied = `y copies ${countOf(notes.length, 'note')} about the sources`;
  return viewerNotice(state, isViewerTabShown(context) ? copied : 'the answer is ready on the export tab');
}

/** A refused range leaves the answer before, with the reason. */
function notOpened(
  viewer: Viewer,
  { problem, hint }: { readonly problem: string; readonly hint: string },
): Step<Viewer> {
  const { answered, opening: asked } = viewer;
  if (answered === null || answered === asked.question || viewer.refusal !== null)
    return withFiles({ ...viewer, refusal: null }, { status: 'failed', problem, hint });
  return reopenViewer({ ...viewer, refusal: [problem, hint].filter(Boolean).join('; ') }, answered);
}

/** All of the selected row. */
function inspectRow(known: OpenTable, { shared }: ScreenContext): Step<Viewer> {
  const { view, table } = known;
  const row = rowAt(view, view.row);
  if (row === undefined) return withView(known, view);
  const text = rowLines({ table: table.name, columns: table.columns }, row, currentRowFormat(known, shared)).join('\n');
  const title = `${table.name}: row ${countText(view.row + 1)} of ${countText(view.shown.count)}`;
  return withView(known, view, [open('value', { title, text, isProse: true })]);
}

export function moveInViewer(viewer: Viewer, action: MoveAction, { area }: ScreenContext): Viewer {
  const known = openTableOf(viewer);
  if (known === undefined) return viewer;
  const { view } = known;
  const window = moveWindow(view, action, view.shown.count, viewerRows(area));
  return withView(known, { ...view, ...window, hasJustCome: false }).state;
}

/** Puts the selection on existing rows, and determines the rows to load for it. */
export function settle(viewer: Viewer, context: ScreenContext): Viewer {
  const known = openTableOf(viewer);
  if (known === undefined) return viewer;
  const { area } = context;
  const { view } = known;
  const height = viewerRows(area);
  const { row, top } = selectLine(view, view.row, view.shown.count, height);
  const span = rowsToLoad({ ...view, top }, height);
  const isSpan = span.from === view.span.from && span.rows === view.span.rows;
  const isSame = row === view.row && top === view.top && isSpan;
  const moved = isSame ? view : { ...view, row, top, span: isSpan ? view.span : span };
  const settled = isMeasured(known, context)
    ? moved
    : { ...moved, ...widthsWith(known, view.loaded?.rows ?? [], context) };
  return withView(known, settled).state;
}

/** The columns have room for the names and units of now. */
const isMeasured = ({ tables, view: { loaded, measured }, viewer }: OpenTable, { shared }: ScreenContext): boolean =>
  loaded === null || (measured?.names === tableNames(tables, shared) && measured.isRaw === viewer.isRaw);
