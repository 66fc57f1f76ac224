import { openScreen } from '../../../src/explorer/app/layers.ts';
import { layerContext, type TopScreen } from '../../../src/explorer/app/open-screens.ts';
import { eraseScreenTypes, type Openable } from '../../../src/explorer/core/any-screen.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';

/** What a page has that shows nothing of its own. */
export const PAGE = {
  isOverlay: false,
  needs: null,
  description: '',
  settle: <State>(state: State): State => state,
  around: { head: () => [], place: () => '' },
  body: () => [],
  effects: () => [],
  waits: () => undefined,
  output: { copies: () => [] },
} as const;

/** A screen that is not in the registry, open over the tab that is shown. */
export function openAlone(state: SessionState, own: Openable<null>): TopScreen {
  const screens = eraseScreenTypes({ own });
  const [layer] = openScreen({ ...state, layers: [] }, { screen: 'own', opening: null }, screens).layers;
  const { own: screen } = screens;
  if (layer === undefined || screen === undefined) throw new Error('it did not open');
  return { layer, screen, context: layerContext({ ...state, layers: [layer] }, layer) };
}
