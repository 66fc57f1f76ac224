import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import { goToTab, hasRows, openExplorer, selectedRow, withoutHeader } from './support/explorer.ts';
import { nodes } from './support/nodes.ts';
import { knownIds } from './support/wire.ts';

describe.each(nodes)('Jumps by ID on $name', ({ start }) => {
  it('The g key leads from a market in the fees to its provisions, and Backspace back to the same row', async () => {
    await using node = await start();
    await using terminal = await openExplorer({ node: node.url });
    await goToTab(terminal, 'fees');
    // Names that arrive later would change the rows; one of the two nodes has none.
    const fees = await terminal.waitFor(screen => hasRows(screen) && (!node.demandsFilters || / USDT /.test(screen)));
    await terminal.press('down');
    const before = await terminal.waitFor(screen => hasRows(screen) && selectedRow(screen) !== selectedRow(fees));
    await terminal.press('g');
    await terminal.waitFor('provisions of this market');
    await terminal.press('enter');
    await terminal.waitFor(
      screen => screen.includes(openTab('provisions')) && hasRows(screen) && / market (?!any)\S/.test(screen),
    );
    await terminal.press('backspace');
    const after = await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    expect(withoutHeader(after).slice(0, -2)).toEqual(withoutHeader(before).slice(0, -2));
  });

  it('The : prompt says what a pasted ID is, and Enter goes there and comes back', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await terminal.press(':');
    await terminal.waitFor('Commands');
    await terminal.paste(market);
    await terminal.waitFor(market.slice(-12));
    await terminal.press('enter');
    const told = await terminal.waitFor(screen => /requests +\d/.test(screen));
    expect(told).toMatch(node.demandsFilters ? /> \d +market / : /provisions|not found/);
    if (!node.demandsFilters) return;
    await terminal.press('enter');
    await terminal.waitFor(screen => screen.includes(openTab('markets')));
    await terminal.press('backspace');
    await terminal.waitFor(screen => screen.includes(openTab('parameters')) && hasRows(screen));
  });
});
