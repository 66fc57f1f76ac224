import { describe, expect, it } from 'vitest';
import { createRangeRecord, createRequestedRange } from '../../../src/chain/range/requested-range.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';

/** Five segments of ten blocks; those from blocks 11 and 31 on do not continue the one before. */
const SEGMENTS = [0, 1, 2, 3, 4].map(
  (place): Segment => ({
    fromHeight: BigInt(place * 10 + 1),
    toHeight: BigInt(place * 10 + 10),
    historySegmentId: `Qm${place}`,
    previousHistorySegmentId: place === 1 || place === 3 ? 'QmOther' : `Qm${place - 1}`,
    databaseVersion: '93',
    chainId: 'chain-1',
  }),
);

const breaksRecorded = (fromBlock: bigint, toBlock: bigint): readonly (string | undefined)[] => {
  const asked = createRequestedRange(
    { from: { height: fromBlock, asked: null }, to: { height: toBlock, asked: null } },
    null,
  );
  const { ranges } = createRangeRecord(
    { asked, table: { id: 'ledger' }, fromBlock, toBlock },
    listedBoundaries(SEGMENTS),
  );
  return ranges.flatMap(({ segments }) => segments?.breaks?.map(({ at }) => at) ?? []);
};

describe('Range record beside an export', () => {
  it('The range record has the breaks of the history within the exported blocks, and no others', () => {
    expect(breaksRecorded(1n, 50n)).toEqual(['11', '31']);
    expect(breaksRecorded(1n, 20n)).toEqual(['11']);
    expect(breaksRecorded(21n, 40n)).toEqual(['31']);
    expect(breaksRecorded(41n, 50n)).toEqual([]);
    expect(breaksRecorded(1n, 10n)).toEqual([]);
  });
});
