import { contextOf, type TopScreen } from '../../../src/explorer/app/layers.ts';
import { withOpened, withScreen } from '../../../src/explorer/core/stack.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { type Opens, untyped } from '../../../src/explorer/core/untyped.ts';

/** A screen that is not in the registry, open over the tab that is shown. */
export function openAlone(state: SessionState, own: Opens<null>): TopScreen {
  const screens = untyped({ own });
  const [layer] = withOpened(screens, [], { id: 1, name: 'own', opening: null, shown: [] }, seen =>
    contextOf(state, seen),
  );
  const open = layer && withScreen(screens, layer);
  if (layer === undefined || open === undefined) throw new Error('it did not open');
  return { ...open, context: contextOf({ ...state, layers: [layer] }, layer) };
}
