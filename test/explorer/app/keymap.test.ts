import { describe, expect, it } from 'vitest';
import type { KeyTarget } from '../../../src/explorer/app/focus.ts';
import { bindingFor, currentBindings, KEYMAP } from '../../../src/explorer/app/keymap.ts';
import type { KeyAction } from '../../../src/explorer/core/action.ts';
import { SCREENS } from '../../../src/explorer/screens/registry.ts';
import { KEY_SCENES } from '../support/key-scenes.ts';
import { onFirstPage } from '../support/list-scenes.ts';

const rowsOf = (target: KeyTarget) => KEYMAP.filter(({ targets }) => targets.includes(target));

const TARGETS = [...new Set<KeyTarget>(KEYMAP.flatMap(({ targets }) => targets))];

// Every action type a key can have; the compiler keeps the list complete.
const ACTIONS: { readonly [type in KeyAction['type']]: true } = {
  'go-to-tab': true,
  'toggle-times': true,
  'next-tab': true,
  'previous-tab': true,
  move: true,
  'move-to': true,
  'open-prompt': true,
  'open-menu': true,
  'come-back': true,
  back: true,
  quit: true,
  interrupt: true,
  redraw: true,
  suspend: true,
  'edit-field': true,
  'toggle-screen': true,
  'step-moment': true,
  'in-layer': true,
};

describe('Keymap', () => {
  it('The keymap covers every target', () => {
    const targets: readonly KeyTarget[] = ['screen', 'overlay', 'field'];
    expect(new Set(TARGETS)).toEqual(new Set(targets));
  });

  it.each(Object.entries(KEY_SCENES))('The keymap gives no key two meanings: %s', async (_, enter) => {
    const keys = currentBindings((await enter()).session.state()).flatMap(binding => binding.keys);
    expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
  });

  it.each(TARGETS)('The keymap leads out of target %s', target => {
    const action = rowsOf(target).find(({ keys }) => keys.includes('esc'))?.action;
    expect(action?.type).toBe('back');
  });

  it.each(Object.entries(KEY_SCENES))(
    'The keymap gives no two keys of a scene the same title: %s',
    async (_, enter) => {
      const titles = currentBindings((await enter()).session.state()).map(({ title }) => title);
      expect(titles).toEqual([...new Set(titles)]);
    },
  );

  it('The keymap has a title for every binding, and no two of one target with the same', () => {
    for (const target of TARGETS) {
      const titles = rowsOf(target).map(({ title }) => title);
      expect(titles.every(title => title.trim() !== '')).toBe(true);
      expect(titles).toEqual([...new Set(titles)]);
    }
  });

  it('The keymap reaches every action that a key can have', () => {
    const ofScreens = Object.values(SCREENS).flatMap(({ keys }) => keys);
    const bound = ofScreens.flatMap(key => ('program' in key ? [key.program.type] : []));
    const reached = new Set<string>([...KEYMAP.map(({ action }) => action.type), ...bound]);
    // ctrl-c is not the keymap's: it always interrupts. Screens have keys of their own.
    expect(Object.keys(ACTIONS).filter(type => !reached.has(type))).toEqual(['interrupt', 'in-layer']);
  });

  it('The keymap gives no letter a meaning where text is typed', () => {
    for (const target of TARGETS.filter(target => target === 'field')) {
      const letters = rowsOf(target).flatMap(({ keys }) => keys.filter(key => key.length === 1));
      expect(letters, target).toEqual([]);
    }
  });

  it('The keymap sends each digit to its tab', async () => {
    const { session } = await onFirstPage();
    expect([0, 1, 2, 3, 4, 5].map(digit => bindingFor(session.state(), String(digit))?.action)).toEqual(
      [0, 1, 2, 3, 4, 5].map(index => ({ type: 'go-to-tab', index })),
    );
  });
});
