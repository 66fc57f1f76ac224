import { RefusedError } from '../../../chain/api/errors.ts';
import type { ArrangeRequest } from '../../../chain/resources/arrangement.ts';
import type { PageRequest } from '../../../chain/resources/page-request.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Effect } from '../../core/runner.ts';
import type { Shared } from '../../core/screen.ts';
import { messageOf, toFailure } from '../../services/failure.ts';
import type { ListAnswer } from './events.ts';
import { openRequestId } from './record/meaning.ts';
import type { BrowseState, Inspector } from './state.ts';

/** What a list asks for, and what it waits for while its tab is shown. */
export function browseEffects(list: BrowseState, { node, tab }: Shared): readonly Effect<ListAnswer>[] {
  if (node.status !== 'ready') return [];
  return [
    ...pageEffects(list),
    ...wholeEffects(list),
    ...explainEffects(list),
    ...(tab === list.resource ? listTimers(list) : []),
  ];
}

const pageEffects = ({ resource, loading, prefetching }: BrowseState): readonly Effect<ListAnswer>[] =>
  [loading, prefetching].flatMap(page => (page === null ? [] : [pageEffect(resource, page)]));

function pageEffect(
  resource: string,
  { requestId, request }: { readonly requestId: number; readonly request: PageRequest },
): Effect<ListAnswer> {
  return {
    key: `page ${requestId}`,
    run: async (world, signal) => {
      const { page, facts, size, note } = await world.page(resource, request, signal);
      const noted = note !== undefined && { note };
      return [{ type: 'page-arrived', requestId, page, size, ...noted, facts, atMs: world.nowMs() }];
    },
    failed: (error, atMs) => {
      const fault = error instanceof RefusedError ? error.fault : undefined;
      const demand = fault && resourceById(resource)?.demandsFilters?.(fault);
      return [{ type: 'page-failed', requestId, failure: toFailure(error), demand: demand ?? null, atMs }];
    },
  };
}

function wholeEffects(list: BrowseState): readonly Effect<ListAnswer>[] {
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
    const gathered = await world.whole(
      resource,
      request,
      progress => report({ type: 'whole-progressed', requestId, progress, atMs: world.nowMs() }),
      signal,
    );
    return [{ type: 'whole-arrived', requestId, gathered, atMs }];
  },
  failed: error => [{ type: 'whole-failed', requestId, problem: messageOf(error) }],
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

function explainEffects({ resource, inspector }: BrowseState): readonly Effect<ListAnswer>[] {
  const requestId = inspector && openRequestId(inspector.meaning);
  return inspector === null || requestId === null ? [] : [explainEffect(resource, requestId, inspector)];
}

const explainEffect = (resource: string, requestId: number, { row, around }: Inspector): Effect<ListAnswer> => ({
  key: `explain ${requestId}`,
  run: async (world, signal) => {
    const explanation = await world.explain(resource, row, around, signal);
    return [{ type: 'explained', requestId, explanation: explanation ?? null }];
  },
  failed: error => [{ type: 'not-explained', requestId, problem: messageOf(error) }],
});

/** Waits shorter than this are not shown. */
const SLOW_MS = 300;

/** A selection that moves on within this time is not spoken of: a held key sends no sentences over a slow link. */
const REST_MS = 150;

function listTimers({
  loading,
  inspector,
  watchS,
  page,
  failure,
  spokenOf,
  view,
}: BrowseState): readonly Effect<ListAnswer>[] {
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
  if (spokenOf !== null) timers.push(timer(`rest ${view.row}`, REST_MS, { type: 'rested' }));
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
