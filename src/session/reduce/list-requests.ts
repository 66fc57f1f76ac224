import { orderProblem } from '../../resources/page-request.ts';
import { resourceById } from '../../resources/registry.ts';
import { prefetch, restart, withNewRequest } from '../model/pager.ts';
import type { Browser } from '../model/state.ts';
import { visibleRows } from '../model/visible-rows.ts';

/** Asks for the next page ahead when the selection nears the end of the visible rows. */
export function fetchedAhead(browser: Browser): Browser {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return withNewRequest(browser, (shown, id) => prefetch(resource, shown, visibleRows(resource, shown).length, id));
}

/** Asks for the first page under what is set now. */
export const fromFirstPage = (browser: Browser): Browser =>
  withNewRequest(browser, (list, id) => restart(inPossibleOrder(list), id));

// Filters can take the order away that was asked for.
function inPossibleOrder(browser: Browser): Browser {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return browser;
  return orderProblem(resource, browser.filters) === undefined ? browser : { ...browser, newestFirst: true };
}
