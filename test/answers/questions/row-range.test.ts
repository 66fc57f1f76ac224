import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../../src/answers/dataset/open-dataset.ts';
import type { QuestionValues } from '../../../src/answers/questions/question.ts';
import { answerQuestion } from '../../../src/answers/questions/questions.ts';
import type { SavedRanges } from '../../../src/answers/questions/row-range.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { ExportRange } from '../../../src/chain/directory/export-range.ts';
import { sharedEngine } from '../shared-engine.ts';
import { datasetOf, type GivenTable, NONE_SAVED } from './table-dataset.ts';

const engine = sharedEngine();

const MARKET = 'a1'.repeat(32);
const HOUR_US = 3_600_000_000n;
const START_US = BigInt(Date.UTC(2026, 9, 1)) * 1000n;

const engineText = (us: bigint): string => {
  const iso = new Date(Number(us / 1_000_000n) * 1000).toISOString();
  return `${iso.slice(0, 19).replace('T', ' ')}.${String(us % 1_000_000n).padStart(6, '0')}`;
};
const isoText = (us: bigint): string => `${engineText(us).replace(' ', 'T')}Z`;

/** A trade of size 1 at each of these times. */
function tradesAt(times: readonly bigint[]): GivenTable {
  const fees = ['buyer', 'seller'].flatMap(side =>
    ['maker', 'infrastructure', 'liquidity'].map(fee => `${side}_${fee}_fee`),
  );
  return {
    name: 'trades',
    columns: [
      ['synthetic_time', 'TIMESTAMP'],
      ['vega_time', 'TIMESTAMP'],
      ['market_id', 'BLOB'],
      ['price', 'DECIMAL(38,0)'],
      ['size', 'BIGINT'],
      ['type', 'SMALLINT'],
      ...fees.map(name => [name, 'DECIMAL(38,0)'] as const),
    ],
    rows: times.map(us => [engineText(us), engineText(us), MARKET, '1', '1', '1', ...fees.map(() => null)]),
  };
}

interface Asked {
  readonly values?: QuestionValues;
  readonly saved?: SavedRanges;
  /** Archives that the rows came from, as first and last block with the times of their rows. */
  readonly parts?: Dataset['tables'][number]['parts'];
  readonly fromBlock?: string;
  /** The rows are of a history on disk. */
  readonly runs?: Dataset['tables'][number]['runs'];
}

async function ask(times: readonly bigint[], { values = {}, saved = NONE_SAVED, parts, fromBlock = '1', runs }: Asked) {
  const dataset = await datasetOf([tradesAt(times)], engine());
  try {
    const tables = dataset.tables.map(table => ({
      ...table,
      fromBlock,
      ...(parts !== undefined && { parts }),
      ...(runs !== undefined && { runs }),
    }));
    const ground = { dataset: { ...dataset, tables }, names: NO_NAMES, saved, signal: new AbortController().signal };
    const { rows, columns, notes } = await answerQuestion('trades', { ...ground, values: { by: 'month', ...values } });
    const place = columns.findIndex(({ id }) => id === 'trades');
    return { count: rows.reduce((sum, row) => sum + Number(row[place]), 0), notes };
  } finally {
    await dataset.close();
  }
}

/** Epoch n is the nth hour. */
const epochAt = (seq: number) => START_US + BigInt(seq) * HOUR_US;
const epochs = (...seqs: readonly number[]) =>
  seqs.map(seq => ({ seq: String(seq), start: isoText(epochAt(seq)), end: isoText(epochAt(seq + 1)) }));

const rangeOf = (from: number | null, to: number | null, more: Partial<ExportRange> = {}): ExportRange => ({
  ...{ table: 'trades', fromBlock: '1', toBlock: '1000', name: `e${from}..e${to}` },
  from: from === null ? null : { time: isoText(epochAt(from)), epoch: String(from) },
  until: to === null ? null : { time: isoText(epochAt(to + 1)), epoch: String(to) },
  ...more,
});

/** On each edge of the epochs 20 to 25, and a microsecond before and behind it. */
const EDGES = [-1n, 0n, 1n].flatMap(us => [epochAt(20) + us, epochAt(26) + us]);

describe('Row range of an answer', () => {
  const saved = { ranges: [rangeOf(20, 25)], epochs: epochs(20, 25) };

  test('The row range covers the exported epochs, from the start of the first to the excluded end of the last', async () => {
    const { count, notes } = await ask(EDGES, { saved });
    expect(count).toBe(3);
    expect(notes[0]).toBe(
      'range: e20..e25 (from 2026-10-01 20:00:00 until 2026-10-02 02:00:00 UTC), the exported range',
    );
    expect(notes[1]).toContain('files: trades of blocks 1 to 1000, rows of 2026-10-01T19:59:59.999999Z to');
  });

  test.each([
    [{ isWhole: true }, 6, 'range: everything in the files; the export has e20..e25'],
    [{ from: 'e20', to: 'e25' }, 3, 'range: from e20 to e25 (from 2026-10-01 20:00:00 until'],
    [{ from: 'epoch 020', to: 'E25' }, 3, 'range: from epoch 020 to E25'],
    [{ from: 'e20', to: 'e20' }, 2, 'range: from e20 to e20'],
    [{ from: 'e25' }, 1, 'range: from e25 to the end of the exported range'],
    [{ from: 'e21', to: 'e24' }, 0, 'range: from e21 to e24'],
    [{ from: 'e18', to: 'e19' }, 1, 'range: from e18 to e19'],
    [{ from: 'e26', to: 'e26' }, 2, 'range: from e26 to e26'],
    [{ from: 'e26' }, 2, 'range: from e26 to the end of the files'],
    [{ to: 'e19' }, 1, 'range: from the beginning of the files to e19'],
    [
      { from: '2026-10-01' },
      4,
      'range: from 2026-10-01 to the end of the exported range (from 2026-10-01 00:00:00 until 2026-10-02 02:00:00 UTC)',
    ],
    [
      { from: '2026-10', to: '2026-10' },
      6,
      'range: from 2026-10 to 2026-10 (from 2026-10-01 00:00:00 until 2026-11-01',
    ],
    [{ from: '2026-10-01', to: '2026-10-02' }, 6, 'range: from 2026-10-01 to 2026-10-02'],
    [{ from: '2026-10-01 20:00', to: '2026-10-01 20:00' }, 2, 'range: from 2026-10-01 20:00'],
    [{ from: '2026-10-01 20:00 +00:00', to: '2026-10-01 20:00 Z' }, 2, 'range: from 2026-10-01 20:00 +00:00'],
    [{ from: '2026-10-01 20:00:00.0000000', to: '2026-10-02' }, 5, 'from 2026-10-01 20:00:00 until'],
    [{ from: '2026-10-01 20:00:00.000000001', to: '2026-10-02' }, 4, 'from 2026-10-01 20:00:00.000001 until'],
    [{ to: '2026-10-01 20:00:00.000000999' }, 1, 'until 2026-10-01 20:00:00.000001 UTC'],
    [{ from: '2025-01-01', to: '2025-01-02' }, 0, 'these files have no part of the range'],
    [{ from: '2027-01-01', to: '2027-01-02' }, 0, 'these files have no part of the range'],
  ] as const)('The row range %j selects %i of 6 rows', async (values, count, words) => {
    const answer = await ask(EDGES, { values, saved: { ...saved, epochs: epochs(18, 19, 20, 21, 24, 25, 26) } });
    expect([answer.count, answer.notes[0]]).toEqual([count, expect.stringContaining(words)]);
  });

  test.each([
    [{ from: 'e18' }, ['(2026-10-01T19:59:59.999999Z); earlier data in the range is not included']],
    [{ to: 'e28' }, ['the files end at block 1000 (2026-10-02T02:00:00.000001Z); later data']],
    [{ from: 'e18', to: 'e28' }, ['the files begin at block 5 ', 'the files end at block 1000 ']],
    [{ from: 'e20', to: 'e25' }, []],
    [{}, []],
    // The files have none of it, which is said instead.
    [{ from: 'e28' }, []],
  ] as const)('A row range beyond the files is answered with a note: %j', async (values, words) => {
    const known = { ...saved, epochs: epochs(18, 20, 25, 28) };
    const { notes } = await ask(EDGES, { values, saved: known, fromBlock: '5' });
    const beyond = notes.slice(2).filter(note => !note.startsWith('the decimals'));
    expect(beyond).toEqual(words.map(text => expect.stringContaining(text)));
  });

  test('An exported range without rows may be empty, and a range that was not exported is unknown', async () => {
    const rows = [epochAt(20)];
    const known = { ...saved, epochs: epochs(20, 24, 25, 28) };
    const { notes } = await ask(rows, { values: { from: 'e24', to: 'e25' }, saved: known });
    expect(notes.join()).not.toMatch(/no part of the range|later data in the range/);
    const outside = await ask(rows, { values: { from: 'e28', to: 'e28' }, saved: known });
    expect(outside.notes[0]).toContain('these files have no part of the range');
  });

  test('Exports without a saved range are read whole, with a note', async () => {
    const { count, notes } = await ask(EDGES, {});
    expect(count).toBe(6);
    expect(notes[0]).toContain('everything in the files, because their exported range is not known');
  });

  test.each([
    [
      { from: 'e30' },
      '--from e30: the times of this epoch are not saved with these exports (only those of e20..e22, e25)',
    ],
    [{ to: 'e0' }, '--to e0: the times of this epoch'],
    [{ from: 'e25', to: 'e20' }, 'the range begins after it ends: e25 is later than e20'],
    [{ from: '2026-10-02', to: '2026-10-01' }, 'the range begins after it ends: 2026-10-02 is later than 2026-10-01'],
    [{ from: '2026-10-02 05:00', to: 'e25' }, 'is later than e25'],
    [{ from: '2026-10-02T05:00+02:00' }, '--from must be an epoch, a day or a time in UTC'],
    [{ to: '2026-02-30' }, '--to must be an epoch, a day or a time in UTC'],
    [{ from: '' }, '--from must be an epoch'],
  ])('The row range %j is refused with a clear message', async (values, words) => {
    // Several exports save the same epochs.
    const several = { ...saved, epochs: [...epochs(20, 21, 22, 25), ...saved.epochs] };
    await expect(ask(EDGES, { values, saved: several })).rejects.toThrow(words);
  });

  test.each([
    ['another table', rangeOf(20, 25, { table: 'ledger' })],
    ['other blocks', rangeOf(20, 25, { fromBlock: '1001', toBlock: '2000' })],
    ['fewer blocks', rangeOf(20, 25, { toBlock: '999' })],
  ])('A saved range for %s does not limit the rows', async (_, range) => {
    const { count, notes } = await ask(EDGES, { saved: { ranges: [range], epochs: [] } });
    expect([count, notes[0]]).toEqual([6, expect.stringContaining('their exported range is not known')]);
  });

  test('Two saved ranges that differ do not limit the rows', async () => {
    const ranges = [rangeOf(20, 25), rangeOf(20, 22)];
    expect((await ask(EDGES, { saved: { ranges, epochs: [] } })).count).toBe(6);
    expect((await ask(EDGES, { saved: { ranges: [rangeOf(20, 25), rangeOf(20, 25)], epochs: [] } })).count).toBe(3);
  });
});

describe('Row range of several exports', () => {
  const at = (seq: number, us = 0n) => epochAt(seq) + us;
  const part = (fromBlock: number, toBlock: number, times: readonly bigint[]) => ({
    ...{ fromBlock: String(fromBlock), toBlock: String(toBlock) },
    ...{ firstTime: isoText(times[0] ?? 0n), lastTime: isoText(times.at(-1) ?? 0n) },
  });
  const [one, other] = [
    [at(1, -1n), at(1), at(3, -1n), at(3)],
    [at(8, -1n), at(8), at(10, -1n), at(10)],
  ];
  const parts = [part(1, 500, one), part(501, 1000, other)];
  const [first, second] = [rangeOf(1, 2, { toBlock: '500' }), rangeOf(8, 9, { fromBlock: '501' })];

  test.each([
    ['of which each was asked for its own range count in that', [first, second], 4, 'each export in its own range'],
    ['of one that nothing is kept beside all count', [first], 6, 'all rows of exports whose range is not known'],
    ['in slices of one export count in its range', [rangeOf(2, 8)], 4, 'range: e2..e8'],
    [
      'with one that was asked for by heights all of that count',
      [first, rangeOf(null, null, { fromBlock: '501', name: '501..1000' })],
      6,
      '501..1000',
    ],
  ])('The saved ranges decide which rows of several exports count: rows %s', async (_, ranges, count, words) => {
    const answer = await ask([...one, ...other], { saved: { ranges, epochs: [] }, parts });
    expect([answer.count, answer.notes[0]]).toEqual([count, expect.stringContaining(words)]);
  });

  test('A range with one end given extends to the other end of the exported range', async () => {
    const saved = { ranges: [first, second], epochs: epochs(2) };
    expect((await ask([...one, ...other], { saved, parts, values: { from: 'e2' } })).count).toBe(5);
    expect((await ask([...one, ...other], { saved, parts, values: { to: 'e2' } })).count).toBe(2);
  });
});

test('A range always selects the rows at or after its start and before its end', async () => {
  const time = fc.oneof(
    fc.bigInt({ min: 0n, max: 30n * HOUR_US }).map(us => START_US + us),
    fc.tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom(-1n, 0n, 1n)).map(([seq, us]) => epochAt(seq) + us),
  );
  const ends = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(time, { minLength: 1, maxLength: 40 }),
      ends,
      fc.constantFrom('kept', 'named'),
      async (times, [a, b], how) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const asked =
          how === 'kept'
            ? { saved: { ranges: [rangeOf(from, to)], epochs: [] } }
            : { values: { from: `e${from}`, to: `e${to}` }, saved: { ranges: [], epochs: epochs(from, to) } };
        const expected = times.filter(us => us >= epochAt(from) && us < epochAt(to + 1)).length;
        expect((await ask(times, asked)).count).toBe(expected);
      },
    ),
    { numRuns: 30 },
  );
});

describe('Range of an epoch that the history lacks', () => {
  /** Hours 0 to 2 and 6 to 8 are on disk, hours 3 to 5 are in the gap. */
  const times = [0, 1, 2, 6, 7, 8].map(hour => epochAt(hour) + 1n);
  const part = (fromBlock: string, toBlock: string, first: number, last: number) => ({
    ...{ fromBlock, toBlock },
    ...{ firstTime: isoText(epochAt(first) + 1n), lastTime: isoText(epochAt(last) + 1n) },
  });
  const gapped = {
    saved: { ranges: [], epochs: epochs(0, 1, 2, 6, 7, 8) },
    parts: [part('1', '300', 0, 2), part('601', '900', 6, 8)],
    runs: [
      { from: 1n, to: 300n },
      { from: 601n, to: 900n },
    ],
  };

  test.each([
    [{ from: 'e4' }, 3, '4'],
    [{ to: 'e4' }, 3, '4'],
    [{ from: 'e1', to: 'e5' }, 2, '5'],
    [{ from: 'e3', to: 'e7' }, 2, '3'],
    [{ from: 'e4', to: 'e4' }, 0, '4'],
    [{ to: 'e20' }, 6, '20'],
    [{ from: 'e20' }, 0, '20'],
  ])('%j counts the rows of the other epochs, with what to fetch', async (values, count, epoch) => {
    const { notes, count: counted } = await ask(times, { ...gapped, values });
    expect(counted).toBe(count);
    expect(notes).toContain(
      `epoch ${epoch} is not on disk. To fetch it: blockglass fetch --tables trades --from e${epoch} --to e${epoch}`,
    );
  });

  test('An epoch of which rows are on disk, but not its times, is not guessed', async () => {
    const saved = { ranges: [], epochs: epochs(0, 8) };
    await expect(ask(times, { ...gapped, saved, values: { from: 'e4' } })).rejects.toThrow(
      '--from e4: this epoch is not on disk (only e0, e8)',
    );
  });
});
