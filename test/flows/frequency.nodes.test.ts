import { describe, expect, it } from 'vitest';
import { openTab, tabKey } from '../support/tabs.ts';
import { hasRows, openExplorer, selectedRow } from './support/explorer.ts';
import { nodes } from './support/nodes.ts';
import { run } from './support/program.ts';
import { fetchAll, type WireRecord } from './support/wire.ts';

describe.each(nodes)('Column frequency and sums on $name', ({ start }) => {
  it('The frequency screen counts the values of a column in two keys, and Enter lists the rows of one', async () => {
    await using node = await start();
    const fees: readonly WireRecord[] = await fetchAll(node.url, 'fees', {});
    const markets = new Set(fees.map(({ market }) => market));
    await using terminal = await openExplorer({ node: node.url, columns: 80, rows: 24 });
    await terminal.press(tabKey('fees'));
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    await terminal.press('F', 'down', 'enter');
    const counted = await terminal.waitFor(/^\u2500 Frequency \u2500 MARKET \u2500 \d+ values? of (?:all )?\d+ /m);
    expect(counted).toMatch(new RegExp(`MARKET \u2500 ${markets.size} values? `));
    expect(counted).toMatch(/^> \S.* \d+ +\d+\.\d % {2}[\u2501#]+/m);
    await terminal.press('enter');
    await terminal.waitFor(
      back => /^\u2500 Paid fees \u2500 .*\u2500 market \S/m.test(back) && selectedRow(back) !== undefined,
    );
  });

  it('`list --sum` adds up the rows of the node asset by asset', async () => {
    await using node = await start();
    const fees: readonly WireRecord[] = await fetchAll(node.url, 'fees', {});
    const totals = Map.groupBy(fees, ({ asset }) => asset);
    const { code, stdout } = await run(['list', 'fees', '--node', node.url, '--sum', 'total', '--exact', '-o', 'json']);
    const { sums } = JSON.parse(stdout);
    expect([code, sums.length]).toEqual([0, totals.size]);
    for (const { id, sum } of sums) {
      const paid = totals.get(id)?.reduce((total, { totalFeesPaid }) => total + BigInt(totalFeesPaid), 0n);
      expect(sum).toBe(String(paid));
    }
  });
});
