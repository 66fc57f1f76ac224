import { topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';

/** What has the keys: a screen, something that lies over one, or a text field of one of the two. */
export type Mode = 'layer' | 'layer-overlay' | 'layer-field';

export function modeOf(state: SessionState): Mode {
  const layer = topLayer(state);
  if (layer === undefined) return 'layer';
  return layer.field !== null ? 'layer-field' : layer.isOverlay ? 'layer-overlay' : 'layer';
}

/** Whether what is typed goes into a field. */
export const isTyping = (mode: Mode): boolean => mode === 'layer-field';
