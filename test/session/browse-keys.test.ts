import { describe, expect, it } from 'vitest';
import type { ScreenKey } from '../../src/explorer/core/screen.ts';
import type { BrowseEvent } from '../../src/session/model/browse-event.ts';
import { paneOf } from '../../src/session/model/pane.ts';
import type { Browser } from '../../src/session/model/state.ts';
import { BROWSE_KEYS } from '../../src/session/reduce/browse-keys.ts';
import { bindingsOf } from '../../src/session/reduce/keymap.ts';
import { listContext } from '../../src/session/reduce/tab-list.ts';
import { browserOf, press } from './fake-world.ts';
import { offered, onFirstPage } from './list-scenes.ts';

/** The keys of lists as a screen has them. */
const SCREEN_KEYS: readonly ScreenKey<Browser, BrowseEvent>[] = BROWSE_KEYS.map(({ panes, when, ...key }) => ({
  ...key,
  when: (list, context) => panes.includes(paneOf(list)) && when?.(list, context) !== false,
}));

const SCENES = {
  list: onFirstPage,
  record: async () => pressed(await onFirstPage(), 'enter'),
  filters: async () => pressed(await onFirstPage(), 'f'),
  'offered-filters': offered,
};

type Scene = Awaited<ReturnType<typeof onFirstPage>>;

function pressed(scene: Scene, key: string): Scene {
  press(scene.session, key);
  return scene;
}

describe('the keys of a list', () => {
  it.each(Object.entries(SCENES))('are those of a screen: %s', async (pane, enter) => {
    const { session } = await enter();
    const state = session.state();
    const list = browserOf(session);
    expect(paneOf(list)).toBe(pane);
    const context = { ...listContext(state, list), to: fail, live: fail, below: state };
    const own = SCREEN_KEYS.filter(({ when }) => when?.(list, context) !== false);
    const bound = bindingsOf(state);
    for (const { keys, title, disabledReason } of own) {
      const binding = bound.find(row => row.title === title && row.keys.join() === keys.join());
      expect(binding, title).toBeDefined();
      expect(binding?.off?.(state), title).toBe(disabledReason?.(list, context));
    }
  });
});

const fail = (): never => {
  throw new Error('no key asks for that');
};
