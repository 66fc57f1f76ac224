import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { bundle } from './support/explorer.ts';

/** The start takes that long on a busy machine; a moment of it is what is tested, so time has to pass. */
const START_MS = 400;

/** Runs the explorer below a shell that notes how the terminal is set before it and after it. */
const opened = () =>
  openTerminal({
    command: 'sh',
    args: [
      '-c',
      `trap : INT QUIT TSTP; stty -g >"$HOME/before"; "$@"; echo $? >"$HOME/code"; stty -g >"$HOME/after"`,
      'sh',
      process.execPath,
      bundle,
      '--demo',
    ],
    env: { NO_COLOR: '1' },
  });

const noted = (terminal: Terminal, name: string): Promise<string> => readFile(join(terminal.home, name), 'utf8');

async function expectGivenBack(terminal: Terminal): Promise<void> {
  await terminal.waitForExit();
  expect(await noted(terminal, 'after')).toBe(await noted(terminal, 'before'));
  expect({
    alternate: terminal.inAlternateScreen,
    cursor: terminal.cursorVisible,
    paste: terminal.bracketedPaste,
  }).toEqual({ alternate: false, cursor: true, paste: false });
}

/** The explorer below the shell, once it is there. */
async function childOf(pid: number): Promise<number> {
  for (;;) {
    const child = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
    const words = child === '' ? '' : await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (words.startsWith(process.execPath)) return Number(child);
    await delay(1);
  }
}

const randomLetters = (count: number): readonly string[] =>
  Array.from({ length: count }, () => String.fromCharCode(0x61 + Math.floor(Math.random() * 26)));

describe('Keys typed while the explorer starts', () => {
  it.each([1, 2, 3, 4])('Early keys arrive in their order, none is lost and none stays echoed (round %i)', async () => {
    await using terminal = await opened();
    terminal.send(':');
    const letters = randomLetters(30);
    for (const letter of letters) {
      await delay((Math.random() * 2 * START_MS) / letters.length);
      terminal.send(letter);
    }
    const screen = await terminal.waitFor(` : ${letters.join('')}`);
    // Nothing was echoed into the screen: every line is one that the explorer has drawn.
    expect(screen.split('\n')[0]).toMatch(/^ ?blockglass|^ DEMO DATA/);
    await terminal.press('escape', 'ctrl-c');
    await expectGivenBack(terminal);
    expect(terminal.screen().trim()).toBe('');
  });

  it('Early keys lead where they would lead later, including Enter and an arrow', async () => {
    await using terminal = await opened();
    terminal.send(':oracles\r?\u001b[B');
    await terminal.waitFor('Keys');
    await terminal.press('ctrl-c');
    await expectGivenBack(terminal);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-\\', '\u001c'],
  ])('Early keys end the explorer, whenever they come: %s', async (_, key) => {
    for (let round = 0; round < 5; round++) {
      await using terminal = await opened();
      await childOf(terminal.pid);
      await delay(Math.random() * START_MS);
      terminal.send(key);
      await expectGivenBack(terminal);
    }
  });
});

describe('Terminal while the explorer starts', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'The terminal is restored on %s, at whatever moment of the start it comes',
    async signal => {
      for (let round = 0; round < 5; round++)
        await Promise.all(
          [1, 2].map(async () => {
            await using terminal = await opened();
            const child = await childOf(terminal.pid);
            await delay(Math.random() * START_MS);
            process.kill(child, signal);
            await expectGivenBack(terminal);
          }),
        );
    },
  );

  it.each(['ctrl-z', 'SIGTSTP'])(
    'The terminal is given to the shell by %s at any moment of the start, and taken again by fg',
    async how => {
      for (let round = 0; round < 5; round++) {
        await using terminal = await openTerminal({
          command: 'bash',
          args: ['--norc', '--noprofile', '-i'],
          env: { NO_COLOR: '1', PS1: 'shell> ' },
        });
        await terminal.waitFor('shell>');
        terminal.send("bind 'set enable-bracketed-paste off'; clear\r");
        await terminal.waitFor(screen => screen.trim() === 'shell>');
        terminal.send(`'${process.execPath}' '${bundle}' --demo\r`);
        const child = await childOf(terminal.pid);
        await delay(Math.random() * START_MS);
        if (how === 'ctrl-z') terminal.send('\u001a');
        else process.kill(child, 'SIGTSTP');
        await terminal.waitFor('Stopped');
        expect([terminal.inAlternateScreen, terminal.cursorVisible]).toEqual([false, true]);
        terminal.send('stty -a | grep -o -- "-*echo " ; fg\r');
        await terminal.waitFor('governance');
        terminal.send('q');
        await terminal.waitFor(screen => /shell>\s*$/.test(screen) && !screen.includes('governance'));
        expect(terminal.screen()).toContain('echo');
        expect(terminal.screen()).not.toContain('-echo');
      }
    },
  );
});
