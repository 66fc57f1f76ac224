import type { Effect } from '../explorer/core/effect.ts';
import { browseEffects } from './browse-effects.ts';
import type { Action } from './model/action.ts';
import type { BrowseEvent, ListAnswer } from './model/browse-event.ts';
import type { SessionState } from './model/state.ts';

/** What the lists of all tabs ask for, with the answers addressed to them. */
export const listEffects = (state: SessionState): readonly Effect<Action>[] =>
  Object.values(state.browsers).flatMap(list =>
    browseEffects(list, state).map(effect => addressed(list.resource, effect)),
  );

function addressed(resource: string, effect: Effect<ListAnswer>): Effect<Action> {
  const toList = (event: BrowseEvent): Action => ({ type: 'list-event', resource, event });
  return {
    ...effect,
    key: `list ${resource} ${effect.key}`,
    run: async (world, signal, report) =>
      (await effect.run(world, signal, answer => report(toList(answer)))).map(toList),
    failed: (error, atMs) => effect.failed(error, atMs).map(toList),
  };
}
