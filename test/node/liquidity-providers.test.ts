import { expect, it } from 'vitest';
import { jsonText, member } from '../../src/chain/api/json.ts';
import { objectOf } from '../chain/resources/full-records.ts';
import { marketIds, page, withNode } from './wire.ts';

let nowMs = Date.UTC(2026, 10, 20, 12);
const node = withNode({ clock: () => nowMs });

const rowsOf = async (path: string, wrapper: string, query: Record<string, string>) =>
  (await page(`${node.url}/api/v2/${path}`, wrapper, { 'pagination.first': '5000', ...query })).edges.map(edge =>
    objectOf(JSON.stringify(edge.node)),
  );
const providersOf = (marketId: string) => rowsOf('liquidity/providers', 'liquidityProviders', { marketId });

it('A liquidity provider on the book has a score that is not above its fraction of time there', async () => {
  const providers = (await Promise.all((await marketIds(node.url)).map(providersOf))).flat();
  expect(providers.length).toBeGreaterThan(100);
  for (const { feeShare, sla } of providers) {
    const [score, time] = [member(feeShare, 'averageScore'), member(sla, 'currentEpochFractionOfTimeOnBook')].map(
      Number,
    );
    expect(time).toBeGreaterThan(0.4);
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(time ?? 0);
  }
});

it('A liquidity provider in its first epoch has no previous epoch, and no penalty for it', async () => {
  const waiting = new Set<string>();
  for (const marketId of await marketIds(node.url)) {
    const provisions = await rowsOf('liquidity/provisions', 'liquidityProvisions', { marketId, live: 'true' });
    for (const { partyId, status, version } of provisions)
      if (status === 'STATUS_PENDING' && version === '1') waiting.add(`${marketId} ${jsonText(partyId)}`);
  }
  expect(waiting.size).toBeGreaterThan(0);
  nowMs += 600_000;
  for (const key of waiting) {
    const [marketId = '', partyId = ''] = key.split(' ');
    const [provider] = await rowsOf('liquidity/providers', 'liquidityProviders', { marketId, partyId });
    const values = ['lastEpochFractionOfTimeOnBook', 'lastEpochFeePenalty', 'lastEpochBondPenalty'];
    expect(values.map(name => member(provider?.sla, name))).toEqual(['0', '0', '0']);
    expect(Number(member(provider?.sla, 'currentEpochFractionOfTimeOnBook'))).toBeGreaterThan(0);
  }
  nowMs -= 600_000;
});

it('The fees of an epoch are shared among its liquidity providers by commitment and score', async () => {
  const before = new Map<string, Awaited<ReturnType<typeof providersOf>>>();
  for (const marketId of await marketIds(node.url)) before.set(marketId, await providersOf(marketId));
  nowMs += 600_000;
  const fees = await rowsOf('liquidity/paidfees', 'paidLiquidityFees', { epochSeq: '42' });
  nowMs -= 600_000;
  expect(fees.length).toBeGreaterThan(3);
  for (const { market, totalFeesPaid, feesPaidPerParty } of fees) {
    const weights = new Map(
      before
        .get(jsonText(market))
        ?.map(({ partyId, feeShare, sla }) => [
          jsonText(partyId),
          BigInt(jsonText(member(sla, 'requiredLiquidity'))) *
            BigInt(Math.round(Number(member(feeShare, 'averageScore')) * 1000)),
        ]),
    );
    const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0n);
    const paid = Array.isArray(feesPaidPerParty) ? feesPaidPerParty : [];
    expect(paid.length).toBe(weights.size);
    for (const one of paid) {
      const owed = BigInt(jsonText(totalFeesPaid)) * (weights.get(jsonText(member(one, 'party'))) ?? 0n);
      const off = BigInt(jsonText(member(one, 'amount'))) * all - owed;
      // Each share is rounded down; the total is the sum of them.
      expect(off < all * BigInt(weights.size) && off > -all * BigInt(weights.size)).toBe(true);
    }
  }
});
