import { openScreen } from '../../../src/explorer/app/layers.ts';
import { layerContext, type TopScreen } from '../../../src/explorer/app/open-screens.ts';
import { eraseScreenTypes, type Openable } from '../../../src/explorer/core/any-screen.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';

/** A screen that is not in the registry, open over the tab that is shown. */
export function openAlone(state: SessionState, own: Openable<null>): TopScreen {
  const screens = eraseScreenTypes({ own });
  const [layer] = openScreen({ ...state, layers: [] }, { screen: 'own', opening: null }, screens).layers;
  const { own: screen } = screens;
  if (layer === undefined || screen === undefined) throw new Error('it did not open');
  return { layer, screen, context: layerContext({ ...state, layers: [layer] }, layer) };
}
