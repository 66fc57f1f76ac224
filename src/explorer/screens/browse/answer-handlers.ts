import { printJson } from '../../../chain/api/json.ts';
import { findSameRow } from '../../../chain/resources/list-page.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource, Row } from '../../../chain/resources/resource.ts';
import type { Action } from '../../core/action.ts';
import type { Handlers } from '../../core/screen.ts';
import { rootEvent } from '../../openings.ts';
import type { ListAnswer } from './events.ts';
import { requiredFilterBar } from './filters/filter-bar.ts';
import { changesAfterReload } from './list/changes.ts';
import { moveToPage, prefetchNextPage, receivePage, withNewRequest } from './list/pager.ts';
import { selectedRow, visibleRows } from './list/visible-rows.ts';
import { WHOLE_LIST_HANDLERS } from './list/whole-list.ts';
import { type ListContext, type ListStep, noticeAction } from './list-context.ts';
import { pageContextOf, replaceMeaning } from './record/inspector.ts';
import { initialMeaning, meaningRequestId } from './record/meaning.ts';
import { isPreviewDue, withoutPreviewLeft, withPreviewRequested } from './record/preview.ts';
import { continueSeeking } from './seek.ts';
import { type BrowseState, type Inspector, type LoadedPage, type Meaning, NO_RECORDS } from './state.ts';

/** Handles answers; one to a request that is no longer open changes nothing. */
export const ANSWER_HANDLERS: Handlers<BrowseState, ListAnswer> = {
  ...WHOLE_LIST_HANDLERS,
  'page-arrived': pageArrived,
  'page-failed': pageFailed,
  'page-slow': (list, { requestId }) => ({ state: pageSlow(list, requestId) }),
  'watch-due': list => ({ state: watchDue(list) }),
  rested: (list, _, { shared }) => ({
    state: { ...(isPreviewDue(list, shared) ? withPreviewRequested(list) : list), spokenOf: null },
  }),
  'preview-left': list => ({ state: withoutPreviewLeft(list) }),
  explained: (list, { requestId, explanation }) => ({ state: withMeaningOf(list, requestId, meaningOf(explanation)) }),
  'not-explained': (list, { requestId, problem }) => ({
    state: withMeaningOf(list, requestId, { status: 'failed', problem }),
  }),
  'explanation-slow': (list, { requestId }) => ({
    state: withMeaningOf(list, requestId, { status: 'asked', requestId, isSlow: true }),
  }),
};

function pageSlow(list: BrowseState, requestId: number): BrowseState {
  const { loading } = list;
  return loading?.requestId === requestId ? { ...list, loading: { ...loading, isSlow: true } } : list;
}

const watchDue = (list: BrowseState): BrowseState =>
  list.watchS === 0 || list.loading !== null || list.page === null ? list : moveToPage(list, 'reload');

const meaningOf = (explanation: Extract<ListAnswer, { readonly type: 'explained' }>['explanation']): Meaning =>
  explanation === null ? { status: 'none' } : { status: 'known', explanation, requestId: null };

function withMeaningOf(list: BrowseState, requestId: number, meaning: Meaning): BrowseState {
  const resource = resourceById(list.resource);
  if (resource === undefined) return list;
  const { inspector, preview, nextPreview } = list;
  const isOf = (record: Inspector | null): record is Inspector =>
    record !== null && meaningRequestId(record.meaning) === requestId;
  if (isOf(inspector)) return { ...list, inspector: replaceMeaning(resource, inspector, meaning) };
  if (isOf(nextPreview)) return { ...list, preview: { ...nextPreview, meaning }, nextPreview: null };
  return isOf(preview) ? { ...list, preview: { ...preview, meaning } } : list;
}

type AnswerOf<Type extends ListAnswer['type']> = Extract<ListAnswer, { readonly type: Type }>;

/** A page arrived: it is shown, and the program learns from it about the node and its ids. */
function pageArrived(before: BrowseState, answer: AnswerOf<'page-arrived'>, context: ListContext): ListStep {
  const after = receivePage(before, answer.requestId, answer, answer.atMs);
  if (after === before) return { state: before };
  const isReload = before.loading?.requestId === answer.requestId && before.loading.move === 'reload';
  const current = isReload
    ? withNewRequest(after, (page, id) => ({
        ...withChanges(before, keepSelection(before, page, id)),
        isStepped: false,
      }))
    : after;
  const { facts, atMs, page, note } = answer;
  const isByHand = isReload && before.watchS === 0;
  const sought = continueSeeking(current, answer.requestId, context);
  const { pageSize: size } = before;
  const tooLarge = `a page of ${size} rows is too large for this node: ${answer.size} rows a page from now on`;
  return {
    state: prefetchNextPage(sought.state),
    messages: [
      { type: 'rows-arrived', resource: before.resource, rows: page.rows, facts, atMs, isByHand },
      ...(sought.messages ?? []),
      ...(note === undefined ? [] : [noticeAction(note)]),
      ...(after.pageSize === size ? [] : [noticeAction(tooLarge)]),
    ],
  };
}

/** Failures that may be over the next time. */
const PASSING: readonly string[] = ['network', 'timeout', 'rate-limited'];

/** A page could not be loaded; for a prefetched page, nothing is shown. */
function pageFailed(list: BrowseState, answer: AnswerOf<'page-failed'>, context: ListContext): ListStep {
  const { requestId, failure, demand, atMs } = answer;
  const blocked: Action = { type: 'node-blocked', untilMs: failure.retryAtMs, atMs };
  if (list.prefetching?.requestId === requestId) {
    // The prefetch failed: the key requests the page again and shows the error.
    const page = list.page && { ...list.page, isNextRefused: true };
    return { state: { ...list, prefetching: null, page }, messages: [blocked] };
  }
  if (list.loading?.requestId !== requestId) return { state: list };
  // The page shown so far belongs to another snapshot.
  if (list.isStepped)
    return {
      state: { ...list, ...NO_RECORDS, page: null, loading: null, failure, isStepped: false },
      messages: [blocked],
    };
  // A node that is busy or away for a while is asked again when it is the time for it.
  const watchS = PASSING.includes(failure.kind) ? list.watchS : 0;
  if (demand === null) return { state: { ...list, loading: null, failure, watchS }, messages: [blocked] };
  return { state: withDemand(list, demand), messages: [blocked, ...idsForFields(list, context)] };
}

// Who does not watch looks at the rows anyway.
function withChanges(before: BrowseState, after: BrowseState): BrowseState {
  const resource = resourceById(before.resource);
  if (
    resource === undefined ||
    before.page === null ||
    after.page === null ||
    (after.watchS === 0 && !before.isStepped)
  )
    return after;
  return {
    ...after,
    changes: changesAfterReload(resource, before.changes, { before: before.page, after: after.page }),
  };
}

/** After a reload the same record stays selected and inspected, wherever it is now. */
function keepSelection(before: BrowseState, after: BrowseState, requestId: number): BrowseState {
  const resource = resourceById(before.resource);
  if (resource === undefined) return after;
  const selected = selectedRow(resource, before);
  const rows = visibleRows(resource, after).slice();
  const same = selected && findSameRow(resource, selected, rows);
  const index = same === undefined ? -1 : rows.indexOf(same);
  const { page } = after;
  const again = <Record extends Inspector>(record: Record | null): Record | null => {
    const row = record === null ? undefined : findSameRow(resource, record.row, page?.rows ?? []);
    if (record === null || row === undefined || page === null) return record;
    return inspectedAgain(resource, record, row, { page, requestId });
  };
  const preview = again(before.preview);
  return {
    ...after,
    view: index < 0 ? before.view : { ...before.view, row: index },
    inspector: again(before.inspector),
    preview: preview === before.preview || page === null ? preview : preview && { ...preview, page },
    nextPreview: null,
  };
}

// The meaning stays on the screen while it is worked out again, but not next to a record with other content.
function inspectedAgain<Record extends Inspector>(
  resource: Resource,
  before: Record,
  row: Row,
  { page, requestId }: { readonly page: LoadedPage; readonly requestId: number },
): Record {
  const { meaning } = before;
  const isSame = meaning.status === 'known' && printJson(row) === printJson(before.row);
  return {
    ...before,
    row,
    around: pageContextOf(page, row),
    receivedAtMs: page.receivedAtMs,
    meaning: isSame ? { ...meaning, requestId } : initialMeaning(resource, requestId),
  };
}

// The filter bar opens with the node's message. Rows of other filters would contradict this message and the header.
function withDemand(list: BrowseState, demand: string): BrowseState {
  const resource = resourceById(list.resource);
  if (resource === undefined) return list;
  const filterBar = list.filterBar ?? requiredFilterBar(resource, list.filters);
  return { ...list, ...NO_RECORDS, page: null, behind: [], ahead: null, loading: null, demand, filterBar };
}

// The paid fees need no filter: ids for the fields come from them, and what each market earned.
function idsForFields({ page }: BrowseState, { shared }: ListContext): readonly Action[] {
  const hasIds = (shared.seen.market ?? []).length > 0;
  if (hasIds && (page !== null || shared.lastFees !== null)) return [];
  return [rootEvent('browse', ['fees'], { type: 'load-if-empty' })];
}
