import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { KEYMAP, SCREEN_KEYS } from '../../../src/explorer/app/keymap.ts';
import { pressedKeyNames, typedText } from '../../../src/explorer/terminal/keys.ts';

const NONE: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

describe('Key names', () => {
  it.each([
    ['', { upArrow: true }, ['up']],
    ['', { return: true }, ['enter']],
    ['', { escape: true }, ['esc']],
    ['', { tab: true }, ['tab']],
    ['', { tab: true, shift: true }, ['shift-tab']],
    ['c', { ctrl: true }, ['ctrl-c']],
    ['x', { meta: true }, ['alt-x']],
    ['G', { shift: true }, ['G']],
    [' ', {}, ['space']],
    ['jjk', {}, ['j', 'j', 'k']],
    ['é漢', {}, ['é', '漢']],
    ['a\tb\r\nc\u0015', {}, ['a', 'tab', 'b', 'enter', 'c', 'ctrl-u']],
    ['', {}, []],
  ])('The key names of %j with %j are %j', (input, flags, names) => {
    expect(pressedKeyNames(input, { ...NONE, ...flags })).toEqual(names);
  });

  it('The key names of the keymap can all be sent by a terminal', () => {
    const special =
      /^(?:enter|esc|up|down|left|right|pageup|pagedown|home|end|tab|shift-tab|space|backspace|delete|ctrl-[a-z]|[!-~])$/;
    expect([...KEYMAP, ...SCREEN_KEYS].flatMap(({ keys }) => keys).filter(key => !special.test(key))).toEqual([]);
  });
});

describe('Typed text of a key', () => {
  it.each(['a', 'q', '?', ':', 'é', '漢', '👩'])('The key %s types text in a field', name => {
    expect(typedText(name)).toBe(name);
  });

  it('The space bar types a space in a field', () => {
    expect(typedText('space')).toBe(' ');
  });

  it.each(['enter', 'esc', 'left', 'home', 'backspace', 'delete', 'tab', 'shift-tab', 'ctrl-u', 'alt-x'])(
    'The key %s types no text in a field',
    name => {
      expect(typedText(name)).toBeUndefined();
    },
  );
});
