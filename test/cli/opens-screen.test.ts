import { expect, it } from 'vitest';
import { opensScreen } from '../../src/cli/opens-screen.ts';

const COMMANDS = ['list', 'view', 'serve'];

function opens(
  words: string,
  at: { readonly term?: string; readonly stdin?: boolean; readonly stdout?: boolean } = {},
) {
  const stdin = Object.assign(Object.create(process.stdin), { isTTY: at.stdin ?? true });
  const stdout = Object.assign(Object.create(process.stdout), { isTTY: at.stdout ?? true });
  const typed = words.split(' ').filter(word => word !== '');
  return opensScreen(typed, COMMANDS, { stdin, stdout, env: { TERM: at.term ?? 'xterm' } });
}

it.each([
  ['', true],
  ['--demo', true],
  ['markets --demo', true],
  ['explore markets', true],
  ['view trades.zip', true],
  ['list markets', false],
  ['--demo list markets', false],
  ['serve', false],
  ['--help', false],
  ['markets --help', false],
])('The command line "%s" opens a screen: %s', (words, isScreen) => {
  expect(opens(words)).toBe(isScreen);
});

it('The program opens no screen without a terminal at both ends, or on one without a cursor', () => {
  expect(opens('', { stdin: false })).toBe(false);
  expect(opens('', { stdout: false })).toBe(false);
  expect(opens('', { term: 'dumb' })).toBe(false);
});
