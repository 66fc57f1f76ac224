import { orderProblem } from '../../../resources/page-request.ts';
import { resourceById } from '../../../resources/registry.ts';
import { move, moveProblem, prefetch, restart, withNewRequest } from './list/pager.ts';
import { visibleRows } from './list/visible-rows.ts';
import { type ListContext, type ListStep, noticed } from './list-context.ts';
import type { BrowseState, Move } from './state.ts';

/** Asks for the next page ahead when the selection nears the end of the visible rows. */
export function fetchedAhead(browser: BrowseState): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return withNewRequest(browser, (shown, id) => prefetch(resource, shown, visibleRows(resource, shown).length, id));
}

/** Moves through the pages, or says why not. */
export const toPage =
  (to: Move) =>
  (list: BrowseState, _: unknown, { shared }: ListContext): ListStep => {
    if (shared.node.status === 'failed' && to === 'reload')
      return { state: list, messages: [{ type: 'connect-again' }] };
    const resource = resourceById(list.resource);
    if (resource === undefined) return { state: list };
    const problem = moveProblem(resource, list, to);
    if (problem !== undefined) return { state: list, messages: [noticed(problem)] };
    return { state: fetchedAhead(withNewRequest(list, (from, id) => move(from, to, id))) };
  };

/** Asks for the first page under what is set now. An open filter bar was for what was set before. */
export const fromFirstPage = (browser: BrowseState): BrowseState =>
  withNewRequest(browser, (list, id) => restart({ ...inPossibleOrder(list), filterBar: null }, id));

// Filters can take the order away that was asked for.
function inPossibleOrder(browser: BrowseState): BrowseState {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return orderProblem(resource, browser.filters) === undefined ? browser : { ...browser, newestFirst: true };
}
