import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import type { Terminal } from '../support/terminal.ts';
import { openExplorer, statusLine } from './support/explorer.ts';

const LABEL = ' find in the loaded rows: ';

/** The column of the status line at which the cursor is drawn, from the beginning of the field. */
function cursorAt(terminal: Terminal): number {
  const row = terminal.screen().split('\n').indexOf(statusLine(terminal.screen()));
  return terminal.cells(row).findIndex(({ inverse }) => inverse) - LABEL.length;
}

const holds = (text: string) => (screen: string) => statusLine(screen).trimEnd() === `${LABEL}${text}`;

describe.each([
  ['without colours', {}],
  ['with colours', { env: { NO_COLOR: undefined, TERM: 'xterm-256color' } }],
  ['with the plain output', { args: ['--plain-output'] }],
] as const)('Text field %s', (_, start) => {
  it('A text field is edited at its cursor, by the keys of a shell', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, ...start });
    await terminal.press('/', 'strict.key');
    await terminal.waitFor(holds('strict.key'));
    expect(cursorAt(terminal)).toBe(10);
    await terminal.press('left', 'left', 'left');
    await terminal.waitFor(() => cursorAt(terminal) === 7);
    await terminal.paste('流e\u0301');
    await terminal.waitFor(holds('strict.流e\u0301key'));
    await terminal.press('left', 'backspace', 'delete');
    await terminal.waitFor(holds('strict.key'));
    await terminal.press('end', ' x', 'ctrl-w');
    await terminal.waitFor(holds('strict.key'));
    await terminal.press('ctrl-a', 'right', 'right', 'ctrl-k');
    await terminal.waitFor(holds('st'));
    await terminal.press('home', 'x', 'ctrl-e', 'y', 'left', 'ctrl-u');
    await terminal.waitFor(holds('y'));
    expect(cursorAt(terminal)).toBe(0);
  });

  it('A text field shows the end of a long paste, and the arrow keys lead to its beginning', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, columns: 40, rows: 12, ...start });
    await terminal.press('/');
    await terminal.paste(`begin${'0123456789'.repeat(50)}`);
    await terminal.waitFor(screen => /: ….*0123456789$/.test(statusLine(screen).trimEnd()));
    await terminal.press('home');
    await terminal.waitFor(screen => /: begin0123.*…$/.test(statusLine(screen)));
    await terminal.resize(80, 24);
    await terminal.waitFor(screen => /: begin(?:0123456789){4}/.test(statusLine(screen)));
    expect(cursorAt(terminal)).toBe(0);
  });
});
