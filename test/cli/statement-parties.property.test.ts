import { expect, it, onTestFinished } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { runs } from '../support/runs.ts';
import { run } from './run-command.ts';
import { type Fee, type Made, sumsOf, totalsIn } from './statement-sums.ts';

it('A statement of the demo chain has every row of the node, for every party', async () => {
  const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  onTestFinished(() => node.close());
  const rows: Fee[] = [];
  for (let epoch = 30; epoch <= 42; epoch++) {
    const answer = await fetch(`${node.url}/api/v2/liquidity/paidfees?epochSeq=${epoch}&pagination.first=5000`);
    const { paidLiquidityFees } = JSON.parse(await answer.text());
    rows.push(...paidLiquidityFees.edges.map((edge: { readonly node: Fee }) => edge.node));
  }
  const parties = [...new Set(rows.flatMap(row => row.feesPaidPerParty.map(({ party }) => party)))];
  expect(parties.length).toBeGreaterThan(3);
  for (const party of parties.slice(0, runs(8, parties.length))) {
    const { out } = await run(['statement', '--party', party, '--last', '10', '-o', 'json', '--node', node.url]);
    const made: Made = JSON.parse(out);
    const { from, to } = made.epochs;
    expect([party, totalsIn(made)]).toEqual([party, sumsOf(rows, party, [Number(from), Number(to)])]);
  }
});
