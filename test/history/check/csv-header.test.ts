import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkHeader } from '../../../src/history/check/csv-header.ts';
import { columnsAtVersion, TABLE_SCHEMAS } from '../../../src/tables/columns.ts';

const nameOf = (table: string, schemaVersion: number | undefined) => ({
  chainId: 'c',
  table,
  schemaVersion,
  fromBlock: 1n,
  toBlock: 1000n,
});

const judge = (columns: readonly string[], table: string, schemaVersion?: number) =>
  checkHeader(Buffer.from(columns.join(',')), nameOf(table, schemaVersion));

const table = fc.constantFrom(...TABLE_SCHEMAS.keys());
const version = fc.integer({ min: 1, max: 123 });
const columnsOf = (of: string, at: number): readonly string[] => columnsAtVersion(of, at) ?? [];

describe('CSV header check', () => {
  test('A header with the columns of its schema is right, whatever the table and the version', () => {
    fc.assert(
      fc.property(table, version, (of, at) => {
        const columns = columnsOf(of, at);
        expect(judge(columns, of, at)).toEqual({
          columns,
          columnCount: columns.length,
          known: columns,
          notes: [],
          fault: undefined,
        });
      }),
    );
  });

  test('A header with any two names swapped is damaged, with or without the version in the file name', () => {
    fc.assert(
      fc.property(table, version, fc.nat(), fc.nat(), fc.boolean(), (of, at, one, two, isVersioned) => {
        const columns = columnsOf(of, at);
        const [a, b] = [one % columns.length, two % columns.length];
        fc.pre(a !== b);
        const swapped = columns.with(a, columns[b] ?? '').with(b, columns[a] ?? '');
        const moved = Math.min(a, b);
        expect(judge(swapped, of, isVersioned ? at : undefined).fault).toBe(
          `has ${swapped[moved]} where ${columns[moved]} belongs`,
        );
      }),
    );
  });

  test('A header that lacks any column of its schema is damaged', () => {
    fc.assert(
      fc.property(table, version, fc.nat(), (of, at, which) => {
        const columns = columnsOf(of, at);
        const lost = columns[which % columns.length] ?? '';
        const rest = columns.filter(column => column !== lost);
        fc.pre(rest.length > 0);
        expect(judge(rest, of, at).fault).toBe(`lacks ${lost}`);
      }),
    );
  });

  test.each([
    ['has a name twice', 'vega_time,height,hash,height', 'has the column height twice'],
    ['has a name that is empty', 'vega_time,height,hash,', 'has a column without a name'],
    ['has more columns than any table', `${'a,'.repeat(299)}a`, 'has 300 columns, more than any table'],
    [
      'has a name longer than a database allows',
      `vega_time,height,hash,${'x'.repeat(64)}`,
      'has a column whose name is longer than 63 characters',
    ],
  ])('A header that %s is damaged', (_what, header, fault) => {
    expect(checkHeader(Buffer.from(header), nameOf('blocks', 93)).fault).toBe(fault);
  });

  test('A header in quotes, or with a carriage return after it, is the same header', () => {
    const columns = ['vega_time', 'height', 'hash'];
    expect(checkHeader(Buffer.from('"vega_time",height,"hash"'), nameOf('blocks', 93))).toMatchObject({ columns });
    expect(checkHeader(Buffer.from('vega_time,height,hash\r'), nameOf('blocks', 93))).toMatchObject({ columns });
  });

  test('A header with unknown columns is reported with ten of them and the number of the others', () => {
    const columns = [...columnsOf('blocks', 93), ...Array.from({ length: 25 }, (_, index) => `new${index}`)];
    expect(judge(columns, 'blocks', 93).notes).toEqual([
      'It has columns that this program does not know: new0, new1, new2, new3, new4, new5, new6, new7, new8, new9 and 15 more.',
    ]);
  });

  test('A header of 200 columns with 63-character names is read, and of more or longer ones no name is kept', () => {
    const wide = Array.from({ length: 200 }, (_, index) => `c${index}`.padEnd(63, '_'));
    expect(judge(wide, 'blocks', 93)).toMatchObject({ columns: wide, columnCount: 200 });
    const nothing = { columns: [], known: [], notes: [] };
    expect(judge([...wide, 'x'], 'blocks', 93)).toEqual({
      ...nothing,
      columnCount: 201,
      fault: 'has 201 columns, more than any table',
    });
    expect(judge([`${wide[0]}_`, 'x'], 'blocks', 93)).toEqual({
      ...nothing,
      columnCount: 2,
      fault: 'has a column whose name is longer than 63 characters',
    });
  });

  test('A header of an unknown table is noted, and the header of a CSV without a name is not judged', () => {
    expect(judge(['a', 'b'], 'moods', 93)).toEqual({
      columns: ['a', 'b'],
      columnCount: 2,
      known: [],
      notes: ['This program does not know the columns of table moods.'],
    });
    expect(checkHeader(Buffer.from('a,b'), undefined)).toEqual({
      columns: ['a', 'b'],
      columnCount: 2,
      known: [],
      notes: [],
    });
    expect(judge(['a', 'a'], 'moods', 93)).toMatchObject({ fault: 'has the column a twice', known: [], notes: [] });
  });

  test('A header without several columns lacks each, below the newest known schema and not above', () => {
    const rest = columnsOf('balances', 93).slice(2);
    expect(judge(rest, 'balances', 123)).toMatchObject({ fault: 'lacks account_id, vega_time', notes: [] });
    expect(judge([...rest, 'mood'].toReversed(), 'balances', 124)).toMatchObject({
      known: [],
      notes: [
        'Its schema is newer than this program and no longer has account_id, vega_time.',
        'It has columns that this program does not know: mood.',
        'Its columns are not in the usual order.',
      ],
    });
    expect(judge(columnsOf('balances', 93), 'balances', 124)).toMatchObject({ known: [], notes: [] });
    expect(judge(columnsOf('balances', 1), 'balances', 0)).toMatchObject({
      known: columnsOf('balances', 1),
      notes: [],
    });
  });

  test('A header without a version in the name is compared with the newest columns it has all of, or with none', () => {
    expect(judge(columnsOf('rewards', 51), 'rewards').known).toEqual(columnsOf('rewards', 51));
    expect(judge([...columnsOf('rewards', 93), 'mood'], 'rewards')).toMatchObject({
      known: columnsOf('rewards', 93),
      notes: ['It has columns that this program does not know: mood.'],
    });
    const [lost = '', ...rest] = columnsOf('rewards', 1);
    expect(judge(rest, 'rewards')).toMatchObject({
      known: [],
      notes: [`Its schema is newer than this program and no longer has ${lost}.`],
    });
  });

  test('A header with ten unknown columns is reported with all ten', () => {
    const unknown = Array.from({ length: 10 }, (_, index) => `new${index}`);
    expect(judge([...columnsOf('blocks', 93), ...unknown], 'blocks', 93).notes).toEqual([
      `It has columns that this program does not know: ${unknown.join(', ')}.`,
    ]);
  });
});
