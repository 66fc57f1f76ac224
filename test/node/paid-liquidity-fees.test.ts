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

describe('which epochs are meant', () => {
  it('is the newest of all markets when neither or only one of market and asset is given', async () => {
    const rows = await fees('');
    expect(new Set(rows.map(({ epoch }) => epoch))).toEqual(new Set([41]));
    const [{ market, asset } = { market: '', asset: '' }] = rows.map(row => ({
      market: row.market,
      asset: row.asset,
    }));
    expect(await fees(`marketId=${market}`)).toEqual(rows.filter(row => row.market === market));
    expect(await fees(`assetId=${asset}`)).toEqual(rows.filter(row => row.asset === asset));
  });

  it('is every epoch when market and asset are both given', async () => {
    const [row] = await fees('');
    const rows = await fees(`marketId=${row?.market}&assetId=${row?.asset}`);
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set([row?.key]));
    expect(new Set(rows.map(({ epoch }) => epoch)).size).toBeGreaterThan(5);
    const newest = await fees(`marketId=${row?.market}&assetId=${row?.asset}&epochSeq=41`);
    expect(newest.map(({ epoch }) => epoch)).toEqual([41]);
  });

  it('is the epoch asked for, which need not have fees', async () => {
    expect(new Set((await fees('epochSeq=20')).map(({ epoch }) => epoch))).toEqual(new Set([20]));
    expect(await fees('epochSeq=18446744073709551615')).toEqual([]);
  });

  it('covers forty epochs in all', async () => {
    const perEpoch = await Promise.all(Array.from({ length: 43 }, (_, epoch) => fees(`epochSeq=${epoch}`)));
    expect(perEpoch.filter(rows => rows.length > 0)).toHaveLength(40);
  });

  it('gives nothing for a market that was quiet in the newest epoch', async () => {
    const everywhere = (await Promise.all([38, 39, 40].map(epoch => fees(`epochSeq=${epoch}`)))).flat();
    const newest = new Set((await fees('')).map(row => row.market));
    const quiet = everywhere.find(row => !newest.has(row.market));
    expect(quiet).toBeDefined();
    expect(await fees(`marketId=${quiet?.market}`)).toEqual([]);
  });

  it('is spoilt by an empty market, which counts as set', async () => {
    const [row] = await fees('');
    expect(await fees('marketId=')).toEqual([]);
    expect(await fees(`marketId=&assetId=${row?.asset}`)).toEqual([]);
  });
});

describe('the party filter', () => {
  it('works inside the row and leaves the total alone', async () => {
    const rows = await fees('epochSeq=30');
    const [party] = rows.flatMap(partiesOf);
    const kept = await fees(`epochSeq=30&partyIds=${party}`);
    const expected = rows.filter(row => partiesOf(row).includes(party ?? ''));
    expect(kept.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    expect(kept.map(row => row.totalFeesPaid)).toEqual(expected.map(row => row.totalFeesPaid));
    for (const row of kept) expect(partiesOf(row)).toEqual([party]);
  });

  it('takes several values under both spellings, and no comma list', async () => {
    const [one, two] = [...new Set((await fees('epochSeq=30')).flatMap(partiesOf))];
    const kept = await fees(`epochSeq=30&partyIds=${one}&party_ids=${two}`);
    expect(new Set(kept.flatMap(partiesOf))).toEqual(new Set([one, two]));
    expect(await fees(`epochSeq=30&partyIds=${one},${two}`)).toEqual([]);
  });

  it('compares text: upper case and malformed ids match nothing and are no error', async () => {
    const [party = ''] = (await fees('')).flatMap(partiesOf);
    expect(await fees(`partyIds=${party.toUpperCase()}`)).toEqual([]);
    expect(await fees('partyIds=not-an-id')).toEqual([]);
  });
});

describe('a row', () => {
  it('holds whole amounts as text, no quantum amounts, and a total that is their sum', async () => {
    for (const row of await fees('epochSeq=35')) {
      const paid = row.feesPaidPerParty;
      expect(paid.every(({ quantumAmount }) => quantumAmount === '')).toBe(true);
      expect(String(paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n))).toBe(row.totalFeesPaid);
    }
  });
});

describe('the order', () => {
  it('is by market, asset and epoch, the epoch running the other way', async () => {
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

describe('refusals', () => {
  it('meet every valid cursor, in either direction, though the first page promises a next one', async () => {
    const { pageInfo } = await page(`${node.url}${path}`, 'paidLiquidityFees', { 'pagination.first': '2' });
    expect(pageInfo.hasNextPage).toBe(true);
    const cursor = encodeURIComponent(pageInfo.endCursor);
    const inner = 'building cursor predicate: no field matching column name epoch_seq';
    const broken = [500, 13, 10000, 'failed to list paid liquidity fees', inner];
    expect(await refusal(`${node.url}${path}?pagination.after=${cursor}`)).toEqual(broken);
    expect(await refusal(`${node.url}${path}?pagination.before=${cursor}`)).toEqual(broken);
  });

  it('meet market and asset ids that are not hex', async () => {
    const failed = [400, 3, 10000, 'failed to list paid liquidity fees'];
    expect((await refusal(`${node.url}${path}?marketId=zz`)).slice(0, 4)).toEqual(failed);
    expect((await refusal(`${node.url}${path}?assetId=abc`)).slice(0, 4)).toEqual(failed);
  });
});

function partiesOf({ feesPaidPerParty }: Fee): readonly string[] {
  return feesPaidPerParty.map(({ party }) => party);
}

describe('who is paid', () => {
  it('has an active provision in the market to the end of the epoch', async () => {
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

  it('is paid epoch by epoch, one left out now and then, in amounts of the asset', async () => {
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
