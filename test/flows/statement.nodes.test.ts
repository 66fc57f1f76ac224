import { describe, expect, it } from 'vitest';
import { openTab, tabKey } from '../support/tabs.ts';
import { hasRows, openExplorer, selectedRow } from './support/explorer.ts';
import { nodes } from './support/nodes.ts';
import { run } from './support/program.ts';
import { fetchAll, type WireRecord } from './support/wire.ts';

/** A party with fees in the newest epoch that has any, and what the rows of two epochs add up to, asset by asset. */
async function somebodyPaid(url: string) {
  const newest: readonly WireRecord[] = await fetchAll(url, 'fees', {});
  const fee = newest.find(({ feesPaidPerParty: paid }) => paid.length > 0);
  const party: string = fee.feesPaidPerParty[0].party;
  const to = Number(fee.epochSeq);
  const totals = new Map<string, bigint>();
  for (const epochSeq of [to - 1, to]) {
    const rows: readonly WireRecord[] = await fetchAll(url, 'fees', { epochSeq: String(epochSeq) });
    for (const { asset, feesPaidPerParty } of rows)
      for (const paid of feesPaidPerParty)
        if (paid.party === party) totals.set(asset, (totals.get(asset) ?? 0n) + BigInt(paid.amount));
  }
  return { party, epochs: `${to - 1}..${to}`, totals: Object.fromEntries(totals) };
}

describe.each(nodes)('Statement of a party on $name', ({ start }) => {
  it('The explorer shows in three keys what a party was allocated over ten epochs, with shares and total', async () => {
    await using node = await start();
    const { party } = await somebodyPaid(node.url);
    await using terminal = await openExplorer({ node: node.url, columns: 80, rows: 24 });
    await terminal.press(tabKey('fees'));
    await terminal.waitFor(screen => screen.includes(openTab('fees')) && hasRows(screen));
    await terminal.press('T');
    await terminal.waitFor(/^\u2500 Fee statement \u2500 .*market \S/m);
    await terminal.paste(party);
    // The statement of the market has a total, too.
    const screen = await terminal.waitFor(
      shown =>
        /^\u2500 Fee statement \u2500 party \S+ \u2500 epochs last 10 \u2500/m.test(shown) &&
        /^ total [\d .]+ .*in \d+ epochs?/m.test(shown),
    );
    expect(screen).toMatch(/epochs \d+ to \d+, the last 10: /);
    expect(screen).toMatch(/^ +EPOCH .*AMOUNT.*SHARE +RUNNING TOTAL/m);
    expect(screen).toMatch(/\d %/);
    await terminal.press('escape');
    await terminal.waitFor(back => back.includes('T statement') && selectedRow(back) !== undefined);
  });

  it('The statement command prints what the rows of the node add up to', async () => {
    await using node = await start();
    const { party, epochs, totals } = await somebodyPaid(node.url);
    const { code, stdout, stderr } = await run([
      ...['statement', '--node', node.url, '--party', party, '--epochs', epochs, '-o', 'json'],
    ]);
    expect(code).toBe(0);
    const made: readonly WireRecord[] = JSON.parse(stdout).totals;
    expect(Object.fromEntries(made.map(({ asset, amount }) => [asset, BigInt(amount.raw)]))).toEqual(totals);
    expect(stderr).toMatch(/^\d+ requests$/m);
  });
});
