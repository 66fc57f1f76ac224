import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import type { ParquetTable } from '../../../src/answers/parquet/parquet-manifest.ts';
import { valueCheck } from '../../../src/history/check/column-values.ts';
import {
  columnSchema,
  columnsAtVersion,
  columnVersions,
  currentColumnName,
  TABLE_SCHEMAS,
} from '../../../src/tables/columns.ts';
import type { DatabaseType } from '../../../src/tables/table.ts';
import { sharedEngine } from '../shared-engine.ts';
import { cellOf, expectedType, sumsOf } from './expected-cells.ts';
import { type ExportCsv, inFolder, NEVER, type Value, writeZip } from './export-zip.ts';
import { type Rows, readByDuckDb, readByHyparquet, readByRust } from './three-readers.ts';

const engine = sharedEngine({ memoryMiB: 128 });

const NUMERIC: readonly DatabaseType[] = [
  'hugeint',
  'numeric',
  'average',
  'whole',
  'double',
  'bigint',
  'integer',
  'smallint',
];

const integers = [
  ...['0', '1', '-1', '7', '32767', '-32768', '2147483647', '-2147483648'],
  ...[2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2n ** 64n, 2n ** 127n, -(2n ** 127n)].map(String),
  ...[38, 39, 60, 100].map(digits => '9'.repeat(digits)),
  `-${'9'.repeat(38)}`,
];
const small = integers.slice(0, 6);
const fractions = [1, 16, 18, 19, 25, 40].map(digits => `0.${'0'.repeat(digits - 1)}7`);
const decimals = [
  ...['0', '50', '-0.5', '12.340000000000000000000000000000', '1e-07', '-2.5e-05', '1e+20', '3.7e+21'],
  ...[
    ...fractions,
    `-${'1'.repeat(20)}.${'2'.repeat(18)}`,
    `${'1'.repeat(21)}.5`,
    `${'1'.repeat(10)}.${'3'.repeat(28)}`,
  ],
];
const texts = [
  '',
  ' ',
  '"',
  '""',
  ',',
  '\n',
  'a\nb',
  'a\r\nb',
  "it's",
  '{}',
  '{a,"b",NULL}',
  '\\N',
  '\\.',
  'NULL',
  'é𝄞',
  '\t',
];
const times = [
  ...['2026-10-01 00:00:00+00', '2026-10-01 23:59:59.999999+00', '2023-01-18 01:12:09.5+00', '1970-01-01 00:00:00+00'],
  ...['1754-08-30 22:43:41.128654+00', '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999+00'],
];
const oddTimes = ['2026-10-01 00:00:00+05:30', '2026-10-01 00:00:00.5+14', '1883-11-18 12:00:00-04:56:02'];
const json = ['null', '[]', '{}', '{"a": [1, "x,y"], "b": {"c": "quote \\" and \\n"}}', `[${'1,'.repeat(2000)}1]`];

/** What a node, or anybody else, may have written into a column. */
const values: { readonly [stored in DatabaseType]: fc.Arbitrary<string> } = {
  bytea: fc.oneof(
    fc.constant('\\x'),
    fc.uint8Array({ maxLength: 40 }).map(bytes => `\\x${Buffer.from(bytes).toString('hex')}`),
  ),
  timestamp: mostly(fc.constantFrom(...times), fc.constantFrom(...oddTimes)),
  hugeint: mostly(fc.constantFrom(...integers.filter(text => text.length < 39)), fc.constantFrom(...integers)),
  numeric: mostly(fc.constantFrom(...decimals.slice(0, 9), ...small), fc.constantFrom(...decimals, ...integers)),
  average: mostly(fc.constantFrom(...decimals.slice(0, 9), ...small), fc.constantFrom(...decimals, ...integers)),
  whole: mostly(fc.constantFrom(...integers), fc.constantFrom(...decimals)),
  double: mostly(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9, max: 100 }).map(postgresFloat),
    fc.constantFrom(...decimals, '1.7976931348623157e+308'),
  ),
  bigint: mostly(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String), fc.constantFrom(...integers)),
  integer: mostly(fc.integer().map(String), fc.constantFrom(...integers)),
  smallint: mostly(fc.integer({ min: -32768, max: 32767 }).map(String), fc.constantFrom(...integers)),
  boolean: fc.constantFrom('t', 'f'),
  text: anyText(),
  label: fc.constantFrom('STATUS_OPEN', 'UNSPECIFIED', 'A_1'),
  jsonb: fc.oneof(fc.constantFrom(...json), fc.json()),
};

/** PostgreSQL writes an exponent with two digits at least. */
function postgresFloat(value: number): string {
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: 60 }, { arbitrary: odd, weight: 1 });
}

function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...texts),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map(text => text.replaceAll('\0', '')),
  );
}

/** Two CSVs of a table, one before a change of its schema and one behind it. */
function exportOf(table: string): fc.Arbitrary<readonly [ExportCsv, ExportCsv]> {
  const known = columnVersions(table).filter(version => version <= 93);
  const versions = fc
    .tuple(fc.constantFrom(...known), fc.constantFrom(...known, 93))
    .map(pair => pair.toSorted((a, b) => a - b));
  return versions.chain(([before = 1, behind = 93]) => {
    const csv = (version: number, from: number) =>
      fc
        .array(
          rowOf(table, columnsAtVersion(table, version) ?? []),
          table === 'blocks' ? { minLength: 3, maxLength: 3 } : { maxLength: 6 },
        )
        .map(
          (rows): ExportCsv => ({
            table,
            version,
            from,
            to: from + 2,
            rows: rows.map((row, index) => withHeight(table, row, from + index)),
          }),
        );
    return fc.tuple(csv(before, 1), csv(behind, 4));
  });
}

const rowOf = (table: string, columns: readonly string[]): fc.Arbitrary<readonly Value[]> =>
  fc.tuple(
    ...columns.map((name): fc.Arbitrary<Value> => {
      const { stored = 'text', mayBeNegative = true } = columnSchema(table, name) ?? {};
      const text = mayBeNegative ? values[stored] : values[stored].map(each => each.replace(/^-/, ''));
      const value = text.filter(each => isPossible(table, name, each));
      return (columnSchema(table, name)?.mayBeNull ?? true) ? fc.option(value, { freq: 4 }) : value;
    }),
  );

/** Heights of blocks are checked: there is one row for each. */
const withHeight = (table: string, row: readonly Value[], height: number): readonly Value[] =>
  table === 'blocks' ? [row[0] ?? null, String(height), row[2] ?? null] : row;

/** Each row by the columns of today, in the order of the table. */
function expectedRows(table: ParquetTable, csvs: readonly ExportCsv[]): Rows {
  return csvs.flatMap(({ table: name, version, rows }) => {
    const columns = (columnsAtVersion(name, version) ?? []).map(column => currentColumnName(name, column));
    return rows.map(row =>
      table.columns.map(column => cellOf(row[columns.indexOf(column.name)] ?? null, column.type) ?? null),
    );
  });
}

interface TableRows {
  readonly table: string;
  readonly csvs: readonly ExportCsv[];
}

/** An export of each table, converted together: cut into parts of so many bytes; where none are said, whole. */
async function expectSame(exported: readonly TableRows[], partBytes = 1 << 20): Promise<void> {
  await inFolder(async folder => {
    const out = join(folder, 'out');
    const paths = await Promise.all(exported.map(({ table, csvs }) => writeZip(folder, csvs, `${table}.zip`)));
    const { tables } = await convertToParquet({ paths, out, signal: NEVER, partBytes });
    for (const { table, csvs } of exported) {
      const made = tables.find(({ name }) => name === table);
      if (made === undefined) throw new Error(`no ${table} was made`);
      for (const { name, type } of made.columns)
        expect([table, name, type]).toEqual([table, name, typeIn(table, csvs, name)]);
      const expected = sorted(expectedRows(made, csvs));
      const read = [readByDuckDb(engine(), out, made), readByHyparquet(out, made), readByRust(out, made)];
      for (const rows of await Promise.all(read)) expect([table, sorted(rows)]).toEqual([table, expected]);
      const sums = sumsOf(made);
      for (const [index, { name }] of made.columns.entries()) {
        if (name in sums)
          expect([name, sums[name]]).toEqual([name, expected.reduce((sum, row) => sum + BigInt(row[index] ?? 0), 0n)]);
      }
    }
  });
}

const typeIn = (table: string, csvs: readonly ExportCsv[], column: string): string =>
  expectedType(columnSchema(table, column)?.stored ?? 'text', textsOf(csvs, column));

function textsOf(csvs: readonly ExportCsv[], column: string): readonly Value[] {
  return csvs.flatMap(({ table, version, rows }) => {
    const index = (columnsAtVersion(table, version) ?? []).findIndex(name => currentColumnName(table, name) === column);
    return index < 0 ? [] : rows.map(row => row[index] ?? null);
  });
}

const sorted = (rows: Rows): Rows => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test('Values from a node come back exact from Parquet in three readers, for every table and schema change', () =>
  fc.assert(
    fc.asyncProperty(fc.tuple(...[...TABLE_SCHEMAS.keys()].map(exportOf)), exported =>
      expectSame(
        [...TABLE_SCHEMAS.keys()].map((table, index) => ({ table, csvs: exported[index] ?? [] })),
        300,
      ),
    ),
    { numRuns: 4 },
  ));

function isPossible(table: string, column: string, text: string): boolean {
  const type = columnSchema(table, column);
  const check = type === undefined ? undefined : valueCheck(type);
  const { buffer, byteOffset, length } = Buffer.from(text);
  return check === undefined || check.isValue(new DataView(buffer, byteOffset, length), 0, length);
}

/** A row in which each numeric column has this value, where the check allows it. */
function numericRow(table: string, value: string): readonly Value[] {
  return (columnsAtVersion(table, 93) ?? []).map(name => {
    const stored = columnSchema(table, name)?.stored ?? 'text';
    if (NUMERIC.includes(stored)) return isPossible(table, name, value) ? value : '5';
    const plain: { readonly [other in DatabaseType]?: string } = {
      bytea: '\\x00',
      timestamp: '2026-10-01 00:00:00+00',
      boolean: 't',
      label: 'UNSPECIFIED',
    };
    return plain[stored] ?? '{}';
  });
}

const EDGES = [
  ...['-1', String(2n ** 63n), String(2n ** 127n), '9'.repeat(38), '1'.repeat(39), '7'.repeat(60)],
  ...[`-0.${'3'.repeat(19)}`, `1.${'0'.repeat(39)}1`],
];

test.each(EDGES)('Each numeric column of each table stores %s among small numbers', edge =>
  expectSame(
    [...TABLE_SCHEMAS.keys()].map(table => {
      const rows = [edge, '5', '0'].map((value, index) => withHeight(table, numericRow(table, value), index + 1));
      return { table, csvs: [{ table, version: 93, from: 1, to: 3, rows }] };
    }),
  ),
);

/** Texts that the engine would take for another value, without a word. */
const DECEIVING: readonly (readonly [table: string, column: string, values: readonly string[]])[] = [
  [
    'ledger',
    'transfer_time',
    ['infinity', '0044-03-15 00:00:00+00 BC', '2026-10-01', '2026-10-01 00:00:00', '2026-02-30 00:00:00+00'],
  ],
  ...(['ledger quantity', 'orders size', 'orders version', 'orders side'] as const).map(name => {
    const [table = '', column = ''] = name.split(' ');
    return [table, column, ['1.5', '1e3', ' 1', '+5', '1_000', '5.']] as const;
  }),
  ['orders', 'post_only', ['true', '1', 'yes']],
  ['ledger', 'tx_hash', ['\\xa', 'abc', '\\xzz', ' ']],
  ['rewards', 'percent_of_total', ['infinity', '1,5', 'NaN']],
];

/** One text of each column that has so many. */
const deceivingAt = (round: number) =>
  DECEIVING.flatMap(([table, column, values]) => {
    const value = values[round];
    return value === undefined ? [] : [{ table, column, value }];
  });
const ROUNDS = Array.from({ length: Math.max(...DECEIVING.map(([, , { length }]) => length)) }, (_, round) => round);

test.each(
  ROUNDS.map(
    round =>
      [
        deceivingAt(round)
          .map(({ value }) => JSON.stringify(value))
          .join(' '),
        round,
      ] as const,
  ),
)('An invalid value for a column is reported as damage and not converted: %s', (_, round) =>
  inFolder(async folder => {
    const odd = deceivingAt(round);
    const names = [...new Set(odd.map(({ table }) => table))];
    const csvs = names.map((name): ExportCsv => {
      const plain = numericRow(name, '5');
      const deceiving = (columnsAtVersion(name, 93) ?? []).map(
        (column, index) =>
          odd.find(each => each.table === name && each.column === column)?.value ?? plain[index] ?? null,
      );
      return { table: name, version: 93, from: 1, to: 2, rows: [deceiving, plain] };
    });
    for (const csv of csvs) {
      const path = await writeZip(folder, [csv], `${csv.table}.zip`);
      await expect(convertToParquet({ paths: [path], out: join(folder, 'out'), signal: NEVER })).rejects.toMatchObject({
        because: 'untrusted',
        message: expect.stringMatching(/is damaged: .* in row 1, which is not /),
      });
    }
  }),
);
