import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Binding } from '../../../src/explorer/app/binding.ts';
import { currentKeyTarget, type KeyTarget } from '../../../src/explorer/app/focus.ts';
import { currentBindings, KEYMAP } from '../../../src/explorer/app/keymap.ts';
import { reduce } from '../../../src/explorer/app/reduce.ts';
import type { KeyAction } from '../../../src/explorer/core/action.ts';
import { topLayer } from '../../../src/explorer/core/layer.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { SCREENS } from '../../../src/explorer/screens/registry.ts';
import { KEY_SCENES } from '../support/key-scenes.ts';

/** What the screen does with them, and the state does not: it is drawn again. */
const DRAWN_AGAIN: readonly KeyAction['type'][] = ['redraw', 'suspend'];

const states: SessionState[] = [];
for (const enter of Object.values(KEY_SCENES)) states.push((await enter()).session.state());

/** Whether a key changes more than the notice that every key takes away. */
function hasEffect(state: SessionState, action: KeyAction): boolean {
  const quiet = { ...state, notice: null };
  return !isDeepStrictEqual(reduce(quiet, action), quiet);
}

// Where each digit leads is told apart; the one of the tab that is shown leads nowhere.
const cases = KEYMAP.filter(({ action }) => !DRAWN_AGAIN.includes(action.type)).flatMap(binding =>
  (binding.action.type === 'go-to-tab' ? binding.keys.slice(0, 1) : binding.keys).flatMap(key =>
    binding.targets.map((target): readonly [KeyTarget, string, string, Binding] => [
      target,
      key,
      binding.title,
      binding,
    ]),
  ),
);

// One screen may have several names.
const screenKeys = [...new Set(Object.values(SCREENS))].flatMap(screen => {
  const names = Object.keys(SCREENS).filter(name => SCREENS[name] === screen);
  return screen.keys.flatMap(({ keys: [key = ''], title }) => [[names.join(', '), key, title, names] as const]);
});

describe('Keys of a screen', () => {
  it.each(screenKeys)('A key of a screen has an effect somewhere in %s: %s, %s', (_, key, title, names) => {
    const possible = states
      .filter(state => names.includes(topLayer(state)?.screen ?? ''))
      .flatMap(state =>
        currentBindings(state).flatMap(binding =>
          binding.keys.includes(key) && binding.title === title ? [{ state, binding }] : [],
        ),
      )
      .filter(({ state, binding }) => binding.disabledReason?.(state) === undefined);
    expect(possible.length).toBeGreaterThan(0);
    expect(possible.some(({ state, binding }) => hasEffect(state, binding.action))).toBe(true);
  });
});

describe('Keys of the keymap', () => {
  it.each(cases)(
    'A key of the keymap has an effect somewhere in target %s: %s, %s',
    (target, _key, _title, { action, disabledReason }) => {
      const possible = states.filter(
        state => currentKeyTarget(state) === target && disabledReason?.(state) === undefined,
      );
      expect(possible.length).toBeGreaterThan(0);
      expect(possible.some(state => hasEffect(state, action))).toBe(true);
    },
  );
});
