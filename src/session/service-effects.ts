import type { Effect } from '../explorer/core/effect.ts';
import { historyEffects } from '../explorer/services/history/history.ts';
import { viewsEffects } from '../explorer/services/views/views.ts';
import type { Action } from './model/action.ts';
import { topLayer } from './model/layer.ts';
import type { SessionState } from './model/state.ts';

/** What the services ask for, which outlive the screens. */
export function serviceEffects(state: SessionState): readonly Effect<Action>[] {
  if (state.isEnded) return [];
  const { history, views } = state;
  const isCommandLine = topLayer(state)?.screen === 'command-line';
  return [...viewsEffects(views), ...historyEffects(history, isCommandLine)];
}
