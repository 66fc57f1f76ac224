import { orderProblem } from '../../resources/page-request.ts';
import { resourceById } from '../../resources/registry.ts';
import { isFilteredBy } from '../model/filters.ts';
import { modeOf } from '../model/mode.ts';
import { moveProblem } from '../model/pager.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { visibleRows } from '../model/visible-rows.ts';

// Why keys of a list do nothing now.

/** In the place of the rows stands an error: what a key did to one of them nobody would see. */
export function noRowsShown(state: SessionState): string | undefined {
  const browser = browserOf(state);
  if (modeOf(state) !== 'table' || !browser?.failure) return undefined;
  return browser.page === null
    ? 'there is no record here'
    : 'the last answer was an error: Esc goes back to the rows, r asks again';
}

export function noRow(state: SessionState): string | undefined {
  const resource = resourceById(state.tab);
  const browser = browserOf(state);
  if (resource === undefined || !browser?.page?.rows.length) return 'there is no record here';
  if (visibleRows(resource, browser).length === 0) return 'nothing was found: Esc clears the search';
  return noRowsShown(state);
}

/** The reason of a key that is for rows on the screen. */
export const ofRows =
  (off: (state: SessionState) => string | undefined) =>
  (state: SessionState): string | undefined =>
    off(state) ?? noRowsShown(state);

/** A list that is whole, or on its way to be, has no page before and none after. */
function noPages(state: SessionState): string | undefined {
  const whole = browserOf(state)?.whole ?? null;
  if (whole === null) return undefined;
  return whole.status === 'known'
    ? 'a whole list has no pages: S goes back to them'
    : 'the whole list is on its way: Esc goes back to its pages';
}

const noNode = ({ node }: SessionState): string | undefined =>
  node.status === 'failed' ? 'the node could not be reached: r tries again' : undefined;

export function moveOff(move: 'first' | 'next' | 'previous' | 'last') {
  return (state: SessionState): string | undefined => {
    const resource = resourceById(state.tab);
    const browser = browserOf(state);
    if (resource === undefined || browser === undefined) return undefined;
    return noNode(state) ?? noPages(state) ?? moveProblem(resource, browser, move);
  };
}

export function orderOff(state: SessionState): string | undefined {
  const resource = resourceById(state.tab);
  const browser = browserOf(state);
  return resource === undefined || browser === undefined ? undefined : orderProblem(resource, browser.filters);
}

export function noFilters(state: SessionState): string | undefined {
  return resourceById(state.tab)?.filters.length
    ? undefined
    : 'the node has no filter for this list: / finds in the loaded rows';
}

export function nothingToClear(state: SessionState): string | undefined {
  const browser = browserOf(state);
  const resource = resourceById(state.tab);
  return browser && resource && (isFilteredBy(resource, browser.filters) || browser.find !== '')
    ? undefined
    : 'no filter is in force';
}

export function noVersions(state: SessionState): string | undefined {
  return resourceById(state.tab)?.versions === undefined ? 'the rows of this list have no versions' : undefined;
}

/** Esc takes back the last narrowing thing, and never quits. */
export function nothingToLeave(state: SessionState): string | undefined {
  switch (modeOf(state)) {
    case 'table':
      return nothingToTakeBack(browserOf(state));
    case 'inspector':
    case 'filters':
    case 'filters-offered':
    case 'layer':
    case 'layer-overlay':
    case 'layer-field':
      return undefined;
  }
}

function nothingToTakeBack(browser: Browser | undefined): string | undefined {
  if (browser === undefined) return undefined;
  const { failure, page, loading, find, whole } = browser;
  return (failure !== null && page !== null) || loading !== null || whole?.status === 'gathering' || find !== ''
    ? undefined
    : 'q quits';
}

const browserOf = ({ browsers, tab }: SessionState): Browser | undefined => browsers[tab];
