import type { Action } from '../core/action.ts';
import type { Effect } from '../core/effect.ts';
import { topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';
import { copyEffects } from '../services/copying/copying.ts';
import { jobEffects } from '../services/export-job.ts';
import { historyEffects } from '../services/history/history.ts';
import { mineEffects } from '../services/mine/mine.ts';
import { namesEffects } from '../services/names/names.ts';
import { nodeEffects } from '../services/node/node.ts';
import { viewsEffects } from '../services/views/views.ts';
import { isNodeChecked } from './layers.ts';

/** What the services ask for, which outlive the screens. */
export function serviceEffects(state: SessionState): readonly Effect<Action>[] {
  if (state.isEnded) return [];
  const { history, views, node, preferences, naming, copying, saving, mine } = state;
  const isCommandLine = topLayer(state)?.screen === 'command-line';
  return [
    ...jobEffects(state),
    ...viewsEffects(views),
    ...copyEffects(copying, saving),
    ...historyEffects(history, isCommandLine),
    ...nodeEffects(node, isNodeChecked(state) ? { ...preferences, nodeCheck: 'off' } : preferences),
    ...namesEffects(naming, node),
    ...mineEffects(mine, node),
  ];
}
