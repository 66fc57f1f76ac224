import type { ViewerTables } from '../answers/index.ts';
import { messageOf } from '../explorer/services/failure.ts';
import type { World } from '../explorer/services/world.ts';
import type { Fact } from './model/action.ts';
import type { ViewerFact } from './model/viewer-action.ts';
import type { ViewerWish } from './viewer-wishes.ts';

/** Does one wish about tables on the disk and returns the facts that come of it. */
export async function fulfilViewerWish(
  wish: ViewerWish,
  { tables, offerFor }: Pick<World, 'tables' | 'offerFor'>,
  signal: AbortSignal,
  tell: (fact: Fact) => void,
): Promise<readonly Fact[]> {
  const { ticket } = wish;
  if (wish.kind === 'view-offers') return [inViewer({ ticket, kind: 'offered', ...(await offerFor(wish.table)) })];
  if (wish.kind !== 'view-files') return [inViewer(await answerOf(wish, tables.of(wish.viewer), signal, tell))];
  const opened = ({ tables: known, notes, sql, questions }: ViewerTables) =>
    tell(inViewer({ ticket, kind: 'opened', tables: known, notes, sql, questions }));
  const progressed = (progress: Extract<ViewerFact, { readonly kind: 'opening' }>['progress']) =>
    tell(inViewer({ ticket, kind: 'opening', progress }));
  await tables.hold({ ...wish.asked, id: ticket }, { opened, progressed }, signal);
  return [];
}

const inViewer = (told: ViewerFact): Fact => ({ type: 'viewer-told', told });

async function answerOf(
  wish: Exclude<ViewerWish, { readonly kind: 'view-files' | 'view-offers' }>,
  source: ViewerTables,
  signal: AbortSignal,
  tell: (fact: Fact) => void,
): Promise<ViewerFact> {
  const { ticket } = wish;
  switch (wish.kind) {
    case 'view-rows': {
      const { looked, from, rows } = wish;
      return { ticket, kind: 'rows', from, rows: await source.rows({ ...looked, from, rows }, signal) };
    }
    case 'view-arrange':
      return { ticket, kind: 'arranged', count: await source.arrange(wish.looked, signal) };
    case 'view-find': {
      const onProgress = (done: number) => tell(inViewer({ ticket, kind: 'finding', done }));
      return { ticket, kind: 'found', at: await source.find(wish.question, onProgress, signal) };
    }
    case 'view-count': {
      const { looked, column } = wish;
      return { ticket, kind: 'counted', counts: await source.count({ ...looked, column }, signal) };
    }
    case 'view-chart':
      return { ticket, kind: 'charted', points: await source.chart(wish.question, signal) };
  }
}

/** The fact that comes of it when it could not be done. */
export function viewerWishFailed({ kind, ticket }: ViewerWish, error: unknown): readonly Fact[] {
  const problem = messageOf(error);
  switch (kind) {
    case 'view-files':
      return [inViewer({ ticket, kind: 'not-opened', problem, hint: hintOf(error) })];
    case 'view-offers':
      return [inViewer({ ticket, kind: 'offered', hasEngine: false, questions: [] })];
    case 'view-rows':
      return [inViewer({ ticket, kind: 'no-rows', problem: [problem, hintOf(error)].filter(Boolean).join('; ') })];
    case 'view-arrange':
    case 'view-find':
    case 'view-count':
    case 'view-chart':
      return [inViewer({ ticket, kind: 'failed', problem })];
  }
}

// Errors of answers say what can be done; their class is loaded with the answers.
const hintOf = (error: unknown): string =>
  error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
