import type { Action } from '../core/action.ts';
import type { Effect } from '../core/effect.ts';
import type { SessionState } from '../core/state.ts';
import { nextChangeMs, shownAsOfMs } from './layers.ts';
import { nextTrustMs } from './trust.ts';

/** Waits for the time at which something on the screen is another thing by the clock alone. */
export function clockEffects(state: SessionState): readonly Effect<Action>[] {
  const { node, tab } = state;
  if (node.status !== 'ready') return [];
  const changes = [nextChangeMs(state), nextTrustMs(state, shownAsOfMs(state))].filter(ms => ms !== undefined);
  const nextMs = Math.min(...changes);
  return [
    ...(node.blockedUntilMs > node.nowMs ? [tick(`tick ${node.nowMs}`, 1000)] : []),
    ...(changes.length === 0 ? [] : [tick(`age ${tab} ${node.nowMs} ${nextMs}`, nextMs)]),
  ];
}

const tick = (key: string, afterMs: number): Effect<Action> => ({
  key,
  isBackground: true,
  run: async (world, signal) => {
    await world.wait(afterMs, signal);
    return [{ type: 'ticked', nowMs: world.nowMs() }];
  },
  failed: () => [],
});
