import type { Effect } from '../../core/runner.ts';
import type { SharedState } from '../../core/screen.ts';
import { errorMessage } from '../../services/failure.ts';
import type { ListAnswer } from './events.ts';
import { pageEffects } from './list/pager.ts';
import { wholeEffects } from './list/whole-list.ts';
import { meaningRequestId } from './record/meaning.ts';
import { isPreviewDue, isPreviewLeft } from './record/preview.ts';
import type { BrowseState, Inspector } from './state.ts';

/** The effects of a list, and its timers while its tab is shown. */
export function browseEffects(list: BrowseState, shared: SharedState): readonly Effect<ListAnswer>[] {
  const { node, tab } = shared;
  if (node.status !== 'ready') return [];
  return [
    ...pageEffects(list),
    ...wholeEffects(list),
    ...explainEffects(list),
    ...(tab === list.resource ? listTimers(list, isPreviewDue(list, shared)) : []),
  ];
}

// Rows that are requested come before the record next to the list.
function explainEffects(list: BrowseState): readonly Effect<ListAnswer>[] {
  const { resource, inspector, preview, nextPreview, loading } = list;
  const explained = inspector === null && loading === null ? [nextPreview ?? preview] : [inspector];
  return explained.flatMap(record => {
    const requestId = record && meaningRequestId(record.meaning);
    return record === null || requestId === null ? [] : [explainEffect(resource, requestId, record)];
  });
}

const explainEffect = (resource: string, requestId: number, { row, around }: Inspector): Effect<ListAnswer> => ({
  key: `explain ${requestId}`,
  run: async (world, signal) => {
    const explanation = await world.node().explain(resource, row, around, signal);
    return [{ type: 'explained', requestId, explanation: explanation ?? null }];
  },
  failed: error => [{ type: 'not-explained', requestId, problem: errorMessage(error) }],
});

/** Waits shorter than this are not shown. */
const SLOW_MS = 300;

/** A selection that moves on within this time is not spoken of: a held key sends no sentences over a slow link. */
const REST_MS = 150;

/** The same of its record, which a quick node has answered before the former one goes. */
const RECORD_REST_MS = 60;

/** How long a record may stand next to another row: too short to be taken for that of the row. */
const LEFT_MS = 100;

function listTimers(list: BrowseState, isDue: boolean): readonly Effect<ListAnswer>[] {
  const { loading, inspector, watchS, page, failure, spokenOf, view } = list;
  const timers: Effect<ListAnswer>[] = [];
  if (loading !== null && !loading.isSlow) {
    const { requestId } = loading;
    timers.push(timer(`slow page ${requestId}`, SLOW_MS, { type: 'page-slow', requestId }));
  }
  const meaning = inspector?.meaning;
  if (meaning?.status === 'asked' && !meaning.isSlow) {
    const { requestId } = meaning;
    timers.push(timer(`slow explanation ${requestId}`, SLOW_MS, { type: 'explanation-slow', requestId }));
  }
  if (watchS > 0 && page !== null && loading === null)
    timers.push(timer(`watch ${page.receivedAtMs}`, watchS * 1000, { type: 'watch-due' }, failure?.retryAtMs));
  if (spokenOf !== null || isDue)
    timers.push(timer(`rest ${view.row}`, isDue ? RECORD_REST_MS : REST_MS, { type: 'rested' }));
  if (isPreviewLeft(list)) timers.push(timer('preview left', LEFT_MS, { type: 'preview-left' }));
  return timers;
}

const timer = (key: string, afterMs: number, due: ListAnswer, notBeforeMs = 0): Effect<ListAnswer> => ({
  key,
  isBackground: true,
  run: async (world, signal) => {
    await world.wait(Math.max(afterMs, notBeforeMs - world.nowMs()), signal);
    return [due];
  },
  failed: () => [],
});
