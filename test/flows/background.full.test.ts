import { describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { bundle } from './support/explorer.ts';

const QUESTION = '\u001b]11;?\u001b\\\u001b[c';
const REPLY = { dark: '\u001b]11;rgb:0000/2b2b/3636\u001b\\', light: '\u001b]11;rgb:fdfd/f6f6/e3e3\u0007' } as const;
/** Background of the tab shown, by theme. */
const TAB = { dark: 'ansi-141', light: 'ansi-54' } as const;

const open = (
  env: Readonly<Record<string, string | undefined>> = {},
  args: readonly string[] = [],
  backgroundReply?: string,
): Promise<Terminal> =>
  openTerminal({
    command: process.execPath,
    args: [bundle, '--demo', ...args],
    env: { NO_COLOR: undefined, TERM: 'xterm-256color', ...env },
    ...(backgroundReply !== undefined && { backgroundReply }),
  });

const asked = (terminal: Terminal): boolean => terminal.raw.includes(QUESTION);

const hasTab = (terminal: Terminal, colour: string): boolean => terminal.cells(1).some(({ bg }) => bg === colour);

describe('Background of the terminal', () => {
  it.each(['dark', 'light'] as const)('A terminal that reports a %s background gets the theme for it', async kind => {
    await using terminal = await open({}, [], REPLY[kind]);
    await terminal.waitFor(() => hasTab(terminal, TAB[kind]));
  });

  it('Keys typed before, within and behind the reply count, and nothing of the reply is typed', async () => {
    await using terminal = await open();
    await terminal.waitFor(() => asked(terminal));
    terminal.send(`:par${REPLY.light}ameters`);
    await terminal.waitFor(': parameters');
    await terminal.press('enter');
    await terminal.waitFor('KEY');
    expect(terminal.screen()).not.toMatch(/rgb|f6f6/);
  });

  it.each([
    ['the Linux console', { TERM: 'linux' }, []],
    ['a terminal without colour', { NO_COLOR: '1' }, []],
    ['a theme that was chosen', {}, ['--theme', 'dark']],
  ] as const)('With %s nothing is asked', async (_, env, args) => {
    await using terminal = await open(env, args);
    await terminal.waitFor('Parameters');
    expect(asked(terminal)).toBe(false);
  });

  it('COLORFGBG tells the background of a terminal that does not reply', async () => {
    await using terminal = await open({ COLORFGBG: '0;15' });
    await terminal.waitFor(() => hasTab(terminal, TAB.light));
  });
});
