import { filterProblem, normalValue } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { KeyAction } from '../model/action.ts';
import type { BrowseEvent, ListKey, ListMenuId } from '../model/browse-event.ts';
import { columnLayout, ownColumnId } from '../model/column-layout.ts';
import { withOwnColumns } from '../model/columns-by-hand.ts';
import { panesOf } from '../model/layout.ts';
import type { Browser } from '../model/state.ts';
import { shownColumns } from '../model/visible-rows.ts';
import { asPages } from '../model/whole.ts';
import { resizeColumn, shiftColumn } from './columns-by-hand.ts';
import { narrowed, openCounts } from './counted-list.ts';
import { barFromRow, editFilters } from './edit-filters.ts';
import { openStatement } from './fee-statement.ts';
import { foundInRecord, updateRecord } from './inspect.ts';
import { listAnswered } from './list-answers.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { openListMenu } from './list-menus.ts';
import { fetchedAhead, fromFirstPage } from './list-requests.ts';
import { sought, soughtByKey } from './seek.ts';
import { viewChange } from './view-change.ts';
import { withWholeToggled } from './whole-list.ts';

/** The keys that a list takes by itself. */
const LIST_KEYS: readonly string[] = [
  'scroll-columns',
  'edit-filters',
  'filter-by-row',
  'view-change',
  'toggle-whole',
] satisfies readonly ListKey['type'][];

export const isListKey = (action: KeyAction): action is ListKey => LIST_KEYS.includes(action.type);

const LIST_MENUS: readonly string[] = ['sort', 'columns', 'go', 'go-all', 'count'] satisfies readonly ListMenuId[];

type OpenListMenu = Extract<ListKey, { readonly type: 'open-menu' }>;

export const isListMenu = (action: Extract<KeyAction, { readonly type: 'open-menu' }>): action is OpenListMenu =>
  LIST_MENUS.includes(action.id);

/** The list after an event. */
export function updateList(browser: Browser, event: BrowseEvent, context: ListContext): ListStep {
  switch (event.type) {
    case 'scroll-columns':
      return { state: toColumn(browser, event.direction, panesOf(browser, context).tableColumns) };
    case 'view-change':
      return viewChange(browser, context);
    case 'open-menu':
      return openListMenu(browser, event.id, context);
    case 'open-statement':
      return openStatement(browser);
    case 'filter-by-row':
      return { state: { ...browser, filterBar: barFromRow(browser) } };
    case 'edit-filters':
    case 'next-field':
    case 'previous-field':
    case 'suggest':
    case 'apply-filters':
    case 'filter-edited':
    case 'filters-pasted':
      return editFilters(browser, event, context);
    case 'toggle-whole':
      return withWholeToggled(browser);
    case 'seek':
      return { state: sought(browser, event) };
    case 'seek-key':
      return { state: soughtByKey(browser, event.key) };
    case 'load-if-empty':
      return { state: browser.page === null && browser.loading === null ? fromFirstPage(browser) : browser };
    case 'to-pages':
      return { state: asPages(browser) };
    case 'page-arrived':
    case 'page-failed':
    case 'page-slow':
    case 'whole-progressed':
    case 'whole-arrived':
    case 'whole-failed':
    case 'arrange-progressed':
    case 'arranged':
    case 'watch-due':
    case 'rested':
    case 'explained':
    case 'not-explained':
    case 'explanation-slow':
      return listAnswered(browser, event, context);
    case 'sort-by':
      return { state: fetchedAhead({ ...browser, sort: nextSort(browser, event) }) };
    case 'toggle-column':
      return { state: toggleColumn(browser, event.column) };
    case 'reset-columns':
      return { state: withOwnColumns(browser) };
    case 'resize-column':
      return resizeColumn(browser, context, event);
    case 'shift-column':
      return shiftColumn(browser, context, event);
    case 'count-column':
      return openCounts(browser, event, context);
    case 'narrow':
      return narrowed(browser, event);
    case 'set-page-size':
      return { state: fromFirstPage({ ...browser, pageSize: event.size }) };
    case 'set-filter':
      return setFilter(browser, event);
    case 'find-text':
      return {
        state:
          event.where === 'record'
            ? foundInRecord(browser, event.text, context)
            : fetchedAhead({ ...browser, find: event.text }),
      };
    case 'move':
    case 'move-to':
    case 'toggle-fold':
    case 'fold':
    case 'unfold':
    case 'fold-all':
    case 'unfold-all':
    case 'toggle-raw':
    case 'view-value':
    case 'next-record':
    case 'previous-record':
    case 'next-match':
    case 'previous-match':
    case 'copy-calldata':
      return updateRecord(browser, event, context);
    case 'back':
      return (browser.filterBar === null ? updateRecord : editFilters)(browser, event, context);
  }
}

/** Marks the cell beside, and scrolls to it where it is not shown; left of the first cell it is the whole row again. */
function toColumn(browser: Browser, direction: 1 | -1, tableColumns: number): Browser {
  const { page, cellColumn } = browser;
  const resource = resourceById(browser.resource);
  if (resource === undefined || page === null) return browser;
  const layoutIn = (shown: Browser) => columnLayout(resource, shown, page, tableColumns);
  const { order, hiddenLeft } = layoutIn(browser);
  const isShown = (shown: Browser, id: string | null): boolean =>
    layoutIn(shown).fitted.some(({ column }) => ownColumnId(column.id) === id);
  // From a cell that is no longer shown it begins with the whole row again.
  const at = cellColumn !== null && isShown(browser, cellColumn) ? order.indexOf(cellColumn) : -1;
  const place = Math.min(at + direction, order.length - 1);
  const wanted = order[place];
  if (wanted === undefined) return { ...browser, cellColumn: null, view: { ...browser.view, left: 0 } };
  const step = place <= hiddenLeft ? -1 : 1;
  let moved = { ...browser, cellColumn: wanted };
  for (let left = hiddenLeft; !isShown(moved, wanted) && left >= 0 && left < order.length; left += step)
    moved = { ...moved, view: { ...moved.view, left: left + step } };
  return moved;
}

type EventOf<Type extends BrowseEvent['type']> = Extract<BrowseEvent, { readonly type: Type }>;

// The same column again turns the order round. Of amounts and shares the largest are looked for.
function nextSort({ resource, sort }: Browser, { column, isDescending }: EventOf<'sort-by'>): Browser['sort'] {
  if (column === '') return null;
  const kind = resourceById(resource)?.columns.find(({ id }) => id === column)?.kind;
  const next = sort?.column === column ? !sort.isDescending : kind === 'amount' || kind === 'share';
  return { column, isDescending: isDescending ?? next };
}

function toggleColumn(browser: Browser, id: string): Browser {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  const shows = (choice: Browser['columnChoice']) =>
    shownColumns(resource, { ...browser, columnChoice: choice }).some(column => column.id === id);
  const wanted = !shows(browser.columnChoice);
  const { [id]: _, ...others } = browser.columnChoice;
  // What is so without a choice is none: it may be otherwise under other filters.
  return { ...browser, columnChoice: shows(others) === wanted ? others : { ...others, [id]: wanted } };
}

function setFilter(browser: Browser, { name, value }: EventOf<'set-filter'>): ListStep {
  const filter = resourceById(browser.resource)?.filters.find(candidate => candidate.name === name);
  if (filter === undefined) return { state: browser };
  const problem = value === '' ? undefined : filterProblem(filter, value);
  if (problem !== undefined) return { state: browser, messages: [{ type: 'noticed', text: problem, tone: 'bad' }] };
  const { [name]: _, ...others } = browser.filters;
  const filters = value === '' ? others : { ...others, [name]: [normalValue(filter, value)] };
  return { state: fromFirstPage({ ...browser, filters }) };
}
