import { describe, expect, it } from 'vitest';
import { openTab } from '../support/tabs.ts';
import {
  footer,
  goToTab,
  hasRows,
  hasWholeList,
  isAt,
  openExplorer,
  openProvisions,
  tableRows,
} from './support/explorer.ts';
import { embedded, nodes } from './support/nodes.ts';
import { fetchAll, fetchPage, knownIds } from './support/wire.ts';

const filterLine = (screen: string): string => screen.split('\n')[2] ?? '';

describe.each(nodes)('List filters on $name', ({ start }) => {
  it('The provisions list is filtered by a pasted market, then by a party, then by live', async () => {
    await using node = await start();
    const { market, party } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 120, rows: 40 });
    await goToTab(terminal, 'provisions');
    await terminal.waitFor(openTab('provisions'));
    if (!node.demandsFilters) await terminal.press('f');
    await terminal.waitFor('provisions on this market');
    await terminal.paste(`${market}\n`);
    await terminal.waitFor(market);
    await terminal.press('tab');
    await terminal.waitFor('provisions of this party');
    await terminal.press(party, 'enter');
    const living = await fetchAll(node.url, 'provisions', { marketId: market, partyId: party, live: 'true' });
    const both = await terminal.waitFor(hasWholeList(living.length));
    expect(tableRows(both)).toHaveLength(living.length);
    for (const shown of [/ market \S+ /, / party \S+\.\.\S+ /, / live: current and pending/])
      expect(filterLine(both)).toMatch(shown);
    await terminal.press('f');
    await terminal.waitFor('provisions on this market');
    await terminal.press('tab', 'tab', 'tab');
    await terminal.waitFor('> live');
    await terminal.press('ctrl-u', 'false', 'enter');
    await terminal.waitFor(screen => filterLine(screen).includes('live: every version') && !screen.includes('> live'));
    const matching = await fetchAll(node.url, 'provisions', { marketId: market, partyId: party });
    expect(living.length).not.toBe(matching.length);
    await terminal.waitFor(screen => tableRows(screen).length === matching.length);
  });

  it('A filtered list has as many rows as the node reports', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    const matching = await fetchAll(node.url, 'provisions', { marketId: market, live: 'true' });
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('z');
    await terminal.waitFor('rows a page');
    await terminal.press('ctrl-u', '5000', 'enter');
    await terminal.waitFor(
      screen => !footer(screen).includes(', more') && hasRows(screen) && !isAt('rows 1-50,')(screen),
    );
    await terminal.press('f', 'tab', 'tab', 'tab');
    await terminal.waitFor('> live');
    await terminal.press('down', 'enter');
    await terminal.waitFor(
      screen => screen.includes('live: current and pending') && hasWholeList(matching.length)(screen),
    );
  });
});

describe.each([embedded])('Filter keys on $name', ({ start }) => {
  it('The filter bar says what is wrong with a filter and makes no request', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('f');
    await terminal.waitFor('provisions on this market');
    await terminal.press('ctrl-u', 'xyz', 'enter');
    await terminal.waitFor('market must be a market ID (64 hex digits), not "xyz"');
    await terminal.press('ctrl-u', 'abc', 'enter');
    await terminal.waitFor('not "abc"');
    await terminal.press('ctrl-u');
    await terminal.paste(market);
    await terminal.press('tab', 'tab', 'tab', 'maybe', 'enter');
    await terminal.waitFor('live must be true or false, not "maybe"');
    await terminal.press('escape');
    const kept = await terminal.waitFor(hasRows);
    expect(filterLine(kept)).toMatch(/\u2500 market \S+ .*\u2500 live: every version \u2500/);
  });

  it('The x key clears every filter', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    await terminal.press('x');
    // Where the node refuses to list without a filter, there is one to choose instead of rows.
    const cleared = await terminal.waitFor(
      screen =>
        (node.demandsFilters ? screen.includes('only by market or party.') : hasRows(screen)) &&
        filterLine(screen).includes('─ live: current') &&
        !filterLine(screen).includes('market'),
    );
    expect(cleared).not.toContain('HTTP');
  });

  it('The = key offers the IDs of the selected row', async () => {
    await using node = await start();
    const { market } = await knownIds(node.url);
    await using terminal = await openExplorer({ node: node.url });
    await openProvisions(terminal, node, market);
    const { records } = await fetchPage(node.url, 'provisions', { marketId: market, 'pagination.first': '1' });
    const party = String(records[0].partyId);
    await terminal.press('=');
    await terminal.waitFor(party);
    await terminal.press('enter');
    const matching = await fetchAll(node.url, 'provisions', { marketId: market, partyId: party });
    await terminal.waitFor(hasWholeList(matching.length));
  });
});

describe('Filters on a node that needs a market or a party for provisions', () => {
  it('The filter bar opens with that sentence and values to choose from, and shows no error', async () => {
    await using terminal = await openExplorer({ env: { NO_COLOR: undefined } });
    await goToTab(terminal, 'provisions');
    const asked = await terminal.waitFor(
      screen => screen.includes('only by market or party.') && /1 of \d+ known/.test(screen),
    );
    expect(asked).toContain('This node lists provisions only by market or party. Choose one.');
    expect(asked).toContain('\n  market      any');
    await terminal.waitFor(screen => /MARKET +STATE +SETTLES IN +FEES OF EPOCH \d+/.test(screen));
    await terminal.press('3');
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    await terminal.press('2');
    await terminal.waitFor('only by market or party.');
    expect(asked).not.toContain('HTTP');
    expect(asked).not.toContain('error');
    const red = Array.from({ length: 24 }, (_, row) => terminal.cells(row))
      .flat()
      .filter(cell => cell.fg === 'ansi-1');
    expect(red).toEqual([]);
    await terminal.press('down');
    const isOn = (place: number) => (screen: string) =>
      screen.includes('\n  market      any') && screen.includes(`${place} of`);
    const chosen = (screen: string) => /^> (.+)$/m.exec(screen)?.[1];
    const second = chosen(await terminal.waitFor(isOn(2)));
    await terminal.press('j');
    const third = chosen(await terminal.waitFor(isOn(3)));
    expect(third).not.toBe(second);
    await terminal.press('up', 'k', 'enter');
    await terminal.waitFor(screen => isAt('1-18 of')(screen) && hasRows(screen));
  });
});
