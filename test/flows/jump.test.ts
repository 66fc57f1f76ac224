import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import { goToTab, hasRows, openExplorer, selectedRow, withoutHeader } from './support/explorer.ts';
import { nodes } from './support/nodes.ts';

describe.each(nodes)('on $name', ({ start }) => {
  it('leads from a market in the fees to its provisions and back to the same row with g, Enter and Backspace', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    const fees = await goToTab(terminal, 'fees').then(() => terminal.waitFor(hasRows));
    await terminal.press('down');
    const before = await terminal.waitFor(screen => hasRows(screen) && selectedRow(screen) !== selectedRow(fees));
    await terminal.press('g');
    await terminal.waitFor('provisions of this market');
    await terminal.press('enter');
    await terminal.waitFor(
      screen => screen.includes(openTab('provisions')) && hasRows(screen) && /market [0-9a-f]{4}/.test(screen),
    );
    await terminal.press('backspace');
    const after = await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    expect(withoutHeader(after).slice(0, -2)).toEqual(withoutHeader(before).slice(0, -2));
  });
});
