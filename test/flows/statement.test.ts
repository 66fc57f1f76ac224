import { describe, expect, it } from 'vitest';
import { openTab, tabKey } from '../support/tabs.ts';
import { hasRows, openExplorer, selectedRow } from './support/explorer.ts';
import { nodes } from './support/nodes.ts';
import { run } from './support/program.ts';
import { fetchAll, type WireRecord } from './support/wire.ts';

/** A party that was paid, and the sum of what the rows of a market and asset have for it. */
async function somebodyPaid(url: string) {
  const fees: readonly WireRecord[] = await fetchAll(url, 'fees', {});
  const fee = fees.find(({ feesPaidPerParty: paid }) => paid.length > 0);
  const party: string = fee.feesPaidPerParty[0].party;
  const rows: readonly WireRecord[] = await fetchAll(url, 'fees', { marketId: fee.market, assetId: fee.asset });
  const amounts = rows.flatMap(row => row.feesPaidPerParty.filter((paid: WireRecord) => paid.party === party));
  return { fee, party, total: amounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n) };
}

describe.each(nodes)('on $name', ({ start }) => {
  it('answers in three keys what a party was paid over the last ten epochs, what share, what total', async () => {
    await using node = await start();
    const { party } = await somebodyPaid(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 80, rows: 24 });
    await terminal.press(tabKey('fees'));
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    await terminal.press('T');
    await terminal.waitFor(/^ statement {2}party any/m);
    await terminal.paste(party);
    const screen = await terminal.waitFor(/^ total [\d .]+ .*in \d+ payments?/m);
    expect(screen).toMatch(/^ statement {2}party \S+ {2}market any {2}asset any {2}epochs last 10$/m);
    expect(screen).toMatch(/epochs \d+ to \d+, the last 10: /);
    expect(screen).toMatch(/^ +EPOCH .*AMOUNT.*SHARE +RUNNING TOTAL/m);
    expect(screen).toMatch(/\d %/);
    await terminal.press('escape');
    await terminal.waitFor(back => back.includes('T statement') && selectedRow(back) !== undefined);
  });

  it('answers by a command what the rows of the node add up to', async () => {
    await using node = await start();
    const { fee, party, total } = await somebodyPaid(node.url);
    const { code, stdout, stderr } = await run([
      ...['statement', '--node', node.url, '--party', party, '--market', fee.market],
      ...['--asset', fee.asset, '-o', 'json'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).totals[0].amount.raw).toBe(String(total));
    expect(stderr).toMatch(/^\d+ requests$/m);
  });
});
