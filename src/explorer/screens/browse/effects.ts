import { RefusedError } from '../../../api/errors.ts';
import type { ArrangeQuestion } from '../../../resources/arrangement.ts';
import type { PageRequest } from '../../../resources/page-request.ts';
import { resourceById } from '../../../resources/registry.ts';
import type { Effect } from '../../core/runner.ts';
import type { Shared } from '../../core/screen.ts';
import { messageOf, toFailure } from '../../services/failure.ts';
import type { ListAnswer } from './events.ts';
import { openTicket } from './record/meaning.ts';
import type { Browser, Inspector } from './state.ts';

/** What a list asks for, and what it waits for while its tab is shown. */
export function browseEffects(list: Browser, { node, tab }: Shared): readonly Effect<ListAnswer>[] {
  if (node.status !== 'ready') return [];
  return [
    ...pageEffects(list),
    ...wholeEffects(list),
    ...explainEffects(list),
    ...(tab === list.resource ? listTimers(list) : []),
  ];
}

const pageEffects = ({ resource, loading, prefetching }: Browser): readonly Effect<ListAnswer>[] =>
  [loading, prefetching].flatMap(page => (page === null ? [] : [pageEffect(resource, page)]));

function pageEffect(
  resource: string,
  { ticket, request }: { readonly ticket: number; readonly request: PageRequest },
): Effect<ListAnswer> {
  return {
    key: `page ${ticket}`,
    run: async (world, signal) => {
      const { page, facts, size, note } = await world.page(resource, request, signal);
      const noted = note !== undefined && { note };
      return [{ type: 'page-arrived', ticket, page, size, ...noted, facts, atMs: world.nowMs() }];
    },
    failed: (error, atMs) => {
      const fault = error instanceof RefusedError ? error.fault : undefined;
      const demand = fault && resourceById(resource)?.demandsFilters?.(fault);
      return [{ type: 'page-failed', ticket, failure: toFailure(error), demand: demand ?? null, atMs }];
    },
  };
}

function wholeEffects(list: Browser): readonly Effect<ListAnswer>[] {
  const { whole, page, resource: id } = list;
  if (whole === null || page === null) return [];
  if (whole.status === 'gathering') return [gatherEffect(id, whole.ticket, page.request)];
  const resource = resourceById(id);
  if (whole.arranging === null || resource === undefined || page.whole === undefined) return [];
  const { arranging, arranged } = whole;
  const question = { resource, page: { ...page, whole: page.whole }, wanted: arranging, before: arranged };
  return [arrangeEffect(arranging.ticket, question)];
}

const gatherEffect = (resource: string, ticket: number, request: PageRequest): Effect<ListAnswer> => ({
  key: `whole ${ticket}`,
  run: async (world, signal, report) => {
    const atMs = world.nowMs();
    const gathered = await world.whole(
      resource,
      request,
      progress => report({ type: 'whole-progressed', ticket, progress, atMs: world.nowMs() }),
      signal,
    );
    return [{ type: 'whole-arrived', ticket, gathered, atMs }];
  },
  failed: error => [{ type: 'whole-failed', ticket, problem: messageOf(error) }],
});

const arrangeEffect = (ticket: number, question: ArrangeQuestion): Effect<ListAnswer> => ({
  key: `arrange ${ticket}`,
  run: async (world, signal, report) => {
    const places = await world.arrange(
      question,
      progress => report({ type: 'arrange-progressed', ticket, progress }),
      signal,
    );
    return [{ type: 'arranged', ticket, places }];
  },
  failed: () => [],
});

function explainEffects({ resource, inspector }: Browser): readonly Effect<ListAnswer>[] {
  const ticket = inspector && openTicket(inspector.meaning);
  return inspector === null || ticket === null ? [] : [explainEffect(resource, ticket, inspector)];
}

const explainEffect = (resource: string, ticket: number, { row, around }: Inspector): Effect<ListAnswer> => ({
  key: `explain ${ticket}`,
  run: async (world, signal) => {
    const explanation = await world.explain(resource, row, around, signal);
    return [{ type: 'explained', ticket, explanation: explanation ?? null }];
  },
  failed: error => [{ type: 'not-explained', ticket, problem: messageOf(error) }],
});

/** Waits shorter than this are not shown. */
const SLOW_MS = 300;

/** A selection that moves on within this time is not spoken of: a held key sends no sentences over a slow link. */
const REST_MS = 150;

function listTimers({ loading, inspector, watchS, page, spokenOf, view }: Browser): readonly Effect<ListAnswer>[] {
  const timers: Effect<ListAnswer>[] = [];
  if (loading !== null && !loading.isSlow) {
    const { ticket } = loading;
    timers.push(timer(`slow page ${ticket}`, SLOW_MS, { type: 'page-slow', ticket }));
  }
  const meaning = inspector?.meaning;
  if (meaning?.status === 'asked' && !meaning.isSlow) {
    const { ticket } = meaning;
    timers.push(timer(`slow explanation ${ticket}`, SLOW_MS, { type: 'explanation-slow', ticket }));
  }
  if (watchS > 0 && page !== null && loading === null)
    timers.push(timer(`watch ${page.receivedAtMs}`, watchS * 1000, { type: 'watch-due' }));
  if (spokenOf !== null) timers.push(timer(`rest ${view.row}`, REST_MS, { type: 'rested' }));
  return timers;
}

const timer = (key: string, afterMs: number, due: ListAnswer): Effect<ListAnswer> => ({
  key,
  isBackground: true,
  run: async (world, signal) => {
    await world.wait(afterMs, signal);
    return [due];
  },
  failed: () => [],
});
