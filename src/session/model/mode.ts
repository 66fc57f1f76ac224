import { topLayer } from './layer.ts';
import { type Pane, paneOf } from './pane.ts';
import type { SessionState } from './state.ts';

/** What has the keys. */
export type Mode =
  | 'table'
  | 'inspector'
  | 'filters'
  | 'filters-offered'
  /** A screen over the tab has them, something that lies over what is shown, or a text field of one of the two. */
  | 'layer'
  | 'layer-overlay'
  | 'layer-field';

export function modeOf(state: SessionState): Mode {
  const { tab } = state;
  const layer = topLayer(state);
  if (layer !== undefined) return layer.field !== null ? 'layer-field' : layer.isOverlay ? 'layer-overlay' : 'layer';
  const browser = state.browsers[tab];
  return browser === undefined ? 'table' : MODE_OF[paneOf(browser)];
}

export const MODE_OF = {
  list: 'table',
  record: 'inspector',
  filters: 'filters',
  'offered-filters': 'filters-offered',
} as const satisfies { readonly [pane in Pane]: Mode };

/** Modes in which what is typed goes into a field. */
export type TypingMode = (typeof TYPING)[number];

const TYPING = ['filters', 'layer-field'] as const satisfies readonly Mode[];

export const isTyping = (mode: Mode): mode is TypingMode => TYPING.some(typing => typing === mode);
