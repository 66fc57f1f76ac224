import { withEntered } from '../../explorer/services/history/history.ts';
import { filterProblem, normalValue } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { MenuAction } from '../model/action.ts';
import { withOwnColumns } from '../model/columns-by-hand.ts';
import { withByHand } from '../model/looks.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { shownColumns } from '../model/visible-rows.ts';
import { askOfExport, askOfParty, openFiles, withParty } from './ask-export.ts';
import { resizeColumn, shiftColumn } from './columns-by-hand.ts';
import { countColumnHere, showRowsOf } from './counted-list.ts';
import { goTo, goToKey } from './go-to.ts';
import { openScreen } from './layers.ts';
import { selectLine } from './point.ts';
import { keepFile, replaceFile, saveAs } from './save.ts';
import { chooseNode, switchNode } from './switch-node.ts';
import {
  arriveAtTab,
  fetchAhead,
  restartList,
  toRoot,
  withBrowser,
  withCopyOf,
  withNotice,
  withSearch,
} from './transitions.ts';

/** What was chosen from a menu or typed on the command line. */
export function choose(state: SessionState, action: MenuAction): SessionState {
  switch (action.type) {
    case 'sort-by':
      return fetchAhead(
        withBrowser(state, state.tab, browser => ({ ...browser, sort: nextSort(browser, action) })),
        state.tab,
      );
    case 'toggle-column':
      return toggleColumn(state, action.column);
    case 'reset-columns':
      return withBrowser(state, state.tab, withOwnColumns);
    case 'resize-column':
      return resizeColumn(state, action.column, action.direction);
    case 'shift-column':
      return shiftColumn(state, action.column, action.direction);
    case 'copy':
      return withCopyOf(state, action.what, action.content);
    case 'save':
      return saveAs(state, action.path);
    case 'select-line':
      return selectLine(state, action);
    case 'set-looks':
      return { ...state, looks: withByHand(state.looks, action.said) };
    case 'open-screen':
      return openScreen({ ...state, notice: null }, action);
    case 'find-text':
      return withSearch(state, action.where, action.text);
    case 'command-entered': {
      const ticket = state.ticket + 1;
      return { ...state, ticket, history: withEntered(state.history, action.line, ticket) };
    }
    case 'count-column':
      return countColumnHere(state, action);
    case 'show-rows-of':
      return showRowsOf(state, action);
    case 'open-files':
      return openFiles(state, action.files);
    case 'ask-export':
      return askOfExport(state, action.question);
    case 'ask-party':
      return askOfParty(state, action.party);
    case 'party-asked':
      return withParty(state, action.party);
    case 'set-page-size':
      return restartList(state, state.tab, browser => ({ ...browser, pageSize: action.size }));
    case 'set-filter':
      return setFilter(state, action.name, action.value);
    case 'go-to-resource':
      return arriveAtTab(state, action.resource);
    case 'go-to':
      return goTo(state, action.goal);
    case 'go-to-key':
      return goToKey(state, action);
    case 'choose-node':
      return chooseNode(state, action.to);
    case 'switch-node':
      return switchNode(state, action.to);
    case 'end':
      return { ...state, isEnded: true };
    case 'replace-file':
      return replaceFile(state);
    case 'name-another-file':
      return keepFile(state);
    case 'go-to-root':
      return toRoot(state, action.tab);
  }
}

type SortBy = Extract<MenuAction, { readonly type: 'sort-by' }>;

// The same column again turns the order round. Of amounts and shares the largest are looked for.
function nextSort({ resource, sort }: Browser, { column, isDescending }: SortBy): Browser['sort'] {
  if (column === '') return null;
  const kind = resourceById(resource)?.columns.find(({ id }) => id === column)?.kind;
  const next = sort?.column === column ? !sort.isDescending : kind === 'amount' || kind === 'share';
  return { column, isDescending: isDescending ?? next };
}

function toggleColumn(state: SessionState, id: string): SessionState {
  const resource = resourceById(state.tab);
  if (resource === undefined) return state;
  return withBrowser(state, state.tab, browser => {
    const shows = (choice: Browser['columnChoice']) =>
      shownColumns(resource, { ...browser, columnChoice: choice }).some(column => column.id === id);
    const wanted = !shows(browser.columnChoice);
    const { [id]: _, ...others } = browser.columnChoice;
    // What is so without a choice is none: it may be otherwise under other filters.
    return { ...browser, columnChoice: shows(others) === wanted ? others : { ...others, [id]: wanted } };
  });
}

function setFilter(state: SessionState, name: string, value: string): SessionState {
  const filter = resourceById(state.tab)?.filters.find(candidate => candidate.name === name);
  if (filter === undefined) return state;
  const problem = value === '' ? undefined : filterProblem(filter, value);
  if (problem !== undefined) return withNotice(state, problem, 'bad');
  return restartList(state, state.tab, browser => {
    const { [name]: _, ...others } = browser.filters;
    return {
      ...browser,
      filters: value === '' ? others : { ...others, [name]: [normalValue(filter, value)] },
    };
  });
}
