import type { PageRequest } from '../resources/page-request.ts';
import type { Around, Row } from '../resources/resource.ts';
import { openTicket } from './model/meaning.ts';
import type { SessionState } from './model/state.ts';
import { type Timer, timers } from './timers.ts';
import { type WholeWish, wholeWishes } from './whole-wishes.ts';

/** Something the state wants done in the world. `key` tells one wish from another as long as it is open. */
export type Wish =
  | Timer
  | ({ readonly key: string } & (
      | WholeWish
      | {
          readonly kind: 'page';
          readonly ticket: number;
          readonly resource: string;
          readonly request: PageRequest;
        }
      | {
          readonly kind: 'explain';
          readonly ticket: number;
          readonly resource: string;
          readonly row: Row;
          readonly around: Around;
        }
    ));

/** Everything the state wants now, made of the state alone. */
export function wishesOf(state: SessionState): readonly Wish[] {
  if (state.isEnded) return [];
  return nodeWishes(state);
}

function nodeWishes(state: SessionState): readonly Wish[] {
  if (state.node.status !== 'ready') return [];
  return [...pageWishes(state), ...wholeWishes(state), ...explainWishes(state), ...timers(state)];
}

function pageWishes(state: SessionState): readonly Wish[] {
  return Object.values(state.browsers).flatMap(({ resource, loading, prefetching }) =>
    [loading, prefetching].flatMap(wish =>
      wish === null
        ? []
        : [
            {
              key: `page ${resource} ${wish.ticket}`,
              kind: 'page',
              ticket: wish.ticket,
              resource,
              request: wish.request,
            } as const,
          ],
    ),
  );
}

function explainWishes(state: SessionState): readonly Wish[] {
  return Object.values(state.browsers).flatMap(({ resource, inspector }) => {
    const ticket = inspector && openTicket(inspector.meaning);
    if (inspector === null || ticket === null) return [];
    const { row, around } = inspector;
    return [{ key: `explain ${resource} ${ticket}`, kind: 'explain', ticket, resource, row, around } as const];
  });
}
