import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import type { Terminal } from '../support/terminal.ts';
import { goToTab, hasRows, openExplorer, statusLine } from './support/explorer.ts';

const ESC = '\u001b';

/** It still hears keys, and gives the terminal back as it was. */
async function endsWell(terminal: Terminal): Promise<void> {
  await terminal.press('escape', 'escape', '2');
  await terminal.waitFor(openTab('provisions'), { deadlineMs: 20_000 });
  await terminal.press('q');
  expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
  expect([terminal.inAlternateScreen, terminal.bracketedPaste, terminal.cursorVisible]).toEqual([false, false, true]);
}

const MARKED = (text: string): string => `${ESC}[200~${text}${ESC}[201~`;

const FLOODS: readonly (readonly [name: string, text: string])[] = [
  ['ten thousand cursor reports', `${ESC}[6;2R`.repeat(10_000)],
  ['ten thousand mouse reports', `${ESC}[<64;3;9M${ESC}[<0;3;9M`.repeat(5000)],
  ['mouse reports without an end', `${ESC}[<0;3;9`.repeat(2000)],
  ['a marked paste of a megabyte', MARKED('0123456789abcdef'.repeat(65_536))],
  ['a marked paste of sequences', MARKED(`${ESC}[2J${ESC}]0;owned\u0007${ESC}[6;2R${ESC}[?1049l\u0007`.repeat(200))],
  [
    'sequences of a terminal that nobody asked',
    `${ESC}[?62;c${ESC}]11;rgb:0/0/0${ESC}\\${ESC}P1$r0m${ESC}\\`.repeat(50),
  ],
  [
    'strings of each family, ended by ST and by BEL',
    [...']P_^X']
      .flatMap(family => [`${ESC}${family}11;rgb:qq:q${ESC}\\`, `${ESC}${family}:q\u0007`])
      .join('')
      .repeat(50),
  ],
  ['bytes that are no UTF-8', '\u00ff\u00fe\u0080'.repeat(500)],
];

describe('Hostile terminal input', { timeout: 60_000 }, () => {
  it.each(FLOODS)('The explorer survives hostile input in a list and in a field: %s', async (_, text) => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['parameters'], columns: 100 });
    terminal.send(text);
    await terminal.press('escape', 'escape', '1');
    await terminal.waitFor(screen => screen.includes(openTab('parameters')) && hasRows(screen), { deadlineMs: 20_000 });
    await terminal.press('/');
    terminal.send(text);
    await terminal.press('ctrl-u', 'z');
    await terminal.waitFor(screen => /loaded rows: \S*z/.test(statusLine(screen)), { deadlineMs: 20_000 });
    expect(terminal.title).not.toContain('owned');
    await endsWell(terminal);
  });

  it.each(['', '/'])('The explorer exits on Ctrl-C even after a paste without an end (after %j)', async before => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['parameters'] });
    if (before !== '') await terminal.press(before);
    await terminal.hand(`${ESC}[200~lost`);
    await terminal.press('ctrl-c');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
  });

  it('The explorer treats keys as keys again shortly after a paste without an end', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['parameters'] });
    terminal.send(`${ESC}[200~lost`);
    await terminal.waitFor('paste goes into a field');
    await endsWell(terminal);
  });

  it('The explorer presses only the keys of the first of several lines that arrive at once without paste marks', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['parameters'] });
    terminal.send(':provisions\rq\rq\r:fees\r');
    const screen = await terminal.waitFor('only the first was typed');
    expect(screen).toContain(openTab('provisions'));
    await endsWell(terminal);
  });

  it.each([
    [1, 1],
    [20, 5],
    [40, 10],
    [60, 16],
    [300, 100],
  ])('The explorer survives a screen of %i columns and %i rows, and a storm of other sizes', async (columns, rows) => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['parameters'] });
    for (let turn = 0; turn < 10; turn++) {
      await terminal.resize(columns, rows);
      await terminal.resize(300 - 29 * turn, 100 - 9 * turn);
    }
    await terminal.resize(columns, rows);
    await terminal.press('j', 'enter', 'escape', '?', 'escape', ':', 'escape');
    await terminal.resize(100, 24);
    await terminal.waitFor(screen => screen.includes(openTab('parameters')) && hasRows(screen), { deadlineMs: 20_000 });
    await goToTab(terminal, 'parameters');
    await endsWell(terminal);
  });
});
