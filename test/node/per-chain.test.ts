import { expect, it } from 'vitest';
import { createChain } from '../../src/node/demo/chain.ts';
import { Bookkeeping, sharedBookkeeping } from '../../src/node/demo/history/bookkeeping.ts';
import { paidLiquidityFeesTable } from '../../src/node/demo/paid-liquidity-fees.ts';

const SCALE = { provisions: 300, history: 1 };
const chainFrom = (startedMs: number, isLive = false) => createChain({ seed: 'shared', startedMs, isLive });

it('Demo nodes that start at different moments have the same books, and share them', () => {
  const [now, earlier] = [Date.UTC(2026, 10, 20, 12), Date.UTC(2024, 1, 29) + 12_345];
  const balances = [now, earlier].map(startedMs => [
    ...new Bookkeeping(chainFrom(startedMs), SCALE).bookAt(3000).balances(),
  ]);
  expect(balances[0]).toEqual(balances[1]);
  expect(balances[0]?.length).toBeGreaterThan(100);
  expect(sharedBookkeeping(chainFrom(now), SCALE)).toBe(sharedBookkeeping(chainFrom(earlier), SCALE));
});

it.each([false, true])('Demo nodes that start at different moments have the same fees (living: %s)', async isLive => {
  const rows = async (startedMs: number, provisions = 60) => {
    const table = paidLiquidityFeesTable(chainFrom(startedMs, isLive), { provisions, history: 0.2 });
    return [...(await table.rows())];
  };
  const first = await rows(Date.UTC(2026, 10, 20, 12));
  // Four others in between: the first is made again.
  for (const provisions of [1, 2, 3, 4]) await rows(0, provisions);
  const again = await rows(Date.UTC(2024, 1, 29) + 12_345);
  expect(again).toEqual(first);
  expect(again).not.toBe(first);
  expect(first.length).toBeGreaterThan(20);
});

it('Another scale, or a living chain, has its own books', () => {
  const books = sharedBookkeeping(chainFrom(0), SCALE);
  expect(sharedBookkeeping(chainFrom(0), { ...SCALE, history: 2 })).not.toBe(books);
  expect(sharedBookkeeping(chainFrom(0, true), SCALE)).not.toBe(books);
});
