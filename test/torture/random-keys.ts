import { TABS } from '../../src/explorer/tabs.ts';
import { randomFrom } from '../support/random-numbers.ts';
import { tabKey } from '../support/tabs.ts';

/** One thing a person does at the terminal. */
export type Input =
  /** A key by the name the keymap has for it: `j`, `enter`, `ctrl-u`, `esc`. */
  | { readonly kind: 'key'; readonly key: string }
  /** Characters, one after the other: text where a field has the keys, else keys. */
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'resize'; readonly columns: number; readonly rows: number };

/** Numbers from 0 to below 1, the same for the same seed. */
export type Chance = () => number;

export const chanceOf: (seed: number) => Chance = randomFrom;

export function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Endless keys, texts, pastes and resizes; none of them ends or suspends the program. */
export function* randomInputs(chance: Chance): Generator<Input, never> {
  for (;;) {
    const dice = chance();
    if (dice < 0.62) yield { kind: 'key', key: pick(chance, KEYS) };
    else if (dice < 0.92) yield* pick(chance, HABITS).map(step => inputOf(chance, step));
    else if (dice < 0.95) yield { kind: 'paste', text: pick(chance, TEXTS) };
    else yield { kind: 'resize', ...pick(chance, SIZES) };
  }
}

const inputOf = (chance: Chance, step: string): Input =>
  step === TEXT ? { kind: 'type', text: pick(chance, TEXTS) } : { kind: 'key', key: step };

const KEYS: readonly string[] = [
  ...['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'home', 'end', 'enter', 'esc', 'tab', 'shift-tab', 'space'],
  ...['ctrl-u', 'ctrl-d', 'ctrl-f', 'ctrl-b', 'ctrl-l', 'backspace', 'delete', 'ctrl-a', 'ctrl-e', 'ctrl-k', 'ctrl-w'],
  ...'hjklgGJKRnNp[]<>rowzfFx/scy:?+-vi'.split(''),
  ...TABS.map(({ key }) => key),
];

/** Stands for a text of those below. */
const TEXT = '(text)';

/** What people press in one go; single keys hardly ever get so deep. */
const HABITS: readonly (readonly string[])[] = [
  ['2', 'f', 'down', 'enter'],
  ['f', 'down', 'tab', 'down', 'enter'],
  ['f', TEXT, 'enter'],
  ['=', 'enter'],
  ['F', 'down', 'enter', 'down', 'enter'],
  ['enter', '/', TEXT, 'enter', 'n', 'N', 'esc'],
  ['x', 'esc'],
  ['esc', '2', 'x'],
  ['esc', 'n'],
  ['esc', 'r'],
  ['esc', 'esc', 'esc'],
  ['/', TEXT, 'enter'],
  ['/', TEXT, 'esc'],
  ['s', 'down', 'enter'],
  ['s', 'down', 'down', 'enter', 's', 'down', 'down', 'enter'],
  ['c', 'down', 'enter', 'down', 'enter', 'esc'],
  ['o', 'n', 'n', 'p'],
  ['enter', '+', '/', TEXT, 'enter', 'esc', 'esc'],
  ['enter', 'R', 'G', 'esc'],
  ['l', 'l', 'l', 'h'],
  [':', TEXT, 'enter'],
  [tabKey('history'), 'w', 'enter', TEXT, 'tab', TEXT, 'enter', 'enter', 'enter'],
  ['y', 'down', 'enter'],
  ['g', 'enter'],
  ['g', 'down', 'down', 'enter', 'down', 'backspace'],
  ['enter', 'down', 'down', 'g', 'enter', 'esc', 'backspace'],
  ['?', '/', TEXT, 'enter'],
];

const TEXTS: readonly string[] = [
  '',
  '1',
  '2000',
  'true',
  'e20',
  'ab',
  '00',
  'f4240',
  'ACTIVE',
  'reference-7',
  'ab'.repeat(32),
  `${'0'.repeat(58)}0f4240`,
  'provisions market=ab live=true',
  'fees epoch=7',
  'sort version',
  'size 10',
  'next page',
  'no such thing',
  '\u6f22\u5b57 e\u0301\u0301 \u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  '\u001b[2J\u0007\u202e\u0000',
  'two\r\nlines\tand a tab',
  'x'.repeat(5000),
];

const SIZES: readonly { readonly columns: number; readonly rows: number }[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
  { columns: 40, rows: 12 },
  { columns: 39, rows: 11 },
  { columns: 41, rows: 13 },
  { columns: 110, rows: 20 },
  { columns: 400, rows: 12 },
];
