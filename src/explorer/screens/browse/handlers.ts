import { filterProblem, normalizeValue } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Handlers } from '../../core/screen.ts';
import type { MoveAction } from '../../core/window.ts';
import { ANSWER_HANDLERS } from './answer-handlers.ts';
import type { BrowseEvent } from './events.ts';
import { FILTER_HANDLERS, movedAmongOffers } from './filters/handlers.ts';
import { narrowToValue, openCounts } from './list/counted-list.ts';
import { movedInTable, TABLE_HANDLERS } from './list/handlers.ts';
import { pageMoveHandler, prefetchNextPage, reloadFromFirstPage } from './list/pager.ts';
import { shownColumns } from './list/visible-rows.ts';
import { toPagedList } from './list/whole-list-state.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { openListMenu, openListPrompt } from './menus.ts';
import { limitToMine, toggleMine } from './mine.ts';
import { openStatement } from './open-statement.ts';
import { foundInRecord, movedInRecord, RECORD_HANDLERS } from './record/handlers.ts';
import { seekKey, seekLead } from './seek.ts';
import type { BrowseState } from './state.ts';

export const LIST_HANDLERS: Handlers<BrowseState, BrowseEvent> = {
  ...TABLE_HANDLERS,
  ...RECORD_HANDLERS,
  ...FILTER_HANDLERS,
  ...ANSWER_HANDLERS,
  reload: pageMoveHandler('reload'),
  'open-menu': (list, { id }, context) => openListMenu(list, id, context),
  'open-prompt': (list, { id }, context) => openListPrompt(list, id, context),
  'toggle-mine': (list, _, context) => toggleMine(list, context),
  'limit-to-mine': (list, _, context) => limitToMine(list, context),
  'open-statement': openStatement,
  seek: (list, event) => ({ state: seekLead(list, event) }),
  'seek-key': (list, event) => ({ state: seekKey(list, event.sought) }),
  'load-if-empty': list => ({ state: list.page === null && list.loading === null ? reloadFromFirstPage(list) : list }),
  'to-pages': list => ({ state: toPagedList(list) }),
  'lay-out-names': (list, _, { shared }) => ({ state: { ...list, namesLaidOut: shared.directory } }),
  'sort-by': (list, event) => ({ state: prefetchNextPage({ ...list, sort: nextSort(list, event) }) }),
  'toggle-column': (list, { column }) => ({ state: toggleColumn(list, column) }),
  'reset-columns': list => ({ state: { ...list, columnChoice: {} } }),
  'count-column': openCounts,
  narrow: (list, { sought }) => narrowToValue(list, sought),
  'set-page-size': (list, { size }) => ({ state: reloadFromFirstPage({ ...list, pageSize: size }) }),
  'set-filter': setFilter,
  'find-text': (list, { where, text }, context) => ({
    state: where === 'record' ? foundInRecord(list, text, context) : prefetchNextPage({ ...list, find: text }),
  }),
};

/** The list after a movement key, in its part that has the keys. */
export function movedInList(list: BrowseState, action: MoveAction, context: ListContext): BrowseState {
  if (list.filterBar !== null) return movedAmongOffers(list, action, context);
  return (list.inspector === null ? movedInTable : movedInRecord)(list, action, context);
}

type EventOf<Type extends BrowseEvent['type']> = Extract<BrowseEvent, { readonly type: Type }>;

// The same column again turns the order round. Of amounts and shares the largest are looked for.
function nextSort({ resource, sort }: BrowseState, { column, isDescending }: EventOf<'sort-by'>): BrowseState['sort'] {
  if (column === '') return null;
  const kind = resourceById(resource)?.columns.find(({ id }) => id === column)?.kind;
  const next = sort?.column === column ? !sort.isDescending : kind === 'amount' || kind === 'share';
  return { column, isDescending: isDescending ?? next };
}

function toggleColumn(browser: BrowseState, id: string): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  const shows = (choice: BrowseState['columnChoice']) =>
    shownColumns(resource, { ...browser, columnChoice: choice }).some(column => column.id === id);
  const wanted = !shows(browser.columnChoice);
  const { [id]: _, ...others } = browser.columnChoice;
  // A state that holds without a choice is not stored as one: it may be different under other filters.
  return { ...browser, columnChoice: shows(others) === wanted ? others : { ...others, [id]: wanted } };
}

function setFilter(browser: BrowseState, { name, value }: EventOf<'set-filter'>): ListStep {
  const filter = resourceById(browser.resource)?.filters.find(candidate => candidate.name === name);
  if (filter === undefined) return { state: browser };
  const problem = value === '' ? undefined : filterProblem(filter, value);
  if (problem !== undefined) return { state: browser, messages: [{ type: 'noticed', text: problem, tone: 'bad' }] };
  const { [name]: _, ...others } = browser.filters;
  const filters = value === '' ? others : { ...others, [name]: [normalizeValue(filter, value)] };
  return { state: reloadFromFirstPage({ ...browser, filters }) };
}
