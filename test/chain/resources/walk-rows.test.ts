import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/chain/api/client.ts';
import { UndecodableError } from '../../../src/chain/api/errors.ts';
import { parseJson } from '../../../src/chain/api/json.ts';
import type { FilterValues } from '../../../src/chain/resources/filter.ts';
import { paidLiquidityFees } from '../../../src/chain/resources/paid-liquidity-fees.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { walkRows } from '../../../src/chain/resources/walk-rows.ts';
import { clientOf } from '../../support/client.ts';

interface Fee {
  readonly market: string;
  readonly asset: string;
  readonly epochSeq: string;
}

/** Answers as deployed nodes do (node-behaviour.md sections 3.3 and 6), but gives at most `most` rows. */
function feeNode(fees: readonly Fee[], most: number): Client {
  return clientOf(async ({ query }) => {
    const of = (name: string) => query.find(([key]) => key === name)?.[1];
    if (of('pagination.after') !== undefined || of('pagination.before') !== undefined) throw new Error('a cursor');
    const [market, asset, epoch] = [of('marketId'), of('assetId'), of('epochSeq')];
    const newest = Math.max(0, ...fees.map(({ epochSeq }) => Number(epochSeq)));
    const wanted = epoch ?? (market === undefined || asset === undefined ? String(newest) : undefined);
    const rows = fees
      .filter(fee => (market ?? fee.market) === fee.market && (asset ?? fee.asset) === fee.asset)
      .filter(fee => (wanted ?? fee.epochSeq) === fee.epochSeq)
      .toSorted((a, b) => {
        const byMarket = a.market.localeCompare(b.market) || a.asset.localeCompare(b.asset);
        return byMarket || Number(b.epochSeq) - Number(a.epochSeq);
      });
    if (of('pagination.newestFirst') !== 'false') rows.reverse();
    const size = Math.min(most, Number(of('pagination.first')));
    const edges = rows.slice(0, size).map(node => ({ node: { ...node, feesPaidPerParty: [] } }));
    const pageInfo = { hasNextPage: rows.length > size, endCursor: rows.length === 0 ? '' : 'cursor' };
    return {
      json: parseJson(JSON.stringify({ paidLiquidityFees: { edges, pageInfo } })),
      facts: { rate: {} },
      bytes: 0,
      elapsedMs: 0,
    };
  });
}

async function walk(fees: readonly Fee[], most: number, filters: FilterValues, newestFirst = true, size = 5000) {
  const options = {
    client: feeNode(fees, most),
    resource: paidLiquidityFees,
    signal: new AbortController().signal,
    onWait: () => {},
    onSmaller: () => {},
    onNote: () => {},
  };
  const keys: string[] = [];
  const error: unknown = await (async () => {
    for await (const { rows } of walkRows(options, { filters, size, newestFirst, position: { kind: 'first' } }))
      keys.push(...rows.map(paidLiquidityFees.keyOf));
    return null;
  })().catch((caught: unknown) => caught);
  return { keys, error };
}

const both = { marketId: ['aa'], assetId: ['bb'] };

describe('Walk over paid fees', () => {
  it('The walk returns every epoch of a market and asset once, in order, however few rows an answer has', async () => {
    const epochs = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(epochs, fc.integer({ min: 1, max: 12 }), fc.boolean(), async (numbers, most, newestFirst) => {
        const fees = numbers.map(epoch => ({ market: 'aa', asset: 'bb', epochSeq: String(epoch) }));
        const { keys, error } = await walk(
          [...fees, { market: 'cc', asset: 'bb', epochSeq: '99' }],
          most,
          both,
          newestFirst,
        );
        expect(error).toBeNull();
        const ordered = numbers.toSorted((a, b) => (newestFirst ? b - a : a - b));
        expect(keys).toEqual(ordered.map(epoch => `aa/bb/${epoch}`));
      }),
    );
  });

  it('The walk of one epoch returns every row once, or reports that some between cannot be loaded', async () => {
    const markets = fc.uniqueArray(fc.integer({ min: 10, max: 99 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(markets, fc.integer({ min: 1, max: 12 }), async (numbers, most) => {
        const fees = numbers.map(market => ({ market: `${market}`, asset: 'bb', epochSeq: '7' }));
        const { keys, error } = await walk(fees, most, {});
        expect(new Set(keys).size).toBe(keys.length);
        if (numbers.length < most * 2) expect([error, keys.length]).toEqual([null, numbers.length]);
        if (numbers.length > most * 2) expect(error).toBeInstanceOf(UndecodableError);
        if (error === null) expect(keys.length).toBe(numbers.length);
      }),
    );
  });

  it('The walk never treats an epoch as complete if the node reports more rows of it', async () => {
    const fees = [1, 2, 2, 3, 4, 5].map(epoch => ({ market: 'aa', asset: 'bb', epochSeq: String(epoch) }));
    const { error } = await walk(fees, 1, both);
    expect(error).toMatchObject({ message: 'the node shows 1 rows of epoch 2; the others cannot be loaded' });
  });

  it('The walk continues after a first page that is smaller than an answer can be', async () => {
    const fees = Array.from({ length: 30 }, (_, epoch) => ({ market: 'aa', asset: 'bb', epochSeq: String(epoch) }));
    const { keys, error } = await walk(fees, 5000, both, true, 4);
    expect([error, keys.length, new Set(keys).size]).toEqual([null, 30, 30]);
  });
});

/** One page, whatever is asked for, that says of itself that more follow. */
function onePageNode(wrapperKey: string): Client {
  const edges = [1, 2, 3].map(number => ({ node: { id: `${number}`, epochSeq: '1' }, cursor: 'c' }));
  const json = parseJson(JSON.stringify({ [wrapperKey]: { edges, pageInfo: { hasNextPage: true, endCursor: 'c' } } }));
  return { ...feeNode([], 1), get: async () => ({ json, facts: { rate: {} }, bytes: 0, elapsedMs: 0 }) };
}

describe('List read from both ends', () => {
  const lists = RESOURCES.filter(({ paging }) => paging.byCursor !== true);

  it.each(lists)('A list is not called complete if both ends are the same page: $id', async resource => {
    const options = {
      client: onePageNode(resource.wrapperKey),
      resource,
      signal: new AbortController().signal,
      onWait: () => {},
      onSmaller: () => {},
      onNote: () => {},
    };
    const read = async () => {
      const first = { filters: {}, size: 5000, newestFirst: true, position: { kind: 'first' } } as const;
      for await (const _ of walkRows(options, first));
    };
    await expect(read()).rejects.toMatchObject({
      message: 'the node shows 3 rows of this list, from its two ends; the others cannot be loaded',
      hint: resource.id === 'fees' ? expect.stringContaining('asset') : 'another node may show them',
    });
  });
});
