import { linkTargets } from '../../../chain/resources/links.ts';
import { COPY_KEY, type ListScreen, SAVE_KEY, type ScreenContext, type ScreenKey } from '../../core/screen.ts';
import type { ViewerOpening } from '../../openings.ts';
import { saveableTable, viewerCopies, viewerFileName } from './copies.ts';
import { viewerEffects } from './effects.ts';
import type { ViewerEvent } from './events.ts';
import { escLabel } from './go-back.ts';
import { moveInViewer, settle, VIEWER_HANDLERS } from './handlers.ts';
import { viewerHead } from './head.ts';
import type { MenuEvent } from './menus.ts';
import { otherChain, selectedRowLeads } from './row-format.ts';
import { isBroken, openTableOf, rowAt, type Viewer } from './state.ts';
import { VIEWER_VERBS } from './verbs.ts';
import { drawViewer, viewerPosition, viewerProgress, viewerWait } from './view.ts';

/** A table on the disk, or an answer. */
export const viewerScreen: ListScreen<Viewer, ViewerEvent | MenuEvent, ViewerOpening> = {
  kind: 'list',
  title: 'the table of an export',
  needs: 'files',
  isOverlay: false,
  description: 'The rows of a file with names and units: sort, search, filter, count',
  tab: {
    id: 'history',
    verbs: VIEWER_VERBS,
    afterSwitch: viewer => viewer,
  },
  open: opening => ({
    opening,
    attempt: 0,
    isRaw: false,
    files: { status: 'opening', progress: null },
    answered: null,
    refusal: null,
  }),
  keys: keys(),
  move: moveInViewer,
  handlers: VIEWER_HANDLERS,
  settle,
  effects: viewerEffects,
  around: {
    head: viewerHead,
    place: viewerPosition,
    progress: viewerProgress,
  },
  body: drawViewer,
  waits: viewerWait,
  input: { pasted: (_, text) => ({ type: 'find', text }) },
  output: {
    copies: viewerCopies,
    file: { saves: saveableTable, name: viewerFileName },
  },
};

function keys(): readonly ScreenKey<Viewer, ViewerEvent | MenuEvent>[] {
  const menu = (name: MenuEvent['name']) => ({ event: { type: 'menu', name } }) as const;
  // biome-ignore format: a table, a row a key
  return [
    { keys: ['right', 'l'], event: { type: 'scroll-columns', direction: 1 }, title: 'columns to the right', group: 'Move' },
    { keys: ['left', 'h'], event: { type: 'scroll-columns', direction: -1 }, title: 'columns to the left', group: 'Move' },
    { keys: ['enter'], event: { type: 'inspect' }, title: 'the whole row', group: 'Record', footer: 'row', disabledReason: noRow },
    { keys: ['/'], event: { type: 'type-find' }, title: 'find in all rows, from the selected one on', group: 'Filter', footer: 'find', disabledReason: noRows },
    { keys: ['n'], event: { type: 'find-next', direction: 1 }, title: 'next match', group: 'Filter', disabledReason: noFind },
    { keys: ['N'], event: { type: 'find-next', direction: -1 }, title: 'previous match', group: 'Filter', disabledReason: noFind },
    { keys: ['s'], ...menu('sort'), title: 'sort all rows', group: 'Look', footer: 'sort', disabledReason: noRows },
    { keys: ['F'], ...menu('count'), title: 'count the values of a column, and its sum', group: 'Look', footer: 'count', disabledReason: noRows },
    { keys: ['='], ...menu('filter'), title: 'only the rows with a value of this one', group: 'Filter', footer: 'same', disabledReason: noRow },
    { keys: ['x'], event: { type: 'all-rows' }, title: 'all rows in the order of the file', group: 'Filter', footer: 'all', disabledReason: allShown },
    { keys: ['g'], ...menu('go'), title: 'open what its ids refer to', group: 'Record', footer: 'go to', disabledReason: leadsNowhere },
    { keys: ['R'], event: { type: 'toggle-raw' }, title: 'switch between raw values, and names and units', group: 'Look', footer: 'raw', disabledReason: noFile },
    { keys: ['T'], ...menu('tables'), title: 'another table', group: 'Look', footer: 'table', disabledReason: oneTable },
    { keys: ['r'], event: { type: 'open-again' }, title: 'open the file again', group: 'Pages', footerNow: viewer => isBroken(viewer) ? 'open again' : undefined },
    { ...COPY_KEY, disabledReason: viewer => openTableOf(viewer) === undefined ? NOT_OPEN : undefined },
    SAVE_KEY,
    { keys: ['a'], ...menu('answers'), title: 'ask a ready question', group: 'Export', footer: 'answers', disabledReason: noQuestions },
    { keys: ['esc'], event: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', footerNow: escLabel, isInProgramsPlace: true },
    { keys: ['q'], event: { type: 'back' }, title: 'close', group: 'Program', isInProgramsPlace: true },
  ];
}

// Why keys do nothing now.

const NOT_OPEN = 'the table is not open';

function noRows(viewer: Viewer): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined) return NOT_OPEN;
  return known.view.shown.count === 0 ? 'no rows' : undefined;
}

function noRow(viewer: Viewer): string | undefined {
  const view = openTableOf(viewer)?.view;
  const isThere = view !== undefined && rowAt(view, view.row) !== undefined;
  return noRows(viewer) ?? (isThere ? undefined : 'this row is not loaded yet');
}

function leadsNowhere(viewer: Viewer, { shared }: ScreenContext): string | undefined {
  const known = openTableOf(viewer);
  const problem = noRow(viewer);
  if (known === undefined || problem !== undefined) return problem;
  if (viewer.opening.question !== null) return 'g works in the rows of the export: Esc goes back to them';
  if (selectedRowLeads(known, shared).flatMap(linkTargets).length === 0) return 'nothing to open from this row';
  if (shared.node.status !== 'ready') return 'no node is connected: :node NAME connects to one';
  const other = otherChain(known.tables, shared);
  return other === undefined ? undefined : `the node is on chain ${other}, the export is of ${known.tables.chainId}`;
}

function noFile(viewer: Viewer): string | undefined {
  if (openTableOf(viewer) === undefined) return NOT_OPEN;
  return viewer.opening.question === null ? undefined : 'an answer has no raw values: its amounts are already exact';
}

function noFind(viewer: Viewer): string | undefined {
  return noRows(viewer) ?? (openTableOf(viewer)?.view.find ? undefined : '/ finds something first');
}

function allShown(viewer: Viewer): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined) return NOT_OPEN;
  const { filters, sort } = known.view.shown.look;
  return filters.length === 0 && sort === null ? 'all rows are shown in their own order' : undefined;
}

function oneTable(viewer: Viewer): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined) return NOT_OPEN;
  return known.tables.tables.length > 1 ? undefined : 'there is one table in it';
}

function noQuestions(viewer: Viewer): string | undefined {
  const known = openTableOf(viewer);
  if (known === undefined) return NOT_OPEN;
  if (viewer.opening.question !== null) return undefined;
  return known.tables.questions.length > 0 ? undefined : 'no ready question uses these tables';
}
