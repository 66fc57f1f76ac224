import { filterProblem, normalValue } from '../../../resources/filter.ts';
import { resourceById } from '../../../resources/registry.ts';
import { listAnswered } from './answers.ts';
import type { BrowseEvent } from './events.ts';
import { editFilters } from './filters/edit-filters.ts';
import { withOwnColumns } from './list/chosen-columns.ts';
import { resizeColumn, shiftColumn } from './list/columns-by-hand.ts';
import { narrowed, openCounts } from './list/counted-list.ts';
import { updateTable } from './list/update-table.ts';
import { shownColumns } from './list/visible-rows.ts';
import { asPages } from './list/whole.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { fetchedAhead, fromFirstPage, movedToPage } from './list-requests.ts';
import { openListMenu, openListPrompt } from './menus.ts';
import { limitedToMine, withMineToggled } from './mine.ts';
import { withSelected } from './pointed.ts';
import { foundInRecord, updateRecord } from './record/update-record.ts';
import { sought, soughtByKey } from './seek.ts';
import type { BrowseState } from './state.ts';
import { openStatement } from './statement-here.ts';

/** The list after an event. */
export function updateList(browser: BrowseState, event: BrowseEvent, context: ListContext): ListStep {
  switch (event.type) {
    case 'select-row':
    case 'select-line':
      return { state: withSelected(browser, event) };
    case 'move':
    case 'move-to':
      return paneWithKeys(browser)(browser, event, context);
    case 'next-match':
    case 'previous-match':
      return (browser.inspector === null ? updateTable : updateRecord)(browser, event, context);
    case 'back':
      return paneWithKeys(browser)(browser, event, context);
    case 'reload':
      return movedToPage(browser, 'reload', context);
    case 'scroll-columns':
    case 'next-page':
    case 'previous-page':
    case 'first-page':
    case 'last-page':
    case 'toggle-order':
    case 'toggle-watch':
    case 'view-change':
    case 'inspect':
    case 'toggle-versions':
    case 'toggle-whole':
    case 'filter-by-row':
    case 'clear-filters':
      return updateTable(browser, event, context);
    case 'open-menu':
      return openListMenu(browser, event.id, context);
    case 'open-prompt':
      return openListPrompt(browser, event.id, context);
    case 'toggle-mine':
      return withMineToggled(browser, context);
    case 'limit-to-mine':
      return limitedToMine(browser, context);
    case 'open-statement':
      return openStatement(browser);
    case 'edit-filters':
    case 'take-offer':
    case 'next-field':
    case 'previous-field':
    case 'suggest':
    case 'choose-value':
    case 'apply-filters':
    case 'filter-edited':
    case 'filters-pasted':
      return editFilters(browser, event, context);
    case 'seek':
      return { state: sought(browser, event) };
    case 'seek-key':
      return { state: soughtByKey(browser, event.sought) };
    case 'load-if-empty':
      return { state: browser.page === null && browser.loading === null ? fromFirstPage(browser) : browser };
    case 'to-pages':
      return { state: asPages(browser) };
    case 'lay-out-names':
      return { state: { ...browser, namesLaidOut: context.shared.directory } };
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
    case 'toggle-fold':
    case 'fold':
    case 'unfold':
    case 'fold-all':
    case 'unfold-all':
    case 'toggle-raw':
    case 'view-value':
    case 'next-record':
    case 'previous-record':
    case 'copy-calldata':
    case 'open-versions':
      return updateRecord(browser, event, context);
  }
}

function paneWithKeys({ filterBar, inspector }: BrowseState) {
  if (filterBar !== null) return editFilters;
  return inspector === null ? updateTable : updateRecord;
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
  // What is so without a choice is none: it may be otherwise under other filters.
  return { ...browser, columnChoice: shows(others) === wanted ? others : { ...others, [id]: wanted } };
}

function setFilter(browser: BrowseState, { name, value }: EventOf<'set-filter'>): ListStep {
  const filter = resourceById(browser.resource)?.filters.find(candidate => candidate.name === name);
  if (filter === undefined) return { state: browser };
  const problem = value === '' ? undefined : filterProblem(filter, value);
  if (problem !== undefined) return { state: browser, messages: [{ type: 'noticed', text: problem, tone: 'bad' }] };
  const { [name]: _, ...others } = browser.filters;
  const filters = value === '' ? others : { ...others, [name]: [normalValue(filter, value)] };
  return { state: fromFirstPage({ ...browser, filters }) };
}
