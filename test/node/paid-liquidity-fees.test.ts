import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ask, page, refusal, withNode } from './wire.ts';

const node = withNode();
const path = '/api/v2/liquidity/paidfees';

const feeSchema = v.strictObject({
  market: v.string(),
  asset: v.string(),
  epochSeq: v.string(),
  totalFeesPaid: v.string(),
  feesPaidPerParty: v.array(v.strictObject({ party: v.string(), amount: v.string(), quantumAmount: v.string() })),
});

type Fee = v.InferOutput<typeof feeSchema>;

async function fees(query: string) {
  const parameters = new URLSearchParams(query);
  parameters.append('pagination.first', '5000');
  const answer = await page(`${node.url}${path}?${parameters}&x`, 'paidLiquidityFees');
  return answer.edges
    .map(({ node: row }) => v.parse(feeSchema, row))
    .map(row => ({
      ...row,
      key: `${row.market} ${row.asset}`,
      epoch: Number(row.epochSeq),
    }));
}

describe('Epochs of paid fees', () => {
  it('Paid fees are of the newest epoch of all markets unless both market and asset are given', async () => {
    const rows = await fees('');
    expect(new Set(rows.map(({ epoch }) => epoch))).toEqual(new Set([41]));
    const [{ market, asset } = { market: '', asset: '' }] = rows.map(row => ({
      market: row.market,
      asset: row.asset,
    }));
    expect(await fees(`marketId=${market}`)).toEqual(rows.filter(row => row.market === market));
    expect(await fees(`assetId=${asset}`)).toEqual(rows.filter(row => row.asset === asset));
  });

  it('Paid fees are of every epoch when market and asset are both given', async () => {
    const [row] = await fees('');
    const rows = await fees(`marketId=${row?.market}&assetId=${row?.asset}`);
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set([row?.key]));
    expect(new Set(rows.map(({ epoch }) => epoch)).size).toBeGreaterThan(5);
    const newest = await fees(`marketId=${row?.market}&assetId=${row?.asset}&epochSeq=41`);
    expect(newest.map(({ epoch }) => epoch)).toEqual([41]);
  });

  it('Paid fees are of the requested epoch, which may have none', async () => {
    expect(new Set((await fees('epochSeq=20')).map(({ epoch }) => epoch))).toEqual(new Set([20]));
    expect(await fees('epochSeq=18446744073709551615')).toEqual([]);
  });

  it('Paid fees cover forty epochs in total', async () => {
    const perEpoch = await Promise.all(Array.from({ length: 43 }, (_, epoch) => fees(`epochSeq=${epoch}`)));
    expect(perEpoch.filter(rows => rows.length > 0)).toHaveLength(40);
  });

  it('Paid fees are empty for a market without fees in the newest epoch', async () => {
    const everywhere = (await Promise.all([38, 39, 40].map(epoch => fees(`epochSeq=${epoch}`)))).flat();
    const newest = new Set((await fees('')).map(row => row.market));
    const quiet = everywhere.find(row => !newest.has(row.market));
    expect(quiet).toBeDefined();
    expect(await fees(`marketId=${quiet?.market}`)).toEqual([]);
  });

  it('An empty market filter counts as set, so no paid fees are found', async () => {
    const [row] = await fees('');
    expect(await fees('marketId=')).toEqual([]);
    expect(await fees(`marketId=&assetId=${row?.asset}`)).toEqual([]);
  });
});

describe('Party filter of paid fees', () => {
  it('The party filter selects parties within the row and does not change the total', async () => {
    const rows = await fees('epochSeq=30');
    const [party] = rows.flatMap(partiesOf);
    const kept = await fees(`epochSeq=30&partyIds=${party}`);
    const expected = rows.filter(row => partiesOf(row).includes(party ?? ''));
    expect(kept.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    expect(kept.map(row => row.totalFeesPaid)).toEqual(expected.map(row => row.totalFeesPaid));
    for (const row of kept) expect(partiesOf(row)).toEqual([party]);
  });

  it('The party filter accepts several values in both spellings, and no comma-separated list', async () => {
    const [one, two] = [...new Set((await fees('epochSeq=30')).flatMap(partiesOf))];
    const kept = await fees(`epochSeq=30&partyIds=${one}&party_ids=${two}`);
    expect(new Set(kept.flatMap(partiesOf))).toEqual(new Set([one, two]));
    expect(await fees(`epochSeq=30&partyIds=${one},${two}`)).toEqual([]);
  });

  it('The party filter compares text: upper-case and malformed ids match nothing, without an error', async () => {
    const [party = ''] = (await fees('')).flatMap(partiesOf);
    expect(await fees(`partyIds=${party.toUpperCase()}`)).toEqual([]);
    expect(await fees('partyIds=not-an-id')).toEqual([]);
  });
});

describe('Row of paid fees', () => {
  it('A row of paid fees has whole amounts as text, no quantum amounts, and a total that is their sum', async () => {
    for (const row of await fees('epochSeq=35')) {
      const paid = row.feesPaidPerParty;
      expect(paid.every(({ quantumAmount }) => quantumAmount === '')).toBe(true);
      expect(String(paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n))).toBe(row.totalFeesPaid);
    }
  });
});

describe('Order of paid fees', () => {
  it('Paid fees are sorted by market, asset and epoch, with the epoch in the reverse direction', async () => {
    const [row] = await fees('');
    const both = `marketId=${row?.market}&assetId=${row?.asset}`;
    const oldestFirst = (await fees(both)).map(({ epoch }) => epoch);
    expect(oldestFirst).toEqual(oldestFirst.toSorted((a, b) => a - b));
    const reversed = (await fees(`${both}&pagination.newestFirst=false`)).map(({ epoch }) => epoch);
    expect(reversed).toEqual(oldestFirst.toReversed());
    const keys = (await fees('epochSeq=41')).map(({ key }) => key);
    expect(keys).toEqual(keys.toSorted().toReversed());
  });
});

describe('Refused requests for paid fees', () => {
  it('Every valid cursor is refused, in either direction, though the first page reports a next one', async () => {
    const { pageInfo } = await page(`${node.url}${path}`, 'paidLiquidityFees', { 'pagination.first': '2' });
    expect(pageInfo.hasNextPage).toBe(true);
    const cursor = encodeURIComponent(pageInfo.endCursor);
    const inner = 'building cursor predicate: no field matching column name epoch_seq';
    const broken = [500, 13, 10000, 'failed to list paid liquidity fees', inner];
    expect(await refusal(`${node.url}${path}?pagination.after=${cursor}`)).toEqual(broken);
    expect(await refusal(`${node.url}${path}?pagination.before=${cursor}`)).toEqual(broken);
  });

  it('Market and asset ids that are not hex are refused', async () => {
    const failed = [400, 3, 10000, 'failed to list paid liquidity fees'];
    expect((await refusal(`${node.url}${path}?marketId=zz`)).slice(0, 4)).toEqual(failed);
    expect((await refusal(`${node.url}${path}?assetId=abc`)).slice(0, 4)).toEqual(failed);
  });
});

function partiesOf({ feesPaidPerParty }: Fee): readonly string[] {
  return feesPaidPerParty.map(({ party }) => party);
}

describe('Recipients of paid fees', () => {
  it('A paid party has an active provision in the market to the end of the epoch', async () => {
    const { epoch } = JSON.parse((await ask(`${node.url}/api/v2/epoch?id=41`)).text);
    const newest = await fees('epochSeq=41');
    for (const { market, feesPaidPerParty } of newest) {
      const parameters = { marketId: market, 'pagination.first': '5000' };
      const found = await page(`${node.url}/api/v2/liquidity/provisions`, 'liquidityProvisions', parameters);
      // Newest first: the first row of a party from before the end of the epoch is how it stood then.
      const isBefore = (updatedAt: unknown) => BigInt(String(updatedAt)) < BigInt(epoch.timestamps.endTime);
      const then = found.edges.map(edge => edge.node).filter(({ updatedAt }) => isBefore(updatedAt));
      for (const { party } of feesPaidPerParty)
        expect(then.find(({ partyId }) => partyId === party)?.status).toMatch(/^STATUS_(ACTIVE|PENDING)$/);
    }
    expect(newest.length).toBeGreaterThan(8);
  });

  it('A party is paid epoch by epoch, with a gap now and then, in amounts of the asset', async () => {
    const [row] = await fees('epochSeq=41');
    const [first] = row?.feesPaidPerParty ?? [];
    const all = await fees(`marketId=${row?.market}&assetId=${row?.asset}`);
    const paid = all.filter(({ feesPaidPerParty }) => feesPaidPerParty.some(({ party }) => party === first?.party));
    expect(paid.length).toBeGreaterThan(5);
    const { asset } = JSON.parse((await ask(`${node.url}/api/v2/asset/${row?.asset}`)).text);
    const quantum = BigInt(asset.details.quantum);
    for (const { amount } of all.flatMap(({ feesPaidPerParty }) => feesPaidPerParty))
      expect(BigInt(amount) > 0n && BigInt(amount) < 1000n * quantum).toBe(true);
  });
});
