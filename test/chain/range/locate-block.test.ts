import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NetworkError } from '../../../src/chain/api/errors.ts';
import type { Json } from '../../../src/chain/api/json.ts';
import type { NodeRequester } from '../../../src/chain/range/epoch.ts';
import { locateBlock } from '../../../src/chain/range/locate-block.ts';
import { parseNamedRangeEnd, RANGE_END_FORMS, RangeEndError } from '../../../src/chain/range/parse-range.ts';
import { epochsOf, type FakeChain, type FakeNode, fakeNode } from './fake-chain.ts';

const GENESIS = Date.UTC(2026, 8, 14, 6);
const never = new AbortController().signal;
const find = ({ client }: FakeNode, text: string, bound: 'from' | 'to' = 'from') =>
  locateBlock(client, text, bound, never);

const regular = (blocks: number): FakeChain => ({
  genesisMs: GENESIS,
  epochMs: 600_000,
  blockMs: Array.from({ length: blocks }, (_, index) => GENESIS + (index + 1) * 1000),
});

/** Blocks come every 0.2 to 9 s, and now and then the chain stands still for up to three days. */
const chains = fc
  .record({
    gaps: fc.array(
      fc.oneof(
        { weight: 60, arbitrary: fc.integer({ min: 200, max: 9000 }) },
        fc.integer({ min: 1, max: 259_200_000 }),
      ),
      {
        minLength: 2,
        maxLength: 400,
      },
    ),
    epochMs: fc.constantFrom(5000, 60_000, 600_000, 86_400_000),
  })
  .map(({ gaps, epochMs }): FakeChain => {
    let atMs = GENESIS;
    return { genesisMs: GENESIS, epochMs, blockMs: gaps.map(gap => (atMs += gap)) };
  });

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const wholeTime = (timeMs: number, unit: string, lengthMs: number) => {
  const fromNs = BigInt(timeMs) * 1_000_000n;
  return { kind: 'time', unit, fromNs, untilNs: fromNs + BigInt(lengthMs) * 1_000_000n };
};

describe('Place syntax', () => {
  it.each([
    ['e41', { kind: 'epoch', seq: '41' }],
    [' Epoch 041 ', { kind: 'epoch', seq: '41' }],
    ['2026-10-01', wholeTime(Date.UTC(2026, 9, 1), 'day', 86_400_000)],
    ['2026-10-01 12:30', wholeTime(Date.UTC(2026, 9, 1, 12, 30), 'minute', 60_000)],
    ['2026-10-01T12:30:05Z', wholeTime(Date.UTC(2026, 9, 1, 12, 30, 5), 'second', 1000)],
    ['2026-10', wholeTime(Date.UTC(2026, 9, 1), 'month', 31 * 86_400_000)],
    ['2028-02-29', wholeTime(Date.UTC(2028, 1, 29), 'day', 86_400_000)],
  ])('The text %j is a place in a range', (text, place) => expect(parseNamedRangeEnd(text)).toEqual(place));

  it.each([
    '',
    '41',
    'e',
    'e-1',
    'e1.5',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-10-32',
    '2026-10-01 24:00',
    '2026-10-01 12:60',
    '2026-10-01 12',
    '01.10.2026',
    '2026-10-01 12:00+02:00',
    'today',
  ])('The text %j is not a place in a range', text => expect(parseNamedRangeEnd(text)).toBeUndefined());
});

describe('Block of a time', () => {
  it('A time and the block of that time convert to each other exactly on a regular chain', async () => {
    const chain = regular(20_000);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 19_999 }), async height => {
        const text = timeText(GENESIS + height * 1000);
        expect(Math.abs(Number((await find(fakeNode(chain), text)).height) - height)).toBeLessThanOrEqual(1);
        expect(Math.abs(Number((await find(fakeNode(chain), text, 'to')).height) - height)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });

  it('A time is found in the epoch that contains it, whatever the gaps between blocks are', async () => {
    await fc.assert(
      fc.asyncProperty(
        chains,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        async (chain, share, hasHeaders) => {
          const headMs = chain.blockMs.at(-1) ?? GENESIS;
          const wantedMs = Math.floor((GENESIS + share * (headMs - GENESIS)) / 1000) * 1000;
          const node = fakeNode(chain, { hasHeaders });
          const epochs = epochsOf(chain);
          const epoch = epochs.find(
            ({ startMs, endMs }) => startMs <= wantedMs && (endMs === undefined || wantedMs < endMs),
          );
          if (epoch === undefined) throw new Error('no epoch holds it');
          const { height } = await find(node, timeText(wantedMs));
          const last = epoch.lastBlock ?? chain.blockMs.length;
          // The first block from a time on may be the one that begins the next epoch.
          expect(Number(height)).toBeGreaterThanOrEqual(epoch.firstBlock);
          expect(Number(height)).toBeLessThanOrEqual(last + 1);
          // Every block that is outside for certain is on its side: the whole of what was named is kept.
          const before = chain.blockMs.filter(ms => ms < epoch.startMs).length;
          expect(Number(height)).toBeGreaterThan(before - 1);
          expect(node.asked.length).toBeLessThanOrEqual(4 + 3 * Math.ceil(Math.log2(epochs.length + 1)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('A time in a standstill is the next block as a beginning, and the previous block as an end', async () => {
    const run = (fromMs: number) => Array.from({ length: 600 }, (_, index) => fromMs + index * 1000);
    const chain = {
      genesisMs: GENESIS,
      epochMs: 600_000,
      blockMs: [...run(GENESIS + 1000), ...run(GENESIS + 40 * 86_400_000)],
    };
    expect((await find(fakeNode(chain), '2026-10-01')).height).toBe(601n);
    expect((await find(fakeNode(chain), '2026-10-01', 'to')).height).toBe(600n);
  });

  it('A time before the first block or after the newest is refused, with the time of that block', async () => {
    await fc.assert(
      fc.asyncProperty(
        chains,
        fc.integer({ min: 1000, max: 1e10 }),
        fc.constantFrom('from' as const, 'to' as const),
        async (chain, offMs, bound) => {
          const node = fakeNode(chain);
          const headMs = chain.blockMs.at(-1) ?? GENESIS;
          const early = find(node, timeText(GENESIS - offMs), bound);
          await expect(early).rejects.toThrow(RangeEndError);
          await expect(early).rejects.toThrow(
            /is before the first block: the chain began at 2026-09-14 06:00:00 UTC with block 1$/,
          );
          const late = find(node, timeText(headMs + offMs + 1000), bound);
          await expect(late).rejects.toThrow(RangeEndError);
          await expect(late).rejects.toThrow(
            `block ${chain.blockMs.length} was produced at ${timeText(headMs).replace('T', ' ')} UTC`,
          );
        },
      ),
      {
        numRuns: 50,
        // The second that ends as the chain begins.
        examples: [[{ genesisMs: GENESIS, epochMs: 5000, blockMs: [GENESIS + 200, GENESIS + 400] }, 1000, 'to']],
      },
    );
  });

  it('A time that is a day means all of it, from its first block to its last', async () => {
    const chain = {
      ...regular(0),
      epochMs: 3_600_000,
      blockMs: Array.from({ length: 2000 }, (_, index) => GENESIS + (index + 1) * 120_000),
    };
    const [from, to] = [await find(fakeNode(chain), '2026-09-15'), await find(fakeNode(chain), '2026-09-15', 'to')];
    const inDay = chain.blockMs.flatMap((ms, index) => (timeText(ms).startsWith('2026-09-15') ? [index + 1] : []));
    expect(Math.abs(Number(from.height) - (inDay[0] ?? 0))).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(to.height) - (inDay.at(-1) ?? 0))).toBeLessThanOrEqual(1);
    expect((await find(fakeNode(chain), '2026-09-14')).height).toBe(1n);
    expect((await find(fakeNode(chain), '2026-09-14')).note).toContain('the chain began at 2026-09-14 06:00:00 UTC');
    await expect(find(fakeNode(chain), '2026-09-17', 'to')).rejects.toThrow(
      /^2026-09-17 is not over: block 2000 was produced at/,
    );
  });

  it('A time before the oldest epoch that a node still knows is refused with that epoch, and never moved', async () => {
    const chain = regular(20_000);
    const node = fakeNode(chain, { oldestEpoch: 20 });
    await expect(find(node, timeText(GENESIS + 600_000))).rejects.toThrow(
      /oldest epoch that this node knows: .* with block 11400$/,
    );
    expect((await find(node, timeText(GENESIS + 15_000_000))).height).toBe(15_000n);
  });

  it('A time is estimated from genesis to head on a node without epochs, and the note says so', async () => {
    const node = fakeNode(regular(20_000), { hasEpochs: false });
    const { height, note } = await find(node, timeText(GENESIS + 5_000_000));
    expect(Math.abs(Number(height) - 5000)).toBeLessThanOrEqual(1);
    expect(note).toContain('from the average block time, as this node does not serve epochs');
    await expect(find(node, '2026-01-01')).rejects.toThrow(/is before the first block: the chain began at/);
    const mute = fakeNode(regular(10), { hasEpochs: false, hasStatistics: false, hasHeaders: false });
    await expect(find(mute, '2026-09-14')).rejects.toThrow(
      /does not report the time of its newest block. Enter the range as block heights./,
    );
  });
});

describe('Blocks of an epoch', () => {
  const node = fakeNode(regular(20_000));

  it('An epoch begins with its first block and ends with its last', async () => {
    expect(await find(node, 'e2')).toMatchObject({ height: 600n, note: 'epoch 2 begins with block 600' });
    expect(await find(node, 'e2', 'to')).toMatchObject({ height: 1199n, note: 'epoch 2 ends with block 1199' });
  });

  it.each([
    ['e34', 'to', 'epoch 34 has not ended yet'],
    ['e99', 'from', 'this node knows no epoch 99'],
  ] as const)('The epoch %s as %s is refused: %s', async (text, bound, sentence) => {
    await expect(find(node, text, bound)).rejects.toThrow(new RangeEndError(sentence));
  });

  it('An epoch is refused for that reason by a node without the operation', async () => {
    const without = fakeNode(regular(10), { hasEpochs: false });
    await expect(find(without, 'e1')).rejects.toThrow(/^this node does not serve epochs/);
  });
});

describe('Requested range', () => {
  const node = fakeNode(regular(100_000));
  const asked = async (text: string, bound: 'from' | 'to') => (await find(node, text, bound)).asked;

  it('The requested range starts at the first moment of an epoch and ends at the first of the next one', async () => {
    const second = await asked('e2', 'from');
    expect(await asked('e2', 'to')).toEqual({ ...second, time: second?.epoch?.end });
    expect(second?.epoch).toMatchObject({ seq: '2', start: second?.time });
    expect((await asked('e3', 'from'))?.time).toBe(second?.epoch?.end);
  });

  it.each([
    ['2026-09-14', 'from', '2026-09-14T00:00:00.000000Z'],
    ['2026-09-14', 'to', '2026-09-15T00:00:00.000000Z'],
    ['2026-09-14 12:00', 'from', '2026-09-14T12:00:00.000000Z'],
    ['2026-09-14 12:00', 'to', '2026-09-14T12:01:00.000000Z'],
    ['2026-09-14 12:00:05', 'to', '2026-09-14T12:00:06.000000Z'],
  ] as const)('The requested bound %s as %s is %s', async (text, bound, time) => {
    expect(await asked(text, bound)).toMatchObject({ time, epoch: null });
  });
});

describe('Notes on a time', () => {
  const node = fakeNode(regular(100_000));
  const note = async (text: string, bound: 'from' | 'to') => (await find(node, text, bound)).note;

  it('The note on a time says where it begins or ends, and how that was estimated', async () => {
    expect(await note('2026-09-14 07:00', 'from')).toBe(
      '2026-09-14 07:00 UTC begins at about block 3600, estimated within epoch 7',
    );
    expect(await note('2026-09-14 07:00', 'to')).toBe(
      '2026-09-14 07:00 UTC ends at about block 3659, estimated within epoch 7',
    );
    expect(await note('2026-09-15', 'from')).toMatch(/^2026-09-15 begins at about block 64[78]\d\d, estimated within/);
    expect(await note('2026-09-14', 'to')).toMatch(/^2026-09-14 ends at about block 64[78]\d\d, estimated within/);
  });

  it('The note on a time after the newest block is the same for both bounds', async () => {
    for (const bound of ['from', 'to'] as const)
      await expect(find(node, '2026-10-01 12:00', bound)).rejects.toThrow(
        /^2026-10-01 12:00 UTC is after the newest block: block 100000 was produced at 2026-09-15 09:46:40 UTC$/,
      );
    await expect(find(node, '2026-09-17', 'from')).rejects.toThrow(/^2026-09-17 is after the newest block: /);
  });

  it('The note on a text that is not a time says so', async () => {
    await expect(find(node, 'soon')).rejects.toThrow(new RangeEndError(`"soon" is not ${RANGE_END_FORMS}`));
  });
});

describe('Node without epochs and chain start', () => {
  const statistics = { genesisTime: '2026-09-14T06:00:00Z', vegaTime: '2026-09-14T08:00:00Z', blockHeight: '7200' };
  const { client: silent } = fakeNode(regular(10), { hasEpochs: false, hasStatistics: false, hasHeaders: false });
  const answering = (json: Json): NodeRequester => ({
    get: request =>
      request.path === 'statistics'
        ? Promise.resolve({ json: { statistics: json }, facts: { rate: {} }, bytes: 0, elapsedMs: 0 })
        : silent.get(request),
  });
  const at = (json: Json) => locateBlock(answering(json), '2026-09-14 07:00', 'from', never);

  it('The statistics of a node without epochs are used when they are complete', async () => {
    expect((await at(statistics)).height).toBe(3601n);
  });

  it.each([
    ['no genesis', { ...statistics, genesisTime: 'x' }],
    ['no time of its head', { ...statistics, vegaTime: '' }],
    ['no height', { ...statistics, blockHeight: '0' }],
    ['half a height', { ...statistics, blockHeight: '7200.5' }],
    ['a height with a sign', { ...statistics, blockHeight: '+7200' }],
    ['nothing', {}],
  ])('The statistics of a node without epochs are not used when they have %s', async (_what, json) => {
    await expect(at(json)).rejects.toThrow(
      new RangeEndError('the node does not report the time of its newest block. Enter the range as block heights.'),
    );
  });

  it('The statistics of a node without epochs are not used when its chain did not last', async () => {
    const still = { ...statistics, genesisTime: statistics.vegaTime };
    await expect(at(still)).rejects.toThrow(
      new RangeEndError('the node gives no times for its epochs or its chain. Enter the range as block heights.'),
    );
  });

  it('A node that fails in another way is not treated as one without epochs', async () => {
    const broken = new NetworkError('broken', { url: '', hint: '' });
    const client: NodeRequester = {
      get: request => (request.path === 'statistics' ? Promise.reject(broken) : silent.get(request)),
    };
    await expect(locateBlock(client, '2026-09-14 07:00', 'from', never)).rejects.toBe(broken);
  });
});
