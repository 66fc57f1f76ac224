import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** Prints every read as JSON, on a line of its own. */
const echoReads = `
  process.stdin.setRawMode(true);
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', text => process.stdout.write(JSON.stringify(text) + '\\r\\n'));
  process.stdout.write('ready\\r\\n');
`;

function runScript(script: string, options: Partial<TerminalOptions> = {}): Promise<Terminal> {
  return openTerminal({ command: process.execPath, args: ['-e', script], ...options });
}

function linesOf(terminal: Terminal): readonly string[] {
  return terminal.screen().trimEnd().split('\n');
}

test('The test terminal delivers every key in its own read', async () => {
  await using terminal = await runScript(echoReads);
  await terminal.waitFor('ready');
  await terminal.press('down', 'gg', 'enter', 'ctrl-u', 'shift-tab', 'pagedown', 'é');
  await terminal.waitFor('é');
  expect(linesOf(terminal)).toEqual([
    'ready',
    String.raw`"\u001b[B"`,
    '"g"',
    '"g"',
    String.raw`"\r"`,
    String.raw`"\u0015"`,
    String.raw`"\u001b[Z"`,
    String.raw`"\u001b[6~"`,
    '"é"',
  ]);
});

test('The test terminal keeps keys for a program that is busy', async () => {
  const busy = `
    process.stdin.setRawMode(true);
    process.stdin.on('data', bytes => {
      const end = Date.now() + 60;
      while (Date.now() < end);
      process.stdout.write('[' + bytes + ']');
    });
    process.stdout.write('ready');
  `;
  await using terminal = await runScript(busy);
  await terminal.waitFor('ready');
  await terminal.press('a', 'b', 'c');
  await terminal.waitFor('[a][b][c]');
});

test('The test terminal lets Ink read Escape as a separate key before the next one, even while Ink is busy', async () => {
  const script = `
    import { createElement, useState } from 'react';
    import { render, Text, useInput } from 'ink';
    function App() {
      const [seen, setSeen] = useState('ready');
      useInput((input, key) => {
        const end = Date.now() + 60;
        while (Date.now() < end);
        setSeen(before => before + ' ' + (key.escape ? 'ESC' : input) + (key.meta && !key.escape ? '+alt' : ''));
      });
      return createElement(Text, null, seen);
    }
    render(createElement(App));
  `;
  await using terminal = await openTerminal({
    command: process.execPath,
    args: ['--input-type=module', '-e', script],
  });
  await terminal.waitFor('ready');
  await terminal.press('a', 'escape', 'x', 'escape', 'escape', 'y', 'alt-z', 'q');
  expect(await terminal.waitFor('q')).toContain('ready a ESC x ESC ESC y z+alt q');
});

test('The test terminal brackets a paste only if the program requested it', async () => {
  await using plain = await runScript(echoReads);
  await plain.waitFor('ready');
  await plain.paste('one\ntwo');
  await plain.waitFor(String.raw`"one\rtwo"`);
  await using bracketed = await runScript(`process.stdout.write('\\x1b[?2004h');${echoReads}`);
  await bracketed.waitFor('ready');
  expect(bracketed.bracketedPaste).toBe(true);
  await bracketed.paste('one');
  await bracketed.waitFor(String.raw`"\u001b[200~one\u001b[201~"`);
});

test('The test terminal sees the alternate screen, the cursor and the title, and sees them restored', async () => {
  await using terminal = await runScript(`
    process.stdout.write('before');
    process.stdout.write('\\x1b[?1049h\\x1b[?25l\\x1b]0;a title\\x07\\x1b[3;5Hinside');
    process.stdin.setRawMode(true);
    process.stdin.once('data', () => { process.stdout.write('\\x1b[?25h\\x1b[?1049l after'); process.exit(3); });
  `);
  await terminal.waitFor(/^ {4}inside$/m);
  expect(terminal).toMatchObject({ inAlternateScreen: true, cursorVisible: false, title: 'a title' });
  expect(terminal.cursor()).toEqual({ column: 10, row: 2 });
  await terminal.press('q');
  expect(await terminal.waitForExit()).toEqual({ exitCode: 3, signal: undefined });
  expect(terminal).toMatchObject({ inAlternateScreen: false, cursorVisible: true });
  expect(linesOf(terminal)).toEqual(['before after']);
  expect(terminal.raw).toContain('inside');
  expect(terminal.bytes).toBe(Buffer.byteLength(terminal.raw));
});

test('The test terminal reports width, colours and attributes of cells', async () => {
  await using terminal = await runScript(`
    process.stdout.write('\\x1b[1;31ma\\x1b[0;7;48;5;200mb\\x1b[0;2;38;2;1;2;3m漢\\x1b[0mz');
  `);
  await terminal.waitFor('z');
  const [a, b, wide, behind, z] = terminal.cells(0);
  expect(a).toMatchObject({ char: 'a', width: 1, fg: 'ansi-1', bg: 'default', bold: true, dim: false });
  expect(b).toMatchObject({ char: 'b', inverse: true, bg: 'ansi-200' });
  expect(wide).toMatchObject({ char: '漢', width: 2, fg: '#010203', dim: true });
  expect(behind).toMatchObject({ char: '', width: 0 });
  expect(z).toMatchObject({ char: 'z', fg: 'default', bold: false, inverse: false, dim: false });
  expect(terminal.cells(0)).toHaveLength(80);
});

test('The test terminal passes a resize to the program', async () => {
  await using terminal = await runScript(
    `
    const show = () => process.stdout.write(process.stdout.columns + 'x' + process.stdout.rows + '\\r\\n');
    process.stdout.on('resize', show);
    process.stdin.resume();
    show();
  `,
    { columns: 60, rows: 10 },
  );
  await terminal.waitFor('60x10');
  await terminal.resize(100, 30);
  await terminal.waitFor('100x30');
  expect(terminal.screen().split('\n')).toHaveLength(30);
});

test('The test terminal reports the signal that ended a program', async () => {
  await using terminal = await runScript(`process.stdin.resume(); console.log('ready')`);
  await terminal.waitFor('ready');
  terminal.kill('SIGTERM');
  expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: 'SIGTERM' });
});

test('The test terminal shows the last frame and the keys in the error at the deadline', async () => {
  await using terminal = await runScript(echoReads, { columns: 20, rows: 3 });
  await terminal.waitFor('ready');
  await terminal.press('a', 'down');
  await terminal.waitFor('[B');
  await expect(terminal.waitFor(/never/, { deadlineMs: 30 })).rejects.toThrowErrorMatchingInlineSnapshot(`
    [Error: After 30 ms the screen had not met /never/
    ┌────────────────────┐
    │"a"                 │
    │"\\u001b[B"          │
    │                    │
    └────────────────────┘
    keys: a down]
  `);
});

test('The test terminal stops waiting at once when the program has ended', async () => {
  await using terminal = await runScript(`process.exitCode = 7; console.log('bye')`);
  await expect(terminal.waitFor('hello')).rejects.toThrow(/ended before[\s\S]*bye[\s\S]*code 7/);
  await expect(terminal.press('x')).rejects.toThrow('had ended before the key x');
});

test('The test terminal does not read a half-drawn synchronized update', async () => {
  await using terminal = await runScript(`
    process.stdout.write('old\\x1b[?2026h\\rhalf', () => {
      process.stdin.setRawMode(true);
      process.stdin.once('data', () => process.stdout.write('\\rwhole\\x1b[?2026l'));
    });
  `);
  const first = terminal.waitFor(screen => screen.trim() !== '');
  await expect(terminal.waitFor('half', { deadlineMs: 300 })).rejects.toThrow(/half/);
  await terminal.press('x');
  expect((await first).trim()).toBe('whole');
});

test('The test terminal has a bare environment, and its home folder is removed with it', async () => {
  const terminal = await runScript(
    `
    const { CI, NODE_ENV, VITEST, NO_COLOR, COLORTERM, TERM, HOME, XDG_CONFIG_HOME, EXTRA } = process.env;
    console.log(JSON.stringify({ CI, NODE_ENV, VITEST, NO_COLOR, COLORTERM, TERM, HOME, XDG_CONFIG_HOME, EXTRA }));
  `,
    { columns: 250, env: { EXTRA: 'yes' } },
  );
  const screen = await terminal.waitFor('EXTRA');
  expect(JSON.parse(screen.trim())).toEqual({
    COLORTERM: '',
    TERM: 'xterm-256color',
    HOME: terminal.home,
    XDG_CONFIG_HOME: `${terminal.home}/.config`,
    EXTRA: 'yes',
  });
  await terminal.close();
  expect(existsSync(terminal.home)).toBe(false);
});

test('The test terminal kills the program and its children when it closes', async () => {
  const terminal = await runScript(`
    const child = require('node:child_process').spawn('sleep', ['1000']);
    process.on('SIGHUP', () => {});
    console.log('child ' + child.pid + ' end');
    process.stdin.resume();
  `);
  const child = Number(/child (\d+) end/.exec(await terminal.waitFor(/child \d+ end/))?.[1]);
  await terminal.close();
  expect(() => process.kill(terminal.pid, 0)).toThrow('ESRCH');
  // An orphan may wait as a zombie for its new parent, so ask for what it runs, not whether its id is taken.
  expect(existsSync(`/proc/${child}/exe`)).toBe(false);
});
