import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqlText } from '../../../src/answers/engine/sql-text.ts';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import { sharedEngine } from '../shared-engine.ts';
import { type ExportCsv, exportZip, inFolder, NEVER, type Value, writeZip } from './export-zip.ts';

const engine = sharedEngine({ memoryMiB: 128 });

const A = `\\x${'ab'.repeat(32)}`;
const ledgerRow = (
  index: number,
  quantity: Value,
  type: Value = 'TRANSFER_TYPE_WIN',
  day = '2026-10-01',
): readonly Value[] => [
  `${day} 00:00:0${index}.5+00`,
  A,
  A,
  quantity,
  '\\x',
  `${day} 00:00:0${index}.5+00`,
  `${day} 00:00:0${index}+00`,
  '0',
  '7',
  type,
];

const ledger = (rows: readonly (readonly Value[])[], more: Partial<ExportCsv> = {}): ExportCsv => ({
  table: 'ledger',
  version: 68,
  from: 1,
  to: 100,
  rows,
  ...more,
});

/** All values of a table as the folder has them, in the engine's words. */
async function rowsIn(out: string, columns: string, table = 'ledger') {
  const files = sqlText(join(out, `table=${table}/*/*.parquet`));
  return (await engine().all(`SELECT ${columns} FROM read_parquet(${files}) ORDER BY 1`)).rows;
}

const convert = (folder: string, paths: readonly string[], more = {}) =>
  convertToParquet({ paths, out: join(folder, 'out'), signal: NEVER, ...more });

test('A verified export is converted to typed files, one per day, and a manifest that lists them', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [
      ledger([ledgerRow(1, '5'), ledgerRow(2, '9'.repeat(38), null), ledgerRow(3, '7', '', '2026-10-02')]),
    ]);
    const manifest = await convert(folder, [zip], { program: 'blockglass 1', now: () => new Date(0) });
    expect(manifest).toMatchObject({
      format: 1,
      program: 'blockglass 1',
      chainId: 'c',
      finished: '1970-01-01T00:00:00.000Z',
      tables: [{ name: 'ledger', fromBlock: '1', toBlock: '100', isComplete: true, notes: [] }],
    });
    expect(manifest.tables[0]?.files).toMatchObject([
      {
        path: 'table=ledger/date=2026-10-01/part-1-100-1-1.parquet',
        rows: 2,
        firstTime: '2026-10-01T00:00:01.500000Z',
        lastTime: '2026-10-01T00:00:02.500000Z',
        sums: { quantity: '100000000000000000000000000000000000004', account_to_balance: '14' },
      },
      { path: 'table=ledger/date=2026-10-02/part-1-100-1-1.parquet', rows: 1, sums: { quantity: '7' } },
    ]);
    expect(JSON.parse(await readFile(join(folder, 'out', '_blockglass.json'), 'utf8'))).toEqual(manifest);
    expect(await readdir(join(folder, 'out'))).toEqual(['_blockglass.json', 'table=ledger']);
    expect(
      await rowsIn(join(folder, 'out'), 'ledger_entry_time, quantity, type, tx_hash, account_from_id, date'),
    ).toEqual([
      ['2026-10-01 00:00:01.5', '5', 'TRANSFER_TYPE_WIN', '', 'ab'.repeat(32), '2026-10-01'],
      ['2026-10-01 00:00:02.5', '9'.repeat(38), null, '', 'ab'.repeat(32), '2026-10-01'],
      ['2026-10-02 00:00:03.5', '7', '', '', 'ab'.repeat(32), '2026-10-02'],
    ]);
  }));

test('A column with a number that does not fit is text in the whole table, including files written before', () =>
  inFolder(async folder => {
    const small = await writeZip(folder, [ledger([ledgerRow(1, '5')])], 'a.zip');
    await convert(folder, [small]);
    const large = await writeZip(folder, [ledger([ledgerRow(2, '9'.repeat(60))], { from: 101, to: 200 })], 'b.zip');
    const manifest = await convert(folder, [small, large]);
    const quantity = manifest.tables[0]?.columns.find(({ name }) => name === 'quantity');
    expect(quantity).toEqual({
      name: 'quantity',
      type: 'VARCHAR',
      note: 'as the node wrote it: not every value fits into DECIMAL(38,0)',
    });
    expect(await rowsIn(join(folder, 'out'), 'quantity, typeof(quantity), account_to_balance')).toEqual([
      ['5', 'VARCHAR', '7'],
      ['9'.repeat(60), 'VARCHAR', '7'],
    ]);
    expect(manifest.tables[0]?.files.map(({ sums }) => sums)).toEqual([
      { account_from_balance: '0', account_to_balance: '7' },
      { account_from_balance: '0', account_to_balance: '7' },
    ]);
  }));

test('A number that does not fit makes its column text, also next to columns that only later blocks have', () =>
  inFolder(async folder => {
    const old = ledger([ledgerRow(1, '9'.repeat(60))]);
    const later = ledger([[...ledgerRow(2, '5'), A]], { version: 69, from: 101, to: 200 });
    await convert(folder, [await writeZip(folder, [old, later])]);
    expect(await rowsIn(join(folder, 'out'), 'quantity, typeof(quantity), transfer_id IS NULL')).toEqual([
      ['5', 'VARCHAR', 'false'],
      ['9'.repeat(60), 'VARCHAR', 'true'],
    ]);
  }));

test.each([
  ['2026-10-02 13:30:00.5+14', '2026-10-01 23:30:00.5', '2026-10-01'],
  ['2026-10-02 05:29:59+05:30', '2026-10-01 23:59:59', '2026-10-01'],
  ['2026-10-01 23:00:00.000001-04:56:02', '2026-10-02 03:56:02.000001', '2026-10-02'],
  ['2026-10-01 23:59:59+00', '2026-10-01 23:59:59', '2026-10-01'],
])('The time %s is converted to %s in UTC, in the folder of its day', (written, moment, day) =>
  inFolder(async folder => {
    const row = ledgerRow(1, '5').map(value => (value?.startsWith('2026-') ? written : value));
    const { tables } = await convert(folder, [await writeZip(folder, [ledger([row])])]);
    expect(await rowsIn(join(folder, 'out'), 'vega_time, transfer_time, date')).toEqual([[moment, moment, day]]);
    expect(tables[0]?.files.map(({ path, firstTime }) => [path.split('/')[1], firstTime?.slice(0, 19)])).toEqual([
      [`date=${day}`, moment.replace(' ', 'T').slice(0, 19)],
    ]);
  }),
);

test('Withdrawals are converted to whole smallest units of any length, and no fraction is lost', () =>
  inFolder(async folder => {
    const withdrawal = (amount: string) => [
      ...[A, A, amount, A, 'STATUS_OPEN', 'x', 'x', '2026-10-01 00:00:00+00', '1970-01-01 00:00:00+00', '{}', A],
      '2026-10-01 00:00:00+00',
    ];
    const typeOf = async (out: string, amounts: readonly string[]) => {
      const csv = { table: 'withdrawals', version: 93, from: 1, to: 100, rows: amounts.map(withdrawal) };
      const { tables } = await convert(join(folder, out), [await writeZip(folder, [csv], `${out}.zip`)]);
      return tables[0]?.columns.find(({ name }) => name === 'amount')?.type;
    };
    expect(await typeOf('small', ['7'])).toBe('DECIMAL(38,0)');
    expect(await typeOf('large', ['7', '9'.repeat(38), '100.00'])).toBe('DECIMAL(38,0)');
    expect(await typeOf('parts', ['7', '1.5'])).toBe('VARCHAR');
  }));

test('A decimal has the type of its column, whatever values the files of one month have', () =>
  inFolder(async folder => {
    const reward = (share: string) => [
      ...[A, A, '\\x', 'x', '7', '5', share, '2026-10-01 00:00:00+00', A, '2026-10-01 00:00:00+00', '1'],
      ...['7', '5', null],
    ];
    const typeOf = async (out: string, shares: readonly string[]) => {
      const csv = { table: 'rewards', version: 93, from: 1, to: 100, rows: shares.map(reward) };
      const { tables } = await convert(join(folder, out), [await writeZip(folder, [csv], `${out}.zip`)]);
      return tables[0]?.columns.find(({ name }) => name === 'percent_of_total')?.type;
    };
    expect(await typeOf('round', ['100'])).toBe('DECIMAL(38,30)');
    expect(await typeOf('long', ['0.0012345678901234567', '1.2345678901234567e-08'])).toBe('DECIMAL(38,30)');
    expect(await typeOf('beyond', ['5e-40'])).toBe('VARCHAR');
  }));

test('A schema change at a segment boundary converts to one table, with later columns NULL before it', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [
      ledger([ledgerRow(1, '5')]),
      ledger([[...ledgerRow(2, '6'), A]], { version: 69, from: 101, to: 200 }),
    ]);
    await convert(folder, [zip]);
    expect(await rowsIn(join(folder, 'out'), 'quantity, transfer_id')).toEqual([
      ['5', null],
      ['6', 'ab'.repeat(32)],
    ]);
  }));

test('Parts of a table are split between rows, whatever stands inside quotes', () =>
  inFolder(async folder => {
    const types = Array.from({ length: 300 }, (_, index) => `line ${index}\n"${index}", and\r${'x'.repeat(index)}`);
    const rows = types.map(type => ledgerRow(1, '1', type));
    const zip = await writeZip(folder, [ledger(rows)]);
    const manifest = await convert(folder, [zip], { partBytes: 1 });
    expect(manifest.tables[0]?.files.reduce((sum, { rows: count }) => sum + count, 0)).toBe(300);
    expect(await rowsIn(join(folder, 'out'), 'type')).toEqual(types.toSorted().map(type => [type]));
  }));

describe('Untrusted archive', () => {
  const good = exportZip([ledger([ledgerRow(1, '5')])]);
  const error = '{"error":{"code":13,"message":"Internal error","details":[]}}';
  test.each<[string, string, Buffer, RegExp]>([
    ['a file that was not finished', 'x.zip.part', good, /x\.zip\.part is an unfinished export/],
    ['an incomplete one', 'x.incomplete.zip', good, /is an unfinished export/],
    ['one that is cut', 'x.zip', good.subarray(0, -30), /x\.zip is incomplete: The archive ends/],
    ['one with an error of the node behind it', 'x.zip', Buffer.concat([good, Buffer.from(error)]), /is incomplete/],
    [
      'one whose bytes were changed',
      'x.zip',
      Buffer.concat([good.subarray(0, 90), Buffer.from('!'), good.subarray(91)]),
      /is (?:damaged|incomplete)/,
    ],
    ['something else', 'x.zip', Buffer.from('hello'), /x\.zip is damaged: The body is not a ZIP/],
    [
      'an export of other blocks than its name says',
      'c-ledger-000001-000500.zip',
      good,
      /incomplete: Blocks 101 to 500 are missing/,
    ],
  ])('An untrusted archive is refused with a reason and leaves no files: %s', (_, name, bytes, words) =>
    inFolder(async folder => {
      await writeFile(join(folder, name), bytes);
      await expect(convert(folder, [join(folder, name)])).rejects.toMatchObject({
        name: 'AnswerError',
        message: expect.stringMatching(words),
        because: 'untrusted',
      });
      const left = await readdir(join(folder, 'out')).catch(() => []);
      expect(left.filter(file => file !== '_blockglass.json')).toEqual([]);
    }),
  );
});

test('An incomplete export is converted on request, and each file is marked as incomplete', () =>
  inFolder(async folder => {
    const whole = exportZip([ledger([ledgerRow(1, '5'), ledgerRow(2, '6')])]);
    const zip = join(folder, 'x.zip.part');
    await writeFile(zip, whole.subarray(0, -22));
    const manifest = await convert(folder, [zip], { evenIncomplete: true });
    expect(manifest.tables[0]).toMatchObject({
      isComplete: false,
      notes: ['x.zip.part is not complete: rows may be missing'],
    });
    expect(await rowsIn(join(folder, 'out'), 'quantity')).toEqual([['5'], ['6']]);
    const files = sqlText(join(folder, 'out/*/*/*.parquet'));
    const said = await engine().all(
      `SELECT decode(value) FROM parquet_kv_metadata(${files}) WHERE decode(key) = 'blockglass.complete'`,
    );
    expect(said.rows).toEqual([['false']]);
  }));

test.each(["it's out", 'a*b', '[ab]', 'a{b,c}', 'date=2020-01-01', '~', 'é 𝄞'])(
  'A Parquet output folder can be named %s',
  name =>
    inFolder(async folder => {
      await mkdir(join(folder, name));
      const zip = await writeZip(join(folder, name), [ledger([ledgerRow(1, '5')])]);
      const out = join(folder, name, 'out');
      expect((await convert(folder, [zip], { out })).tables[0]?.files).toHaveLength(1);
      expect(await readdir(out)).toEqual(['_blockglass.json', 'table=ledger']);
    }),
);

test('Converted rows keep the order of the export', () =>
  inFolder(async folder => {
    const rows = Array.from({ length: 5000 }, (_, index) => ledgerRow(1, String((index * 7919) % 5000)));
    await convert(folder, [await writeZip(folder, [ledger(rows)])]);
    const found = await engine().all(
      `SELECT quantity FROM read_parquet(${sqlText(join(folder, 'out/*/*/*.parquet'))})`,
    );
    expect(found.rows.map(([quantity]) => quantity)).toEqual(rows.map(row => row[3]));
  }));

test('A table without rows has its columns in the manifest and no files', () =>
  inFolder(async folder => {
    const manifest = await convert(folder, [await writeZip(folder, [ledger([])])]);
    expect(manifest.tables[0]).toMatchObject({ fromBlock: '1', toBlock: '100', isComplete: true, files: [] });
    expect(manifest.tables[0]?.columns).toHaveLength(10);
  }));

test('Binary fractions are added to exact numbers and never replace them', () =>
  inFolder(async folder => {
    const zip = await writeZip(folder, [ledger([ledgerRow(1, '9007199254740993')])]);
    await convert(folder, [zip], { withF64: true, columns: ['quantity', 'vega_time'] });
    expect(await rowsIn(join(folder, 'out'), 'quantity, quantity_f64::HUGEINT, typeof(quantity_f64)')).toEqual([
      ['9007199254740993', '9007199254740992', 'DOUBLE'],
    ]);
  }));

test('Unknown columns and times without a day are converted without loss', () =>
  inFolder(async folder => {
    const columns = ['ledger_entry_time', 'vega_time', 'quantity', 'type', 'shiny_new', 'Größe "x"'];
    const rows = ['2026-10-01 00:00:00+00', 'infinity', '0044-03-15 00:00:00+00 BC'].map((time, index) => [
      '2026-10-01 00:00:00+00',
      time,
      String(index),
      null,
      '{a,b}',
      index === 0 ? '' : null,
    ]);
    const manifest = await convert(folder, [await writeZip(folder, [ledger(rows, { version: 200, columns })])]);
    const [table] = manifest.tables;
    expect(table?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['ledger_entry_time', 'TIMESTAMP'],
      ['quantity', 'DECIMAL(38,0)'],
      ['vega_time', 'VARCHAR'],
      ['type', 'VARCHAR'],
      ['shiny_new', 'VARCHAR'],
      ['Größe "x"', 'VARCHAR'],
    ]);
    expect(table?.files.map(({ path, firstTime }) => [path, firstTime])).toEqual([
      ['table=ledger/date=2026-10-01/part-1-100-1-1.parquet', '2026-10-01T00:00:00.000000Z'],
      ['table=ledger/date=__HIVE_DEFAULT_PARTITION__/part-1-100-1-1.parquet', null],
    ]);
    expect(await rowsIn(join(folder, 'out'), 'quantity, vega_time, shiny_new, "Größe ""x""", date')).toEqual([
      ['0', '2026-10-01 00:00:00+00', '{a,b}', '', '2026-10-01'],
      ['1', 'infinity', '{a,b}', null, null],
      ['2', '0044-03-15 00:00:00+00 BC', '{a,b}', null, null],
    ]);
  }));
