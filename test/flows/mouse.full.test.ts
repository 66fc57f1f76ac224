import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTab } from '../support/tabs.ts';
import { command, hasRows, openExplorer, selectedRow, withoutHeader } from './support/explorer.ts';

const press = (row: number, column = 5): string => `\u001b[<0;${column};${row}M\u001b[<0;${column};${row}m`;
const WHEEL_DOWN = '\u001b[<65;5;10M';

const lineOf = (screen: string): number => screen.split('\n').findIndex(line => /^> +\S/.test(line));

describe('Mouse in the explorer', () => {
  it('The mouse has no effect on the explorer until it is requested', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url });
    expect(terminal.raw).not.toContain('\u001b[?100');
    const before = withoutHeader(terminal.screen());
    terminal.send(press(9));
    await terminal.press('ctrl-l');
    await terminal.settled();
    expect(withoutHeader(terminal.screen())).toEqual(before);
  });

  it('The mouse moves by its wheel, selects and opens by a click, and goes to a tab', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['--mouse', 'on', 'provisions'] });
    expect(terminal.reportsMouse).toBe(true);
    const top = lineOf(terminal.screen());
    terminal.send(WHEEL_DOWN);
    await terminal.waitFor(screen => lineOf(screen) === top + 3);
    terminal.send(press(top + 3));
    const screen = await terminal.waitFor(shown => lineOf(shown) === top + 2);
    expect(selectedRow(screen)).toBeDefined();
    terminal.send(press(top + 3));
    await terminal.waitFor('Fields as sent');
    terminal.send(press(2, 2));
    await terminal.waitFor(openTab('overview'));
  });

  it('The mouse is not mistaken for keys, even when a slow connection splits a report in two', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['--mouse', 'on', 'provisions'] });
    const top = lineOf(terminal.screen());
    const report = '\u001b[<65;5;10M';
    for (const cut of [3, 4, 6, 8, 9]) {
      await terminal.hand(report.slice(0, cut));
      await terminal.hand(report.slice(cut));
    }
    await terminal.waitFor(screen => lineOf(screen) === top + 15);
    await terminal.press('/', 'a');
    terminal.send(`${WHEEL_DOWN}${press(9)}`);
    await terminal.press('b');
    await terminal.waitFor('find in the loaded rows: ab');
  });

  it('The mouse is switched on and off from the command line, and off when the program ends', async () => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url });
    await command(terminal, 'mouse on');
    await terminal.waitFor(hasRows);
    expect(terminal.reportsMouse).toBe(true);
    await command(terminal, 'mouse off');
    await terminal.waitFor(hasRows);
    expect(terminal.reportsMouse).toBe(false);
    await command(terminal, 'mouse on');
    await terminal.waitFor(hasRows);
    await terminal.press('q');
    await terminal.waitForExit();
    expect(terminal.reportsMouse).toBe(false);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('The mouse is off after %s', async signal => {
    await using node = await startStrictNode();
    await using terminal = await openExplorer({ node: node.url, args: ['--mouse', 'on'] });
    terminal.kill(signal);
    await terminal.waitForExit();
    expect(terminal.reportsMouse).toBe(false);
  });
});
