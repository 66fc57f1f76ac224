import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { searchBlocks } from '../../../src/history/store/search-blocks.ts';
import { documentedGateway } from '../../support/documented-gateway.ts';
import { type NodeSegment, segmentNode, segmentsOfTen, segmentsOfThousand } from './segment-node.ts';

/** Neighbours that end at these blocks. */
const segmentsTo = (ends: readonly number[], start = 1): readonly NodeSegment[] =>
  ends.map((to, index) => ({
    ...{ from: (ends[index - 1] ?? start - 1) + 1, to, version: 93 },
    ...{ id: `Qm${to}`, previous: index === 0 ? '' : `Qm${ends[index - 1]}` },
  }));

const every = (length: number, count: number, after = 0): readonly number[] =>
  Array.from({ length: count }, (_, index) => after + (index + 1) * length);

interface Searched extends NonNullable<Parameters<typeof documentedGateway>[1]> {
  /** The length that the node names in its parameters. */
  readonly interval?: number;
  readonly ends?: { readonly from?: bigint; readonly to?: bigint };
}

async function searched(there: readonly NodeSegment[] | null, { interval, ends, ...options }: Searched = {}) {
  const node = await segmentNode(there);
  if (interval !== undefined) node.parameters.push(['snapshot.interval.length', String(interval)]);
  const gateway = await documentedGateway(node.url, options);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const client = createClient({ base: baseAddress(gateway.url), perSecond: 10_000 });
  const found = await searchBlocks({ client, ...(ends && { ends }), signal: new AbortController().signal });
  const [first, last] = [found?.segments[0], found?.segments.at(-1)];
  return {
    found: found && { chainId: found.chainId, range: { from: first?.from, to: last?.to } },
    mayHave: found?.mayHave,
    segments: found?.segments,
    exports: gateway.asked.filter(path => path.includes('/export')),
  };
}

const blocks = (from: bigint, to: bigint) => ({ chainId: 'c', range: { from, to } });

/** An upgrade ends a segment early, and the next ones count from there. */
const upgradedAt = (block: number): readonly NodeSegment[] =>
  segmentsTo([...every(1000, 14), block, ...every(1000, 9, block)]);

describe('Blocks of a node that lists no segments', () => {
  it.each([
    ['one segment', segmentsOfThousand(1), {}, blocks(1n, 1000n)],
    ['two', segmentsOfThousand(2), {}, blocks(1n, 2000n)],
    ['many', segmentsOfThousand(700), {}, blocks(1n, 700_000n)],
    ['many, and the newest block in a header', segmentsOfThousand(700), { newestBlock: 700_400 }, blocks(1n, 700_000n)],
    [
      'the oldest dropped, and a header',
      segmentsOfThousand(500, 200),
      { newestBlock: 700_999 },
      blocks(200_001n, 700_000n),
    ],
    ['two not published yet', segmentsOfThousand(7), { newestBlock: 9999 }, blocks(1n, 7000n)],
    ['far fewer than the header lets expect', segmentsOfThousand(7), { newestBlock: 900_000 }, blocks(1n, 7000n)],
    ['a node that exports only trades', segmentsOfThousand(3), { tables: ['trades'] }, blocks(1n, 3000n)],
    ['the oldest dropped, without a header', segmentsOfThousand(300, 200), {}, blocks(200_001n, 500_000n)],
    ['nearly all dropped, without a header', segmentsOfThousand(3, 7000), {}, undefined],
    ['the oldest dropped, with a named end', segmentsOfThousand(3, 2), { ends: { from: 2001n } }, blocks(2001n, 5000n)],
    ['segments of ten blocks', segmentsOfTen(400), {}, blocks(1n, 4000n)],
    ['segments of thirty blocks', segmentsTo(every(30, 41)), {}, blocks(1n, 1230n)],
    ['segments of the length in the parameters', segmentsTo(every(22, 50)), { interval: 22 }, blocks(1n, 1100n)],
    ['longer ones by the parameters', segmentsTo(every(5000, 4)), { interval: 5000 }, blocks(1n, 20_000n)],
    ['a length that was changed', segmentsTo([...every(1000, 7), ...every(300, 8, 7000)]), {}, blocks(1n, 9400n)],
    ['an upgrade', upgradedAt(14_500), {}, blocks(1n, 23_500n)],
    ['an upgrade, and a header', upgradedAt(14_310), { newestBlock: 23_533 }, blocks(1n, 23_310n)],
    [
      'the oldest dropped, an upgrade and a header',
      upgradedAt(14_310).slice(3),
      { newestBlock: 23_533 },
      blocks(3001n, 23_310n),
    ],
    ['the oldest dropped, and an upgrade', upgradedAt(14_310).slice(3), {}, blocks(3001n, 23_310n)],
    [
      'the oldest dropped, an upgrade at an odd block and a header',
      upgradedAt(14_537).slice(3),
      { newestBlock: 23_600, ends: { from: 13_001n, to: 14_537n } },
      blocks(13_001n, 14_537n),
    ],
    ['an upgrade at an odd block', upgradedAt(14_537), {}, blocks(1n, 14_000n)],
    ['an upgrade at an odd block that was named', upgradedAt(14_537), { ends: { to: 14_537n } }, blocks(1n, 14_537n)],
    ['a node that exports nothing', segmentsOfThousand(3), { tables: [] }, undefined],
    ['a node that exports whatever it is asked for', null, {}, undefined],
  ] as const)('The blocks of a node without segments are found: %s', async (_, there, options: Searched, expected) => {
    const { found, segments = [] } = await searched(there, options);
    expect(found).toEqual(expected);
    for (const [index, { from }] of segments.entries())
      if (index > 0) expect(from).toBe((segments[index - 1]?.to ?? 0n) + 1n);
  });

  it.each([
    ['without a header', upgradedAt(14_537), {}, { earlier: false, later: true }],
    ['by a header', upgradedAt(14_537), { newestBlock: 23_600 }, { earlier: false, later: true }],
    ['the next segment is not finished', upgradedAt(14_500), { newestBlock: 23_533 }, { earlier: false, later: false }],
    ['the end was named', upgradedAt(14_500), { ends: { to: 5000n } }, { earlier: false, later: false }],
    ['the oldest dropped', upgradedAt(14_500).slice(2), { newestBlock: 23_533 }, { earlier: true, later: false }],
    ['a start was named', upgradedAt(14_500).slice(2), { ends: { from: 3001n } }, { earlier: false, later: true }],
  ] as const)(
    'The blocks of a node without segments are said to go on where that is possible: %s',
    async (_, there, options: Searched, expected) => {
      expect((await searched(there, options)).mayHave).toEqual(expected);
    },
  );

  it('The blocks of a node without segments are found with a few small exports, and never with the first block behind the last', async () => {
    const { exports } = await searched(segmentsOfThousand(20_000));
    const lengths = exports.map(path => {
      const { searchParams } = new URL(path, 'http://node');
      expect(searchParams.get('table')).toBe('TABLE_CHECKPOINTS');
      return Number(searchParams.get('toBlock')) - Number(searchParams.get('fromBlock')) + 1;
    });
    // Some dozen whole segments, and the round heights after the last one.
    expect(exports.length).toBeLessThan(135);
    expect(lengths.filter(length => length === 1000).length).toBeLessThan(35);
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBe(1000);
  });
});
