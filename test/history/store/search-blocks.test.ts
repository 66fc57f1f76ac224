import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { searchBlocks } from '../../../src/history/store/search-blocks.ts';
import { documentedGateway } from '../../support/documented-gateway.ts';
import { type NodeSegment, segmentNode, segmentsOfTen, segmentsOfThousand } from './segment-node.ts';

const segmentsOfThirty = (count: number): readonly NodeSegment[] =>
  segmentsOfTen(count).map(segment => ({ ...segment, from: (segment.to - 10) * 3 + 1, to: segment.to * 3 }));

async function searched(
  there: readonly NodeSegment[] | null,
  options: NonNullable<Parameters<typeof documentedGateway>[1]> = {},
) {
  const node = await segmentNode(there);
  const gateway = await documentedGateway(node.url, options);
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const client = createClient({ base: baseAddress(gateway.url) });
  const found = await searchBlocks({ client, signal: new AbortController().signal });
  return { found, exports: gateway.asked.filter(path => path.includes('/export')) };
}

const blocks = (from: bigint, to: bigint) => ({ chainId: 'c', range: { from, to } });

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
    ['the oldest dropped, without a header', segmentsOfThousand(3, 2), {}, undefined],
    ['segments of ten blocks', segmentsOfTen(400), {}, blocks(1n, 4000n)],
    ['segments of thirty blocks', segmentsOfThirty(40), {}, undefined],
    ['a node that exports nothing', segmentsOfThousand(3), { tables: [] }, undefined],
    ['a node that exports whatever it is asked for', null, {}, undefined],
  ] as const)('are found: %s', async (_, there, options, expected) => {
    expect((await searched(there, options)).found).toEqual(expected);
  });

  it('are found with a few small exports, and never with the first block behind the last', async () => {
    const { exports } = await searched(segmentsOfThousand(20_000));
    expect(exports.length).toBeLessThan(35);
    for (const path of exports) {
      const { searchParams } = new URL(path, 'http://node');
      expect(searchParams.get('table')).toBe('TABLE_CHECKPOINTS');
      expect(Number(searchParams.get('toBlock')) - Number(searchParams.get('fromBlock'))).toBe(999);
    }
  });
});
