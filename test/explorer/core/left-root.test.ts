import { describe, expect, it } from 'vitest';
import { leaveRoot, restoreRoot } from '../../../src/explorer/app/layers.ts';
import { savedTabState } from '../../../src/explorer/app/open-screens.ts';
import { eraseScreenTypes } from '../../../src/explorer/core/any-screen.ts';
import type { TextScreen } from '../../../src/explorer/core/screen.ts';
import { startSession } from '../support/fake-world.ts';
import { openAlone, PAGE } from './own-screen.ts';

interface Reading {
  readonly at: number;
  readonly size: number;
  readonly isWaiting: boolean;
}

const reading: TextScreen<Reading, never, null> = {
  kind: 'text',
  title: 'a list',
  ...PAGE,
  open: () => ({ at: 7, size: 50, isWaiting: true }),
  keys: [],
  handlers: {},
  move: state => state,
  tab: {
    id: 'own',
    afterSwitch: () => null,
    root: {
      news: state => ({ state }),
      wayBack: {
        left: state => ({ state: { ...state, isWaiting: false }, rows: 50 }),
        returned: ({ size }, left) => ({ ...left, size }),
      },
      saved: ({ size }, { preferences }) => ({
        now: { pageSize: size },
        opened: { pageSize: preferences.pageSize ?? 50 },
      }),
    },
  },
  body: () => [],
};

async function shown(own: TextScreen<Reading, never, null>, size = 50) {
  const { session } = await startSession();
  const { layer } = openAlone(session.state(), own);
  const layers = [{ ...layer, state: { at: 0, size, isWaiting: true } }];
  return { state: { ...session.state(), layers, preferences: { pageSize: 20 } }, screens: eraseScreenTypes({ own }) };
}

describe('Tab that is a screen', () => {
  it('A tab that is a screen returns as it was left, without what it waited for, and with newer settings', async () => {
    const { state, screens } = await shown(reading);
    const { state: left, rows } = leaveRoot(state, 'own', screens);
    expect([left, rows]).toEqual([{ at: 0, size: 50, isWaiting: false }, 50]);
    const since = await shown(reading, 500);
    const back = restoreRoot(since.state, { tab: 'own', left }, screens);
    expect(back.layers[0]?.state).toEqual({ at: 0, size: 500, isWaiting: false });
  });

  it('A tab that is a screen stays as it is when it does not say how it is left, and other tabs have nothing', async () => {
    const { state, screens } = await shown({
      ...reading,
      tab: { id: 'own', afterSwitch: () => null, root: { news: list => ({ state: list }) } },
    });
    expect(leaveRoot(state, 'own', screens)).toEqual({ state: null, rows: 0 });
    expect(restoreRoot(state, { tab: 'own', left: null }, screens)).toBe(state);
    expect(leaveRoot(state, 'fees', screens)).toEqual({ state: null, rows: 0 });
    expect(savedTabState(state, 'own', screens)).toBeUndefined();
  });

  it('A tab that is a screen says what of it is restored at the next start', async () => {
    const { state, screens } = await shown(reading);
    expect(savedTabState(state, 'own', screens)).toEqual({ now: { pageSize: 50 }, opened: { pageSize: 20 } });
  });
});
