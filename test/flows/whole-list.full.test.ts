import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import {
  command,
  footer,
  hasRows,
  isAt,
  isShortOf,
  openExplorer,
  openProvisions,
  selectedKey,
  statusLine,
} from './support/explorer.ts';
import { fetchAll, knownIds } from './support/wire.ts';

const footerHas =
  (text: string) =>
  (screen: string): boolean =>
    footer(screen).includes(text);

const counted = (count: number): string => count.toLocaleString('en-US').replaceAll(',', ' ');

describe('Whole list loading', () => {
  it('The whole list is loaded by S, sorted and searched over all its rows, and left to the original page', async () => {
    const node = await startNode({ provisions: 40_000 });
    await using _closed = { [Symbol.asyncDispose]: () => node.close() };
    const { market } = await knownIds(node.url);
    const rows = await fetchAll(node.url, 'provisions', { marketId: market });
    expect(rows.length).toBeGreaterThan(2000);
    await using terminal = await openExplorer({ node: node.url, columns: 100 });
    await openProvisions(terminal, { hasNames: true }, market);
    await terminal.waitFor(isAt('rows 1-50, more'));
    const first = selectedKey(await terminal.waitFor(hasRows));
    await terminal.press('j');
    const page = await terminal.waitFor(screen => hasRows(screen) && selectedKey(screen) !== first);
    await terminal.press('S');
    await terminal.waitFor(isAt(`1-18 of ${counted(rows.length)}, whole list`));
    await command(terminal, 'sort commitment:desc');
    await terminal.waitFor(footerHas(`sorted: all ${counted(rows.length)}`));
    await terminal.press('home');
    const amounts = rows.map(({ commitmentAmount }) => BigInt(commitmentAmount));
    const largest = rows[amounts.indexOf(amounts.reduce((most, amount) => (amount > most ? amount : most), 0n))];
    await terminal.waitFor(screen => isShortOf(selectedKey(screen), largest.partyId));
    const { reference } = rows.at(-1);
    const found = rows.filter(row => JSON.stringify(row).includes(reference)).length;
    await command(terminal, `find ${reference}`);
    await terminal.waitFor(footerHas(` of ${counted(found)} found among ${counted(rows.length)}, whole list`));
    await terminal.press('escape');
    await terminal.waitFor(footerHas(` of ${counted(rows.length)}, whole list`));
    await terminal.press('S');
    const back = await terminal.waitFor(isAt('rows 1-50, more'));
    expect(selectedKey(back).slice(0, 5)).toBe(selectedKey(page).slice(0, 5));
    expect(footer(back)).toContain('sorted: these 50 rows only');
    expect(statusLine(back)).not.toContain('loading');
  });
});
