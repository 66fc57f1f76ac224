import { describe, expect, it } from 'vitest';
import { ask, marketIds, page, withNode } from './wire.ts';

const startedMs = Date.UTC(2026, 10, 20, 12, 0, 0, 345);
let nowMs = startedMs;
const node = withNode({ clock: () => nowMs });

const list = async (path: string, wrapper: string, parameters: Record<string, string> = {}) =>
  (await page(`${node.url}/api/v2/${path}`, wrapper, { 'pagination.first': '5000', ...parameters })).edges;

/** Every time in the records, as nanoseconds since 1970, but for those that say when something will be. */
async function timesIn(path: string): Promise<readonly bigint[]> {
  const records: unknown[] = [];
  if (path === 'liquidity/all-provisions')
    for (const marketId of await marketIds(node.url))
      records.push(await list(path, 'liquidityProvisions', { marketId }));
  else records.push(await list(path, WRAPPERS[path] ?? ''));
  const times = /"(?:createdAt|updatedAt|broadcastAt|timestamp|proposed|pending|open|close)":"(\d{19})"/g;
  return [...JSON.stringify(records).matchAll(times)].map(([, text = '']) => BigInt(text));
}

const WRAPPERS: { readonly [path: string]: string } = {
  'oracle/specs': 'oracleSpecs',
  'oracle/data': 'oracleData',
  markets: 'markets',
  'erc20/multisigcontrol/signer/removed/bundles': 'bundles',
};
const newest = (times: readonly bigint[]) => times.reduce((most, time) => (time > most ? time : most), 0n);
const MINUTE = 60_000_000_000n;

describe.each([
  ['liquidity/all-provisions', 1n],
  ['erc20/multisigcontrol/signer/removed/bundles', 2n],
  ['oracle/data', 1n],
  ['oracle/specs', 180n],
  ['markets', 180n],
])('Demo records of %s', (path, minutes) => {
  it(`Records include nothing after the newest block, and something from the last ${minutes} minutes`, async () => {
    const head = BigInt((await ask(`${node.url}/api/v2/info`)).headers.get('x-block-timestamp')?.[0] ?? '0');
    const last = newest(await timesIn(path));
    expect(head - last).toBeGreaterThanOrEqual(0n);
    expect(head - last).toBeLessThan(minutes * MINUTE);
  });
});

describe('Paid fees at the head of the demo chain', () => {
  const epochs = async () => {
    const { statistics } = JSON.parse((await ask(`${node.url}/statistics`)).text);
    const fees = await list('liquidity/paidfees', 'paidLiquidityFees');
    return { current: Number(statistics.epochSeq), paid: new Set(fees.map(edge => Number(edge.node.epochSeq))) };
  };

  it('The newest paid fees are those of the last ended epoch, also after the next one has ended', async () => {
    for (const elapsedMs of [0, 600_000, 3_600_000]) {
      nowMs = startedMs + elapsedMs;
      const { current, paid } = await epochs();
      expect([...paid]).toEqual([current - 1]);
      expect(await list('liquidity/paidfees', 'paidLiquidityFees', { epochSeq: String(current) })).toEqual([]);
    }
    nowMs = startedMs;
  });
});
