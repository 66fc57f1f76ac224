import type { Effect } from '../explorer/core/effect.ts';
import { copyEffects } from '../explorer/services/copying/copying.ts';
import { jobEffects } from '../explorer/services/export-job.ts';
import { historyEffects } from '../explorer/services/history/history.ts';
import { mineEffects } from '../explorer/services/mine/mine.ts';
import { namesEffects } from '../explorer/services/names/names.ts';
import { nodeEffects } from '../explorer/services/node/node.ts';
import { viewsEffects } from '../explorer/services/views/views.ts';
import type { Action } from './model/action.ts';
import { topLayer } from './model/layer.ts';
import type { SessionState } from './model/state.ts';
import { isNodeChecked } from './reduce/layers.ts';

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
