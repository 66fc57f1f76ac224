import { orderProblem } from '../../../../chain/resources/page-request.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import { previousNode } from '../../../services/node/nodes.ts';
import { cycleSuggestion, differsFromUsualFilters } from '../filters/filter-bar.ts';
import { listedValues, withValueSelected } from '../filters/offered-values.ts';
import type { ListContext } from '../list-context.ts';
import { focusedPane } from '../panes.ts';
import { saveableList } from '../saves.ts';
import type { BrowseState } from '../state.ts';
import { countsToReturnTo } from './counted-list.ts';
import { pageMoveProblem } from './pager.ts';
import { visibleRows } from './visible-rows.ts';

// Why keys of a list do nothing now.

/** Why a key does nothing; undefined where it does something. */
export type Reason = (list: BrowseState, context: ListContext) => string | undefined;

/** An error is shown instead of the rows, so the user could not see how a key affects a row. */
function noRowsShown(list: BrowseState): string | undefined {
  if (focusedPane(list) !== 'list' || list.failure === null) return undefined;
  return list.page === null
    ? 'no record here'
    : 'the last answer was an error: Esc goes back to the rows, r asks again';
}

export function noRow(list: BrowseState): string | undefined {
  const resource = resourceById(list.resource);
  if (resource === undefined || !list.page?.rows.length) return 'no record here';
  if (visibleRows(resource, list).length === 0) return 'nothing was found: Esc clears the search';
  return noRowsShown(list);
}

/** The reason of a key that is for rows on the screen. */
export const forShownRows =
  (reason: Reason): Reason =>
  (list, context) =>
    reason(list, context) ?? noRowsShown(list);

/** A list that is whole, or on its way to be, has no page before and none after. */
function noPages({ whole }: BrowseState): string | undefined {
  if (whole === null) return undefined;
  return whole.status === 'known'
    ? 'a whole list has no pages: S goes back to them'
    : 'the whole list is loading: Esc goes back to its pages';
}

export const noPageMove =
  (move: 'first' | 'next' | 'previous' | 'last'): Reason =>
  (list, { shared }) => {
    if (shared.node.status === 'failed') return 'the node could not be reached: r tries again';
    const resource = resourceById(list.resource);
    return noPages(list) ?? (resource && pageMoveProblem(resource, list, move));
  };

export const rateLimitReason: Reason = (_, { shared }) => {
  const waitMs = shared.node.blockedUntilMs - shared.node.nowMs;
  return waitMs > 0 ? `rate limited by the node: ${Math.ceil(waitMs / 1000)} s to wait` : undefined;
};

export function noOtherOrder(list: BrowseState): string | undefined {
  const resource = resourceById(list.resource);
  return resource && orderProblem(resource, list.filters);
}

export const notWatched = ({ whole }: BrowseState): string | undefined =>
  whole === null ? undefined : 'a whole list is not watched: S goes back to its pages';

export const noPlaceToReturnTo: Reason = (_, { shared: { trail, node } }) =>
  trail.length > 0 || previousNode(node) !== undefined ? undefined : 'g was not pressed yet';

export const noFilters = ({ resource }: BrowseState): string | undefined =>
  resourceById(resource)?.filters.length ? undefined : 'this list has no filters: / finds';

export function nothingToClear(list: BrowseState): string | undefined {
  const resource = resourceById(list.resource);
  return resource && (differsFromUsualFilters(resource, list.filters) || list.find !== '')
    ? undefined
    : 'no filter is set';
}

/** Rows that are on their way may be searched for beforehand. */
export const nothingToSearch = ({ page, loading }: BrowseState): string | undefined =>
  page !== null || loading !== null ? undefined : 'no rows to search';

export const noVersions = ({ resource }: BrowseState): string | undefined =>
  resourceById(resource)?.versions === undefined ? 'this list has no versions' : undefined;

export const nothingToSave: Reason = (list, context) => {
  const saved = saveableList(list, context);
  return typeof saved === 'string' ? saved : undefined;
};

/** Esc takes back the last narrowing thing, and never quits. */
export function nothingToUndo(list: BrowseState): string | undefined {
  const { failure, page, loading, find, whole } = list;
  if ((failure !== null && page !== null) || loading !== null || whole?.status === 'gathering') return undefined;
  return find !== '' || countsToReturnTo(list) !== undefined ? undefined : 'q quits';
}

/** Behind the values that are offered there are rows, or nothing. */
export const noRowsUnderFilterBar = ({ page }: BrowseState): string | undefined =>
  page === null ? 'q quits' : undefined;

export const noOtherValue =
  (direction: 1 | -1): Reason =>
  (list, { shared }) => {
    const { filterBar: bar } = list;
    const resource = resourceById(list.resource);
    if (resource === undefined || bar === null) return undefined;
    const listed = listedValues(list, shared);
    const hasOther =
      listed === undefined
        ? cycleSuggestion(shared, resource, bar, direction) !== bar
        : withValueSelected(listed, listed.place + direction).chosen !== bar.chosen;
    return hasOther ? undefined : 'no other value is known';
  };

/** Where the filter bar opened by itself and nothing is known that could be chosen. */
export const noValueListed: Reason = (list, { shared }) =>
  (listedValues(list, shared)?.values.length ?? 0) > 0 ? undefined : 'no value is known';
