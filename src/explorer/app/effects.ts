import type { Action } from '../core/action.ts';
import { topLayer } from '../core/layer.ts';
import type { Effect } from '../core/runner.ts';
import type { SessionState } from '../core/state.ts';
import { chainHistoryEffects } from '../services/chain-history/chain-history.ts';
import { copyEffects } from '../services/copying/copying.ts';
import { jobEffects } from '../services/export-job.ts';
import { historyEffects } from '../services/history/history.ts';
import { mineEffects } from '../services/mine/mine.ts';
import { namesEffects } from '../services/names/names.ts';
import { nodeEffects } from '../services/node/node.ts';
import { viewsEffects } from '../services/views/views.ts';
import { SPINNER_DELAY_MS, SPINNER_FRAME_MS } from '../services/wait.ts';
import { currentWait } from './current-wait.ts';
import { isNodeChecked, nextChangeMs, shownDataTimeMs } from './open-screens.ts';
import { nextTrustMs } from './trust.ts';

/** What the services ask for, which outlive the screens. */
export function serviceEffects(state: SessionState): readonly Effect<Action>[] {
  if (state.isEnded) return [];
  const { history, views, node, preferences, naming, copying, saving, mine } = state;
  const isCommandLine = topLayer(state)?.screen === 'command-line';
  return [
    ...jobEffects(state),
    ...chainHistoryEffects(state.chainHistory, node),
    ...viewsEffects(views),
    ...copyEffects(copying, saving),
    ...historyEffects(history, isCommandLine),
    ...nodeEffects(node, isNodeChecked(state) ? { ...preferences, nodeCheck: 'off' } : preferences),
    ...namesEffects(naming, node),
    ...mineEffects(mine, node),
  ];
}

/** Waits for the time at which the clock changes something on the screen. */
export function clockEffects(state: SessionState): readonly Effect<Action>[] {
  const { node, tab } = state;
  if (node.status !== 'ready') return [];
  const trustMs = nextTrustMs(state, shownDataTimeMs(state), { isAskedByScreen: isNodeChecked(state) });
  const changes = [nextChangeMs(state), trustMs].filter(ms => ms !== undefined);
  const nextMs = Math.min(...changes);
  return [
    ...(node.blockedUntilMs > node.nowMs ? [tick(`tick ${node.nowMs}`, 1000)] : []),
    ...(changes.length === 0 ? [] : [tick(`age ${tab} ${node.nowMs} ${nextMs}`, nextMs)]),
  ];
}

/** Moves the spinner of the current wait, once the wait takes long. */
export function spinnerEffects(state: SessionState): readonly Effect<Action>[] {
  const wait = currentWait(state);
  if (wait === undefined) return [];
  const { spin } = state;
  const isShown = spin?.key === wait.key;
  return [
    {
      key: `spin ${wait.key} ${isShown ? spin.frames : ''}`,
      isBackground: true,
      run: async (world, signal) => {
        await world.wait(isShown ? SPINNER_FRAME_MS : SPINNER_DELAY_MS, signal);
        return [{ type: 'spun', key: wait.key, nowMs: world.nowMs() }];
      },
      failed: () => [],
    },
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
