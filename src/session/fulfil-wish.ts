import { TimeoutError } from '../api/errors.ts';
import type { ChainAnswer, World } from '../explorer/services/world.ts';
import type { GatherProgress } from '../resources/gather-list.ts';
import { fulfilExportWish } from './export-wish.ts';
import { isExportWish } from './export-wishes.ts';
import type { Fact } from './model/action.ts';
import type { ArrangeProgress } from './model/arrangement.ts';
import { fulfilViewerWish } from './viewer-wish.ts';
import { isViewerWish } from './viewer-wishes.ts';
import type { Wish } from './wish.ts';

/** Does one wish and returns the facts that come of it. */
export async function fulfilWish(
  wish: Wish,
  world: World,
  signal: AbortSignal,
  tell: (fact: Fact) => void,
): Promise<readonly Fact[]> {
  if (isViewerWish(wish)) return fulfilViewerWish(wish, world, signal, tell);
  if (isExportWish(wish)) return fulfilExportWish(wish, world, signal, tell);
  switch (wish.kind) {
    case 'connect':
      return [{ type: 'node-connected', ...(await world.connect(wish.choice, signal)) }];
    case 'chain': {
      const { chainId, core, facts } = await world.chain(signal);
      return [{ type: 'chain-known', chainId, core: { told: core, atMs: world.nowMs() }, facts }];
    }
    case 'check': {
      const { chainId, core, facts } = await checked(world, signal);
      return [{ type: 'checked', ticket: wish.ticket, chainId, core: { told: core, atMs: world.nowMs() }, facts }];
    }
    case 'build':
      return [{ type: 'build-known', version: await world.version(signal) }];
    case 'directory': {
      const known = await world.directory(wish, signal);
      return [{ type: 'directory-known', from: wish.from, ...known, atMs: world.nowMs() }];
    }
    case 'page': {
      const { page, facts, size, note } = await world.page(wish.resource, wish.request, signal);
      return [
        {
          type: 'page-arrived',
          ticket: wish.ticket,
          resource: wish.resource,
          page,
          size,
          ...(note !== undefined && { note }),
          facts,
          atMs: world.nowMs(),
        },
      ];
    }
    case 'whole': {
      const { ticket, resource, request } = wish;
      const onProgress = (progress: GatherProgress) =>
        tell({ type: 'whole-progressed', ticket, resource, progress, atMs: world.nowMs() });
      const atMs = world.nowMs();
      const gathered = await world.whole(resource, request, onProgress, signal);
      return [{ type: 'whole-arrived', ticket, resource, gathered, atMs }];
    }
    case 'arrange': {
      const { ticket, question } = wish;
      const resource = question.resource.id;
      const onProgress = (progress: ArrangeProgress) =>
        tell({ type: 'arrange-progressed', ticket, resource, progress });
      return [{ type: 'arranged', ticket, resource, places: await world.arrange(question, onProgress, signal) }];
    }
    case 'explain': {
      const explanation = await world.explain(wish.resource, wish.row, wish.around, signal);
      return [{ type: 'explained', ticket: wish.ticket, explanation: explanation ?? null }];
    }
    case 'copy':
      return [{ type: 'copied', ticket: wish.ticket, ...(await world.copy(wish, signal)) }];
    case 'save':
      return [{ type: 'saved', ticket: wish.ticket, saved: await world.save(wish, signal) }];
    case 'timer':
      await world.wait(wish.afterMs, signal);
      return [wish.fact.type === 'ticked' ? { type: 'ticked', nowMs: world.nowMs() } : wish.fact];
  }
}

/** A node that takes longer for its own state has stopped answering. */
const CHECK_LIMIT_MS = 10_000;

async function checked(world: World, signal: AbortSignal): Promise<ChainAnswer> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = world.wait(CHECK_LIMIT_MS, either).then(() => {
    throw new TimeoutError('no answer', { url: '', hint: '' });
  });
  return Promise.race([world.chain(either), late]).finally(() => over.abort());
}
