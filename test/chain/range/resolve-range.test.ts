import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTypedRange, periodDays, RangeEndError } from '../../../src/chain/range/parse-range.ts';
import { type ResolvedRange, resolveRange } from '../../../src/chain/range/resolve-range.ts';
import { type Boundaries, checkRange, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { surveyRange } from '../../../src/chain/range/survey-range.ts';
import { segment } from '../../explorer/support/export-scenes.ts';
import { epochsOf, type FakeChain, fakeNode } from './fake-chain.ts';

const never = new AbortController().signal;
const DAY_MS = 86_400_000;

// A block every hour from 14 September 2026 on, epochs of a day, segments of a hundred blocks.
const GENESIS = Date.UTC(2026, 8, 14);
const chain: FakeChain = {
  genesisMs: GENESIS,
  epochMs: DAY_MS,
  blockMs: Array.from({ length: 1000 }, (_, index) => GENESIS + index * 3_600_000),
};
const segmentsFrom = (first: number): Boundaries =>
  listedBoundaries(
    Array.from({ length: 9 }, (_, index) => segment(index * 100 + 1, index * 100 + 100)).filter(
      ({ fromHeight }) => fromHeight >= first,
    ),
  );

async function found(
  text: string,
  { first = 1, nowMs = Date.UTC(2026, 9, 20, 12), boundaries = segmentsFrom(first) } = {},
) {
  const range = parseTypedRange(text);
  if (range === undefined) throw new Error(`${text} names no range`);
  return resolveRange(range, { asker: fakeNode(chain).client, boundaries, nowMs, signal: never });
}
const heights = ({ from, to }: ResolvedRange) => [Number(from.height), Number(to.height)];

describe('Range with reversed bounds', () => {
  it('A reversed range is refused, even if one segment has both bounds', async () => {
    const epoch = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(epoch, epoch, async (one, other) => {
        const asked = found(`e${one}..e${other}`);
        if (one > other) await expect(asked).rejects.toThrow(`e${one} is after e${other}`);
        else await asked.catch((error: unknown) => expect(String(error)).not.toContain('is after'));
      }),
      { numRuns: 60 },
    );
    await expect(found('2026-10-02..2026-10-01')).rejects.toThrow('is after');
    await expect(found('2026-10-01 12:01..2026-10-01 12:00')).rejects.toThrow('is after');
  });

  it.each(['2026-10-01 12:00..2026-10-01', '2026-10-01..2026-10-01 12:00', '2026-10-01 12:00', 'e4..e4'])(
    'The range %s is not reversed',
    async text => expect(heights(await found(text))).toHaveLength(2),
  );
});

describe('Range syntax', () => {
  it.each([
    ['last 3', { kind: 'last', segments: 3 }],
    [' LAST  12 segments', { kind: 'last', segments: 12 }],
    ['all', { kind: 'all' }],
    ['last-month', { kind: 'period', word: 'last-month' }],
    ['last month', { kind: 'period', word: 'last-month' }],
    ['this-month', { kind: 'period', word: 'this-month' }],
    ['last-week', { kind: 'period', word: 'last-week' }],
    ['e20..e25', { kind: 'between', from: 'e20', to: 'e25' }],
    ['2026-10-01 .. 2026-10-05', { kind: 'between', from: '2026-10-01', to: '2026-10-05' }],
    ['1..2000', { kind: 'between', from: '1', to: '2000' }],
    ['e20', { kind: 'between', from: 'e20', to: 'e20' }],
  ])('The text %j is a range', (text, range) => expect(parseTypedRange(text)).toEqual(range));

  it.each([
    '',
    'last',
    'last 0',
    'last -1',
    '41',
    'e20..',
    '..e20',
    'e1..e2..e3',
    'next-month',
    'last 1234567',
    'e20..x',
  ])('The text %j is not a range', text => expect(parseTypedRange(text)).toBeUndefined());

  it('Any text is checked for a range without an error', () => {
    fc.assert(fc.property(fc.string(), text => void parseTypedRange(text)));
  });
});

describe('Named period', () => {
  it.each([
    ['last-month', '2026-03-01T00:00:00Z', '2026-02-01', '2026-02-28'],
    ['last-month', '2026-01-31T23:59:59Z', '2025-12-01', '2025-12-31'],
    ['this-month', '2026-02-28T23:59:59Z', '2026-02-01', null],
    ['last-week', '2026-11-22T23:00:00Z', '2026-11-09', '2026-11-15'],
    ['last-week', '2026-11-23T00:00:00Z', '2026-11-16', '2026-11-22'],
    ['last-week', '2026-01-01T12:00:00Z', '2025-12-22', '2025-12-28'],
    ['last-week', '2026-01-05T00:00:00Z', '2025-12-29', '2026-01-04'],
    ['last-week', '2028-03-06T00:00:00Z', '2028-02-28', '2028-03-05'],
    ['last-month', '2026-12-31T23:59:59Z', '2026-11-01', '2026-11-30'],
    ['last-month', '2028-03-31T23:59:59Z', '2028-02-01', '2028-02-29'],
    ['last-month', '2100-03-01T00:00:00Z', '2100-02-01', '2100-02-28'],
    ['this-month', '2026-12-31T23:59:59Z', '2026-12-01', null],
  ] as const)('The period %s at %s is %s to %s, UTC', (word, now, from, to) => {
    expect(periodDays(word, Date.parse(now))).toEqual({ from, to });
  });

  it('The period of a week is seven days from Monday, the last before this week, whenever it is requested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), nowMs => {
        const { from, to } = periodDays('last-week', nowMs);
        const [first, last] = [Date.parse(from), Date.parse(to ?? '')];
        expect([new Date(first).getUTCDay(), last - first]).toEqual([1, 6 * DAY_MS]);
        expect(nowMs - last >= DAY_MS && nowMs - last < 8 * DAY_MS).toBe(true);
      }),
    );
  });

  it('The period of a month is every day of the month before this one, whenever it is requested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), nowMs => {
        const { from, to } = periodDays('last-month', nowMs);
        const [first, after] = [Date.parse(from), Date.parse(to ?? '') + DAY_MS];
        const thisMonth = new Date(nowMs).toISOString().slice(0, 7);
        expect(new Date(after).toISOString()).toBe(`${thisMonth}-01T00:00:00.000Z`);
        expect(periodDays('this-month', nowMs)).toEqual({ from: `${thisMonth}-01`, to: null });
        const days = Array.from({ length: (after - first) / DAY_MS }, (_, index) => first + index * DAY_MS);
        const months = new Set(days.map(dayMs => new Date(dayMs).toISOString().slice(0, 7)));
        expect([from.endsWith('-01'), days.length >= 28, months.size]).toEqual([true, true, 1]);
      }),
    );
  });
});

describe('Bounds of a named range', () => {
  it('The bounds of the newest segments are those of the segments that exist', async () => {
    expect(heights(await found('last 2'))).toEqual([701, 900]);
    const all = await found('last 20', { first: 301 });
    expect(heights(all)).toEqual([301, 900]);
    expect(all.from.note).toBe('the node has only 6 segments: all, from block 301');
    expect(heights(await found('all', { first: 301 }))).toEqual([301, 900]);
  });

  it('The bounds of epochs and days cover the whole of both, moved outwards', async () => {
    // Epoch 20 is the 20th day: hours 457 to 480.
    expect(heights(await found('e20..e21'))).toEqual([401, 600]);
    expect(heights(await found('e20'))).toEqual([401, 500]);
    expect(heights(await found('2026-09-20..2026-09-21'))).toEqual([101, 200]);
  });

  it('The bounds of a period cover what the node keeps of it, and report what is missing', async () => {
    const week = await found('last-week');
    expect(heights(week)).toEqual([601, 900]);
    expect(week.from.note).toMatch(/^last week is 2026-10-12 to 2026-10-18, UTC; 2026-10-12 begins at about block 673/);
    const month = await found('last-month', { first: 301 });
    expect(heights(month)).toEqual([301, 500]);
    expect(month.from.note).toBe('last month is 2026-09-01 to 2026-09-30, UTC; blocks before 301 are missing');
    expect((await found('last-month')).from.note).toMatch(/the chain began with block 1$/);
    const open = await found('this-month');
    expect(heights(open)).toEqual([401, 900]);
    expect(open.to.note).toBe('blocks after 900 are in no segment yet');
  });

  it.each([
    ['last-month', { nowMs: Date.UTC(2026, 0, 5) }, /2025-12-01 to 2025-12-31, UTC: it ends before the oldest epoch/],
    [
      'last-month',
      { nowMs: Date.UTC(2026, 11, 5) },
      /2026-11-01 to 2026-11-30, UTC, but .* 900: choose an earlier range/,
    ],
    ['last-month', { first: 801 }, /the oldest block that the node keeps is 801: choose a later range/],
    ['last 3', { boundaries: { kind: 'rule' } }, /does not list its segments/],
    ['all', { boundaries: listedBoundaries([]) }, /the node keeps no history/],
    ['e99..e100', {}, /this node knows no epoch 99/],
  ] as const)('The bounds of the range %s are refused when it does not exist: %j', async (text, ground, sentence) => {
    await expect(found(text, ground)).rejects.toThrow(RangeEndError);
    await expect(found(text, ground)).rejects.toThrow(sentence);
  });

  it('The bounds of any period at any time are valid, or refused in a sentence', async () => {
    const words = fc.constantFrom('last-week', 'last-month', 'this-month', 'last 4', 'all');
    const times = fc.integer({ min: GENESIS - 90 * DAY_MS, max: GENESIS + 90 * DAY_MS });
    await fc.assert(
      fc.asyncProperty(words, times, fc.integer({ min: 1, max: 801 }), async (word, nowMs, first) => {
        const boundaries = segmentsFrom(first);
        const range = await found(word, { nowMs, boundaries }).catch((error: unknown) => {
          if (error instanceof RangeEndError) return undefined;
          throw error;
        });
        if (range !== undefined) expect(checkRange(boundaries, range.from.height, range.to.height).isValid).toBe(true);
      }),
    );
  });
});

describe('Range survey', () => {
  it('The range survey gives the epochs of both bounds and their times', async () => {
    const epochs = epochsOf(chain);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }), async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const node = fakeNode(chain);
        const survey = await surveyRange(node.client, { fromBlock: BigInt(from), toBlock: BigInt(to) }, never);
        if (survey.kind === 'unknown') throw new Error(survey.reason);
        for (const [height, end] of [[from, survey.from] as const, [to, survey.to] as const]) {
          const epoch = epochs[end.seq - 1];
          expect(epoch !== undefined && epoch.firstBlock <= height && height <= (epoch.lastBlock ?? 1000)).toBe(true);
          expect(Math.abs(end.timeMs - (chain.blockMs[height - 1] ?? 0))).toBeLessThan(2 * 3_600_000);
        }
        expect(survey.from.isEdge).toBe(epochs[survey.from.seq - 1]?.firstBlock === from);
        expect(survey.to.isEdge).toBe(epochs[survey.to.seq - 1]?.lastBlock === to);
        expect(node.asked.length).toBeLessThan(14);
      }),
    );
  });

  it('The range survey gives the reason when it knows nothing', async () => {
    const bounds = { fromBlock: 1n, toBlock: 100n };
    expect(await surveyRange(fakeNode(chain, { hasEpochs: false }).client, bounds, never)).toEqual({
      kind: 'unknown',
      reason: 'this node does not serve epochs',
    });
    const young = await surveyRange(fakeNode(chain, { oldestEpoch: 30 }).client, bounds, never);
    expect(young).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('the oldest epoch that this node knows'),
    });
  });
});
