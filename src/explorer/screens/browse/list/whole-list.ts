import type { ArrangedRows, Arrangement, ArrangeRequest } from '../../../../chain/resources/arrangement.ts';
import { holdsWholeList } from '../../../../chain/resources/list-page.ts';
import type { PageRequest } from '../../../../chain/resources/page-request.ts';
import { RESOURCES, resourceById } from '../../../../chain/resources/registry.ts';
import type { Effect } from '../../../core/runner.ts';
import type { Handlers } from '../../../core/screen.ts';
import { FIRST_LINE, inSamePlace } from '../../../core/window.ts';
import { rootEvent } from '../../../openings.ts';
import { errorMessage } from '../../../services/failure.ts';
import type { ListAnswer, WholeListAnswer } from '../events.ts';
import { type ListStep, noticeAction } from '../list-context.ts';
import type { BrowseState } from '../state.ts';
import { withNewRequest } from './pager.ts';
import { selectedRow, selectRow } from './visible-rows.ts';
import { isSameArrangement, toPagedList, toWholeList } from './whole-list-state.ts';

/** Why the whole list cannot be loaded now; undefined when it can, or when it is left. */
export function wholeListProblem({ page, loading, failure, whole }: BrowseState): string | undefined {
  if (whole !== null) return undefined;
  if (page === null) return 'no page is loaded yet';
  if (loading !== null) return 'a page is loading';
  if (failure !== null) return 'the last answer was an error: Esc goes back to the rows, r asks again';
  return holdsWholeList(page) ? 'the whole list is loaded: s sorts' : undefined;
}

/** Loads the whole list, or returns to its pages; while it is being loaded, to the unchanged page. */
export function toggleWholeList(list: BrowseState): ListStep {
  const { whole } = list;
  if (whole === null) return wholeListProblem(list) === undefined ? loadWholeList(list) : { state: list };
  const left = toPagedList(list);
  if (whole.status === 'gathering')
    return { state: left, messages: [noticeAction('cancelled: the page is unchanged')] };
  // It may be sorted and searched otherwise by now.
  const { leftRow } = whole;
  return { state: leftRow === null ? left : selectRow(left, leftRow) };
}

// One at a time: another whole list returns to its pages, so that memory does not hold two.
const loadWholeList = (list: BrowseState): ListStep => ({
  state: withNewRequest(list, (browser, requestId) => ({
    ...browser,
    prefetching: null,
    watchS: 0,
    whole: { status: 'gathering', requestId, rows: 0, pages: 0, waitUntilMs: 0 },
  })),
  messages: [rootEvent('browse', otherLists(list), { type: 'to-pages' })],
});

const otherLists = ({ resource }: BrowseState): readonly string[] =>
  RESOURCES.map(({ id }) => id).filter(id => id !== resource);

/** Gathers the list, and puts its rows in order. */
export function wholeEffects(list: BrowseState): readonly Effect<ListAnswer>[] {
  const { whole, page, resource: id } = list;
  if (whole === null || page === null) return [];
  if (whole.status === 'gathering') return [gatherEffect(id, whole.requestId, page.request)];
  const resource = resourceById(id);
  if (whole.arranging === null || resource === undefined || page.whole === undefined) return [];
  const { arranging, arranged } = whole;
  const question = { resource, page: { ...page, whole: page.whole }, wanted: arranging, before: arranged };
  return [arrangeEffect(arranging.requestId, question)];
}

const gatherEffect = (resource: string, requestId: number, request: PageRequest): Effect<ListAnswer> => ({
  key: `whole ${requestId}`,
  run: async (world, signal, report) => {
    const atMs = world.nowMs();
    const gathered = await world
      .node()
      .whole(
        resource,
        request,
        progress => report({ type: 'whole-progressed', requestId, progress, atMs: world.nowMs() }),
        signal,
      );
    return [{ type: 'whole-arrived', requestId, gathered, atMs }];
  },
  failed: error => [{ type: 'whole-failed', requestId, problem: errorMessage(error) }],
});

const arrangeEffect = (requestId: number, question: ArrangeRequest): Effect<ListAnswer> => ({
  key: `arrange ${requestId}`,
  run: async (world, signal, report) => {
    const places = await world.arrange(
      question,
      progress => report({ type: 'arrange-progressed', requestId, progress }),
      signal,
    );
    return [{ type: 'arranged', requestId, places }];
  },
  failed: () => [],
});

/** Handles an answer about the whole list; one to a request that is no longer open changes nothing. */
export const WHOLE_LIST_HANDLERS: Handlers<BrowseState, WholeListAnswer> = {
  'whole-progressed': wholeListHandler((list, _, { requestId, progress, atMs }) => {
    const { rows, pages, waitMs } = progress;
    const waitUntilMs = waitMs === 0 ? 0 : atMs + waitMs;
    const state: BrowseState = { ...list, whole: { status: 'gathering', requestId, rows, pages, waitUntilMs } };
    return waitMs === 0 ? { state } : { state, messages: [{ type: 'node-blocked', untilMs: waitUntilMs, atMs }] };
  }),
  'whole-arrived': wholeListHandler((list, _, answer) => ({ state: receiveWholeList(list, answer) })),
  'whole-failed': wholeListHandler((list, _, { problem }) => ({
    state: { ...list, whole: null },
    messages: [noticeAction(`the whole list could not be loaded: ${problem}`, 'bad')],
  })),
  'arrange-progressed': wholeListHandler((list, whole, { progress }) =>
    whole.status === 'known' && whole.arranging !== null
      ? { state: { ...list, whole: { ...whole, arranging: { ...whole.arranging, ...progress } } } }
      : { state: list },
  ),
  arranged: wholeListHandler((list, whole, { places }) => {
    if (whole.status !== 'known' || whole.arranging === null) return { state: list };
    const { find, sort, names } = whole.arranging;
    return { state: withArrangedRows(list, { find, sort, names, places }) };
  }),
};

function wholeListHandler<Answer extends WholeListAnswer>(
  handler: (list: BrowseState, whole: NonNullable<BrowseState['whole']>, answer: Answer) => ListStep,
) {
  return (list: BrowseState, answer: Answer): ListStep => {
    const { whole } = list;
    const open = whole?.status === 'known' ? whole.arranging?.requestId : whole?.requestId;
    return !whole || open !== answer.requestId ? { state: list } : handler(list, whole, answer);
  };
}

function receiveWholeList(
  list: BrowseState,
  { gathered, atMs }: Extract<WholeListAnswer, { readonly type: 'whole-arrived' }>,
): BrowseState {
  const resource = resourceById(list.resource);
  return resource === undefined
    ? list
    : toWholeList(resource, list, { ...gathered, atMs }, selectedRow(resource, list));
}

/** The rows in another order, the selected one where it is now; the first one where it is not among them. */
function withArrangedRows(browser: BrowseState, arranged: ArrangedRows): BrowseState {
  const { whole, view } = browser;
  if (whole?.status !== 'known') return browser;
  const before = whole.arranged.places;
  const place = before === null ? view.row : before[view.row];
  const row = place === undefined ? 0 : arranged.places === null ? place : arranged.places.indexOf(place);
  return {
    ...browser,
    whole: { ...whole, arranged, arranging: null },
    view: { ...view, ...(row < 0 ? FIRST_LINE : inSamePlace(view, row)) },
  };
}

/** Requests that a whole list is found and sorted as now wanted: until that is done, the last result is shown. */
export function requestArrangement(browser: BrowseState, requestId: number): BrowseState {
  const { whole, find, sort, names } = browser;
  if (whole?.status !== 'known') return browser;
  const wanted: Arrangement = { find, sort, names };
  if (isSameArrangement(wanted, whole.arranged))
    return whole.arranging === null ? browser : { ...browser, whole: { ...whole, arranging: null } };
  if (whole.arranging !== null && isSameArrangement(wanted, whole.arranging)) return browser;
  if (find === '' && sort === null) return withArrangedRows(browser, { ...wanted, places: null });
  const arranging = { ...wanted, requestId, step: find === '' ? 'sort' : 'find', done: 0 } as const;
  return { ...browser, whole: { ...whole, arranging } };
}
