import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { KEYMAP } from '../../src/session/reduce/keymap.ts';
import { isFieldKey, keyNamesOf } from '../../src/ui/keys.ts';

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

describe('key names', () => {
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
  ])('of %j with %j are %j', (input, flags, names) => {
    expect(keyNamesOf(input, { ...NONE, ...flags })).toEqual(names);
  });

  it('name every key of the keymap in a way a terminal can send', () => {
    const special =
      /^(?:enter|esc|up|down|left|right|pageup|pagedown|home|end|tab|shift-tab|space|backspace|ctrl-[a-z]|[!-~])$/;
    expect(KEYMAP.flatMap(({ keys }) => keys).filter(key => !special.test(key))).toEqual([]);
  });
});

describe('in a field', () => {
  it('text, and the keys that move in it, belong to the field', () => {
    expect(
      ['a', 'q', '?', ':', 'space', 'left', 'home', 'end', 'backspace', 'delete'].filter(key => !isFieldKey(key)),
    ).toEqual([]);
  });

  it('what leads out of it or through it does not', () => {
    expect(['enter', 'esc', 'up', 'down', 'tab', 'shift-tab', 'ctrl-u', 'ctrl-c', 'alt-x'].filter(isFieldKey)).toEqual(
      [],
    );
  });
});
