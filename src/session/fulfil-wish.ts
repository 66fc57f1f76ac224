import type { World } from '../explorer/services/world.ts';
import type { GatherProgress } from '../resources/gather-list.ts';
import type { Fact } from './model/action.ts';
import type { ArrangeProgress } from './model/arrangement.ts';
import type { Wish } from './wish.ts';

/** Does one wish and returns the facts that come of it. */
export async function fulfilWish(
  wish: Wish,
  world: World,
  signal: AbortSignal,
  tell: (fact: Fact) => void,
): Promise<readonly Fact[]> {
  switch (wish.kind) {
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
      const { ticket, resource, row, around } = wish;
      const explanation = await world.explain(resource, row, around, signal);
      return [{ type: 'explained', ticket, resource, explanation: explanation ?? null }];
    }
    case 'timer':
      await world.wait(wish.afterMs, signal);
      return [wish.fact.type === 'ticked' ? { type: 'ticked', nowMs: world.nowMs() } : wish.fact];
  }
}
