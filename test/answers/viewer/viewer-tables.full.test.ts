import { copyFile, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewerTables, threadsFor, type ViewerTables } from '../../../src/answers/viewer/viewer-tables.ts';
import { makeParquetFolder } from '../dataset/parquet-fixture.ts';
import { sharedEngine } from '../shared-engine.ts';

const ROWS = 2000;

/** 2,000 rows on three days: bytes, exact numbers, numbers of 45 digits as text, words, NULL and empty texts. */
const LEDGER = `SELECT
  from_hex(md5(r::VARCHAR) || md5((r % 7)::VARCHAR)) AS account_from_id,
  (r * 1000003 % 7919)::DECIMAL(38,0) AS quantity,
  TIMESTAMP '2026-10-01 00:00:00' + INTERVAL 2 MINUTE * r AS vega_time,
  CASE WHEN r % 3 = 0 THEN NULL WHEN r % 3 = 1 THEN '' ELSE 'TRANSFER_TYPE_DEPOSIT' END AS type,
  (CASE WHEN r % 2 = 0 THEN '-' ELSE '' END) || (10::HUGEINT ** 20)::HUGEINT::VARCHAR || lpad(r::VARCHAR, 24, '0') AS account_from_balance,
  r::BIGINT AS seq, 99999999999999999999999999999999999999::DECIMAL(38,0) AS "odd ""name"
  FROM range(${ROWS}) t(r)`;

const engine = sharedEngine();
let folder = '';
let source: ViewerTables;
const { signal } = new AbortController();
const PLAIN = { filters: [], sort: null };
const ledger = { table: 'ledger', look: PLAIN };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
  await makeParquetFolder(folder, [{ name: 'ledger', sql: LEDGER }], { engine: engine() });
  source = await openViewerTables({ paths: [folder], signal });
});

afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

const cell = (row: readonly (string | null)[] | undefined, name: string): string | null =>
  row?.[source.tables[0]?.columns.findIndex(column => column.name === name) ?? 0] ?? null;

const seqs = async (look: typeof ledger.look | object, from: number, rows: number): Promise<readonly number[]> => {
  const asked = { ...ledger, look: { ...PLAIN, ...look } };
  return (await source.rows({ ...asked, from, rows }, signal)).map(row => Number(cell(row, 'seq')));
};

const range = (from: number, rows: number): readonly number[] =>
  Array.from({ length: rows }, (_, index) => from + index);

it('The viewer reads a table with as many threads as can sort, and leaves one processor to the keyboard', () => {
  expect([1, 2, 3, 4, 8, 96].map(threadsFor)).toEqual([1, 1, 2, 2, 2, 2]);
});

it('The viewer tables tell whose decimals amounts have, and which parties other tables mention', async () => {
  const place = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
  const party = 'ab'.repeat(32);
  const deposits = `SELECT from_hex('${party}') AS party_id, from_hex('${'cd'.repeat(32)}') AS asset,
    5::DECIMAL(38,0) AS amount, TIMESTAMP '2026-10-01 00:00:00' AS vega_time
    UNION ALL SELECT from_hex('03'), from_hex('${'cd'.repeat(32)}'), 6, TIMESTAMP '2026-10-01 00:00:00'`;
  const made = [
    { name: 'ledger', sql: LEDGER },
    { name: 'deposits', sql: deposits },
  ];
  await makeParquetFolder(place, made, { engine: engine() });
  const opened = await openViewerTables({ paths: [place], signal });
  expect(opened.parties).toEqual([party]);
  const counted = opened.tables.flatMap(({ name, columns }) =>
    columns.flatMap(column => (column.counted === undefined ? [] : [`${name}.${column.name} ${column.counted}`])),
  );
  expect(counted).toEqual(['deposits.amount asset', 'ledger.quantity account', 'ledger.account_from_balance account']);
  expect(source.parties).toEqual([]);
  await opened.close();
});

it('The viewer opens the exports inside a folder that is not an export itself, and lists them', async () => {
  const above = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
  await makeParquetFolder(join(above, 'one'), [{ name: 'ledger', sql: LEDGER }], { engine: engine() });
  const opened = await openViewerTables({ paths: [above], signal });
  expect(opened.tables.map(({ name }) => name)).toEqual(['ledger']);
  expect(opened.notes[0]).toBe(`read from ${join(above, 'one')}`);
  await opened.close();
  await rm(above, { recursive: true });
});

describe('Table rows on disk', () => {
  it('The viewer reads rows from any position, across file boundaries too', async () => {
    for (const [from, rows] of [
      [0, 5],
      [715, 20],
      [ROWS - 3, 3],
      [0, ROWS],
    ] as const)
      expect(await seqs({}, from, rows)).toEqual(range(from, rows));
  });

  it('The viewer shows each value as it is in the file', async () => {
    const [first, second] = await source.rows({ ...ledger, from: 0, rows: 2 }, signal);
    expect(cell(first, 'account_from_id')).toBe('cfcd208495d565ef66e7dff9f98764dacfcd208495d565ef66e7dff9f98764da');
    expect(cell(first, 'vega_time')).toBe('2026-10-01 00:00:00');
    expect([cell(first, 'type'), cell(second, 'type')]).toEqual([null, '']);
    expect(cell(first, 'odd "name')).toBe('9'.repeat(38));
    expect(source.tables[0]?.columns.map(({ name }) => name)).not.toContain('date');
  });

  it('The viewer sorts rows by value, with numbers of any length, and keeps the file order for equal rows', async () => {
    const all = (await source.rows({ ...ledger, from: 0, rows: ROWS }, signal)).map(row => ({
      seq: Number(cell(row, 'seq')),
      quantity: BigInt(cell(row, 'quantity') ?? ''),
      balance: BigInt(cell(row, 'account_from_balance') ?? ''),
      type: cell(row, 'type'),
    }));
    for (const [column, isDescending, key] of [
      ['quantity', false, 'quantity'],
      ['quantity', true, 'quantity'],
      ['account_from_balance', false, 'balance'],
      ['account_from_balance', true, 'balance'],
    ] as const) {
      const look = { sort: { column, isDescending } };
      const wanted = all
        .toSorted((one, other) => {
          const order = one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0;
          return (isDescending ? -order : order) || one.seq - other.seq;
        })
        .map(({ seq }) => seq);
      expect(await source.arrange({ ...ledger, look: { ...PLAIN, ...look } }, signal)).toBe(ROWS);
      // Of the first ones that are kept, of those behind them, and of both at once.
      for (const from of [0, 500, 1990]) expect(await seqs(look, from, 20)).toEqual(wanted.slice(from, from + 20));
    }
    const words = await seqs({ sort: { column: 'type', isDescending: false } }, ROWS - 3, 3);
    expect(words.map(seq => all[seq]?.type)).toEqual([null, null, null]);
  });

  it('The viewer filters rows by a value and tells NULL from the empty text', async () => {
    for (const [column, value, count] of [
      ['type', null, 667],
      ['type', '', 667],
      ['type', 'TRANSFER_TYPE_DEPOSIT', 666],
      ['seq', '1999', 1],
      ['vega_time', '2026-10-01 00:02:00', 1],
      ['account_from_id', 'cfcd208495d565ef66e7dff9f98764dacfcd208495d565ef66e7dff9f98764da', 1],
      ['account_from_balance', "' OR 1=1 --", 0],
    ] as const)
      expect(await source.arrange({ ...ledger, look: { ...PLAIN, filters: [{ column, value }] } }, signal)).toBe(count);
    expect(await seqs({ filters: [{ column: 'type', value: '' }] }, 600, 3)).toEqual([1801, 1804, 1807]);
  });

  it('The viewer search finds rows by any value or label, in both directions, and wraps around', async () => {
    const find = (text: string, from: number, direction: 1 | -1 = 1, look: object = {}) =>
      source.find({ ...ledger, look: { ...PLAIN, ...look }, text, from, direction }, () => {}, signal);
    const id = 'CFCD208495D565EF66E7DFF9F98764DACFCD208495D565EF66E7DFF9F98764DA';
    expect(await find(id, 5)).toEqual({ row: 0, column: 'account_from_id' });
    expect(await find(`0x${id.slice(0, 20)}`, 5)).toEqual({ row: 7, column: 'account_from_id' });
    expect(await find('deposit', 3)).toEqual({ row: 5, column: 'type' });
    expect(await find('deposit', 3, -1)).toEqual({ row: 2, column: 'type' });
    expect(await find('deposit', 0, -1)).toEqual({ row: 1997, column: 'type' });
    expect(await find('2026-10-03 12:00', 0)).toMatchObject({ row: 1800 });
    expect(await find('nowhere', 7)).toBeNull();
    expect(await find("%' OR 1=1 --", 7)).toBeNull();
    // By their place among the rows that are shown.
    expect(await find('2026-10-03 12:02', 0, 1, { filters: [{ column: 'type', value: '' }] })).toMatchObject({
      row: 600,
    });
    const sort = { column: 'seq', isDescending: true };
    expect(await find('2026-10-03 12:00', 3, 1, { sort })).toMatchObject({ row: 199 });
    expect(await find('2026-10-03 12:00', 3, -1, { sort })).toMatchObject({ row: 199 });
  });

  it('The viewer search follows the sort order in both directions and past the end, like a full scan', async () => {
    const looks = [
      { sort: { column: 'quantity', isDescending: true } },
      { sort: { column: 'account_from_balance', isDescending: false }, filters: [{ column: 'type', value: null }] },
    ];
    for (const look of looks) {
      const asked = { ...ledger, look: { ...PLAIN, ...look } };
      const count = await source.arrange(asked, signal);
      const rows = await source.rows({ ...asked, from: 0, rows: count }, signal);
      for (const text of ['777', 'deposit', '2026-10-02 0', 'nowhere', rows[5]?.[0]?.slice(3, 9) ?? ''])
        for (const [from, direction] of [
          [0, 1],
          [count - 1, 1],
          [300, 1],
          [300, -1],
          [0, -1],
          [301, 1],
        ] as const) {
          const told: number[] = [];
          const found = await source.find({ ...asked, text, from, direction }, done => told.push(done), signal);
          const order = Array.from({ length: count }, (_, step) => (from + direction * step + count) % count);
          const holds = (row: (typeof rows)[number] | undefined): boolean =>
            row?.some((value, index) => {
              const words = source.tables[0]?.columns[index]?.words ?? {};
              return value !== null && [value, words[value] ?? ''].some(shown => shown.toLowerCase().includes(text));
            }) ?? false;
          expect(found?.row ?? null, `${text} from ${from}`).toBe(order.find(place => holds(rows[place])) ?? null);
          expect(told.every(done => done <= ROWS)).toBe(true);
          // Looked for once, it is known.
          expect(told.length > 0).toBe(from === 0 && direction === 1);
        }
    }
  });

  it('The viewer search works again after it was stopped half way', async () => {
    const asked = { ...ledger, look: { ...PLAIN, sort: { column: 'seq', isDescending: true } }, from: 0 } as const;
    await source.arrange(asked, signal);
    const stop = new AbortController();
    const stopped = source.find({ ...asked, text: '2026-10-01', direction: 1 }, () => stop.abort(), stop.signal);
    await expect(stopped).rejects.toThrow();
    expect(await source.find({ ...asked, text: '2026-10-01', direction: 1 }, () => {}, signal)).toMatchObject({
      row: 1280,
    });
  });
});

describe('Totals over all rows', () => {
  it('The viewer counts rows by value, the most frequent first', async () => {
    const counts = await source.count({ ...ledger, column: 'type' }, signal);
    expect(counts).toEqual({
      rows: ROWS,
      distinct: 3,
      values: [
        { value: '', count: 667 },
        { value: null, count: 667 },
        { value: 'TRANSFER_TYPE_DEPOSIT', count: 666 },
      ],
      sums: null,
    });
  });

  it('The viewer adds up a column exactly, even where the engine has no number that large', async () => {
    const exact = async (column: string) => (await source.count({ ...ledger, column }, signal)).sums;
    const rows = await source.rows({ ...ledger, from: 0, rows: ROWS }, signal);
    for (const column of ['quantity', 'account_from_balance']) {
      const values = rows.map(row => BigInt(cell(row, column) ?? '0'));
      const ordered = values.toSorted((one, other) => (one < other ? -1 : 1));
      expect(await exact(column), column).toEqual({
        sum: String(values.reduce((sum, value) => sum + value, 0n)),
        least: String(ordered[0]),
        largest: String(ordered.at(-1)),
        count: ROWS,
      });
    }
    expect(await exact('odd "name'), 'nobody knows what it means').toBeNull();
  });

  it('The viewer streams rows in their sort order', async () => {
    const look = { ...PLAIN, sort: { column: 'seq', isDescending: true } };
    const all: number[] = [];
    for await (const rows of source.stream({ ...ledger, look }, signal))
      all.push(...rows.map(row => Number(cell(row, 'seq'))));
    expect(all).toEqual(range(0, ROWS).toReversed());
  });
});

describe('Open viewer files', () => {
  it('The viewer releases its files when it closes and leaves nothing behind', async () => {
    // Other processes may be at work in the same folder.
    const own = async () =>
      (await readdir(tmpdir())).filter(
        name => name.startsWith('blockglass-answers-') && name.includes(`-${process.pid}-`),
      );
    const before = await own();
    const other = await openViewerTables({ paths: [folder], signal });
    const running = other.count({ ...ledger, column: 'account_from_id' }, signal).catch(() => null);
    await other.close();
    await running;
    expect(before.length).toBeGreaterThan(0);
    expect(await own()).toEqual(before);
  });

  it('The viewer reports deleted files by name', async () => {
    const gone = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
    await makeParquetFolder(gone, [{ name: 'ledger', sql: LEDGER }], { engine: engine() });
    const other = await openViewerTables({ paths: [gone], signal });
    await rm(join(gone, 'table=ledger', 'date=2026-10-02'), { recursive: true });
    await expect(other.rows({ ...ledger, from: 800, rows: 10 }, signal)).rejects.toMatchObject({ name: 'AnswerError' });
    await other.close();
    await rm(gone, { recursive: true });
  });

  it('An aborted query on viewer files ends, and the next one is answered', async () => {
    const abort = new AbortController();
    const asked = source.count({ ...ledger, column: 'quantity' }, abort.signal);
    abort.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(await seqs({}, 3, 2)).toEqual([3, 4]);
  });
});

describe('Changing viewer files', () => {
  const inOwnFolder = async (change: (file: string) => Promise<void>): Promise<readonly string[]> => {
    const own = await mkdtemp(join(tmpdir(), 'blockglass-test-'));
    await makeParquetFolder(own, [{ name: 'ledger', sql: LEDGER }], { engine: engine() });
    const opened = await openViewerTables({ paths: [own], signal });
    try {
      await change(join(own, 'table=ledger/date=2026-10-02/part-0.parquet'));
      const sorted = { ...ledger, look: { ...PLAIN, sort: { column: 'seq', isDescending: true } } };
      const asked = [
        () => opened.rows({ ...ledger, from: 0, rows: 5 }, signal),
        () => opened.arrange(sorted, signal),
        () => opened.count({ ...ledger, column: 'type' }, signal),
        () => opened.find({ ...ledger, text: 'nowhere', from: 0, direction: 1 }, () => {}, signal),
        () => Array.fromAsync(opened.stream(ledger, signal)),
      ];
      const told: string[] = [];
      for (const ask of asked)
        told.push(
          await ask().then(
            () => 'answered',
            (error: unknown) => String(error),
          ),
        );
      return told;
    } finally {
      await opened.close();
      await rm(own, { recursive: true, force: true });
    }
  };

  it('The viewer gives no answer from files that were replaced, truncated or removed', async () => {
    const other = (file: string) => join(file, '../../date=2026-10-01/part-0.parquet');
    const changed = /part-0\.parquet changed while it was open/;
    const gone = /part-0\.parquet is gone: it was removed or moved while it was open/;
    const changes: readonly (readonly [RegExp, (file: string) => Promise<void>])[] = [
      // The other one is another in its place, and gone from its own.
      [gone, file => rename(other(file), file)],
      [changed, file => copyFile(other(file), file)],
      [changed, file => truncate(file, 100)],
      [gone, file => rm(file)],
      [gone, file => rename(file, `${file}.away`)],
    ];
    for (const [words, change] of changes) for (const told of await inOwnFolder(change)) expect(told).toMatch(words);
  });
});
