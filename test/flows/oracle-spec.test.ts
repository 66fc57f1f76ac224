import { expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { tabKey } from '../support/tabs.ts';
import { hasRows, openExplorer } from './support/explorer.ts';
import { run } from './support/program.ts';
import { fetchAll } from './support/wire.ts';

it('The explorer shows what a spec watches, its next trigger and its settlements in two keys; so does a command', async () => {
  const node = await startNode({});
  try {
    const specs = await fetchAll(node.url, 'oracles');
    const ids: readonly string[] = specs.map(record => record.externalDataSourceSpec.spec.id);
    const explained = async (id: string) => {
      const { code, stdout } = await run(['show', 'oracles', id, '--meaning', '--node', node.url, '-o', 'json']);
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    await using terminal = await openExplorer({ node: node.url, columns: 80, rows: 24 });
    await terminal.press(tabKey('oracles'));
    await terminal.waitFor(screen => screen.includes('DELIVERS') && hasRows(screen));
    await terminal.press('enter');
    // What it means is worked out anew when the names of the markets come.
    const screen = await terminal.waitFor(text => /^ +last value /m.test(text) && /^ +markets +\S/m.test(text));
    const told = await explained(ids[0] ?? '');
    expect(screen).toContain(told.watches.slice(0, 60));
    for (const label of ['status', 'fires', 'next', 'must hold', 'markets'])
      expect(screen).toMatch(new RegExp(`^ +${label} +\\S`, 'm'));

    // A call that a market of the demo chain settles on.
    const markets = await (await fetch(`${node.url}/api/v2/markets`)).text();
    const call = await explained(settlementsOf(markets).find(id => isCall(specs, id)) ?? '');
    expect(call.markets[0].uses).toContain('settlement');
    expect(call.source).toMatchObject({ kind: 'eth-oracle', method: { selector: '0x50d25bcd' } });
    expect(call.next.due).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(call.conditions.length).toBeGreaterThan(0);
    expect(call.lastValue.arrived).toBe(true);
  } finally {
    await node.close();
  }
});

const settlementsOf = (markets: string): readonly string[] =>
  [...markets.matchAll(/"dataSourceSpecForSettlementData":\{"id":"([0-9a-f]{64})"/g)].map(([, id = '']) => id);

const isCall = (specs: readonly unknown[], id: string): boolean =>
  id !== '' &&
  specs.some(spec => JSON.stringify(spec).includes(`"id":"${id}"`) && JSON.stringify(spec).includes('latestAnswer'));
