import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvRows } from '../../../src/history/check/csv-rows.ts';
import { type CsvFlaw, CsvScan } from '../../../src/history/check/csv-scan.ts';
import { referenceCsv } from './reference-csv.ts';
import { balances, balancesCsv, balancesHeader, balancesName, blocksCsv, csv, judge, summary } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

const blocks = { table: 'blocks', fromBlock: 1n, toBlock: 30n };
const blocksName = 'c-blocks-093-000001-000030.csv';

function balancesOf(content: string) {
  return judge(zipOf([{ name: balancesName, content }]), balances);
}

function blocksOf(content: string) {
  return judge(zipOf([{ name: blocksName, content }]), blocks);
}

interface Rules {
  readonly watched?: number;
  readonly notNull?: readonly number[];
}

function scanned(text: string | Buffer, sizes: readonly number[], { watched = -1, notNull = [] }: Rules = {}) {
  const flaws: { flaw: CsvFlaw['flaw']; row: number; byteOffset: number }[] = [];
  const values: string[] = [];
  const places: { row: number; byteOffset: number }[] = [];
  const scan = new CsvScan({
    onHeader: row => ({
      columns: new CsvRows().push(`${row}\n`)[0]?.length ?? 0,
      watched,
      notNull: Uint8Array.from(notNull),
      checks: [],
      isEnough: false,
    }),
    onWatched: (value, row, byteOffset) => {
      values.push(value);
      places.push({ row, byteOffset });
    },
    onFlaw: ({ flaw }, row, byteOffset) => flaws.push({ flaw, row, byteOffset }),
  });
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    scan.scan(bytes.subarray(at, at + size));
    at += size;
  }
  scan.end();
  return { flaws, values, places, rows: scan.rows, counts: scan.counts, longestLineBytes: scan.longestLineBytes };
}

/** Rows after the first that have the same values; only headers without a quote are in these tests. */
function repeatsOf(table: readonly (readonly (string | null)[])[]): readonly number[] {
  const named = (row: readonly (string | null)[]) => JSON.stringify(row.map(field => field ?? ''));
  const [header = []] = table;
  return table.slice(1).flatMap((row, index) => (named(row) === named(header) ? [index] : []));
}

const quotedAll = (rows: readonly (readonly (string | null)[])[]): string =>
  rows
    .map(row => `${row.map(field => (field === null ? '' : `"${field.replaceAll('"', '""')}"`)).join(',')}\n`)
    .join('');

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
/** Mostly the characters that mean something, so that good and bad CSV both come up. */
const soup = fc.string({
  unit: fc.constantFrom(',', '"', '"', '\n', '\r\n', '\r', 'a', 'é', ' ', '\0', 'bcdefgh'),
  maxLength: 40,
});
const value = fc.option(fc.string({ unit: fc.constantFrom(',', '"', '\n', '\r', 'a', '☃', ' +', 'plain text') }));

function written(values: readonly (readonly (string | null)[])[]): string {
  const field = (text: string | null) => {
    if (text === null) return '';
    return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return values.map(row => `${row.map(field).join(',')}\n`).join('');
}

describe('CSV scanner', () => {
  test('The scanner accepts exactly what a plain parser accepts, whatever the pieces', () => {
    fc.assert(
      fc.property(soup, sizes, (text, pieces) => {
        // A header in quotes is known again only when it is written alike.
        fc.pre(!/^[^\n]*"/.test(text));
        const reference = referenceCsv(text);
        const { flaws, rows, values } = scanned(text, pieces);
        expect(flaws).toEqual(scanned(text, [1000]).flaws);
        expect(values).toEqual([]);
        const isRagged = reference !== 'bad' && reference.some(row => row.length !== reference[0]?.length);
        const isRepeated = reference !== 'bad' && repeatsOf(reference).length > 0;
        expect(flaws.length > 0).toBe(reference === 'bad' || isRagged || isRepeated);
        if (reference !== 'bad') expect(rows).toBe(Math.max(0, reference.length - 1 - repeatsOf(reference).length));
      }),
      { numRuns: 3000 },
    );
  });

  test('The scanner finds and counts every repeated header row and every forbidden NULL exactly', () => {
    const word = fc.constantFrom(null, '', 'x', 'y', 'z', 'x"', '"x', ',', 'a\nb', 'x\r', 'é');
    const rowOf = fc.oneof(fc.tuple(word, word, word), fc.constant(['x', 'y', 'z']));
    const forbidden = fc.tuple(fc.nat(1), fc.nat(1), fc.nat(1));
    fc.assert(
      fc.property(
        fc.array(rowOf, { maxLength: 12 }),
        sizes,
        forbidden,
        fc.boolean(),
        (rows, pieces, notNull, isQuoted) => {
          const content = isQuoted ? quotedAll(rows) : written(rows);
          const ends = rows.length % 2 === 0 ? '\n' : '\r\n';
          const text = `x,y,z\n${content}`.replaceAll(/(?<![ab])\n/g, ends);
          const { flaws, counts, rows: counted } = scanned(text, pieces, { notNull });
          const table: readonly (readonly (string | null)[])[] = [['x', 'y', 'z'], ...rows];
          const repeats = repeatsOf(table);
          const nulls = rows.flatMap((row, index) =>
            row.some((field, at) => field === null && notNull[at] === 1) ? [index] : [],
          );
          expect(counted).toBe(rows.length - repeats.length);
          expect(counts.get('repeated-header')).toBe(repeats.length);
          expect(counts.get('null')).toBe(nulls.length);
          const [firstNull] = nulls;
          const rowNumber =
            firstNull === undefined ? undefined : firstNull + 1 - repeats.filter(at => at <= firstNull).length;
          expect(flaws.find(({ flaw }) => flaw === 'null')?.row).toBe(rowNumber);
          const repeated = flaws.find(({ flaw }) => flaw === 'repeated-header');
          expect(repeated?.row).toBe(repeats[0] === undefined ? undefined : repeats[0] + 1);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('The scanner finds every sequence that is not UTF-8, and the position of the first, whatever the pieces', () => {
    const bytes = fc.constantFrom(
      ...[[0x61], [0x2c], [0x0a], [0x80], [0xbf], [0xc0], [0xc3, 0xa9], [0xc3], [0xe2, 0x98, 0x83], [0xe2, 0x98]],
      ...[
        [0xe0, 0x80, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x9f, 0x92, 0xa9],
        [0xf0, 0x9f],
        [0xf0, 0x80],
        [0xf4, 0x90],
      ],
      ...[
        [0xc2, 0x80],
        [0xdf, 0xbf],
        [0xe0, 0xa0, 0x80],
        [0xed, 0x9f, 0xbf],
        [0xef, 0xbf, 0xbf],
        [0xf0, 0x90, 0x80, 0x80],
        [0xf4, 0x8f, 0xbf, 0xbf],
      ],
      ...[[0xf5], [0xff], [0xef, 0xbb, 0xbf], [0xc3, 0x0a], [0x22, 0xc3, 0x22], [0x61, 0x62, 0x63, 0x64, 0x65, 0x66]],
    );
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 24 }), sizes, (content, pieces) => {
        const text = Buffer.from([...Buffer.from('header\n'), ...content.flat(), 0x0a]);
        // A decoder puts one U+FFFD in place of each.
        const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
        const { flaws, counts } = scanned(text, pieces);
        const stop = flaws.findIndex(({ flaw }) => flaw === 'quote-in-field' || flaw === 'text-after-quote');
        if (stop < 0) expect(counts.get('encoding')).toBe(replaced.split('\ufffd').length - 1);
        const first = Buffer.byteLength(replaced.split('\ufffd')[0] ?? '');
        const found = flaws.find(({ flaw }) => flaw === 'encoding');
        if (found === undefined) {
          expect(stop >= 0 || !replaced.includes('\ufffd')).toBe(true);
          return;
        }
        expect(found.byteOffset).toBe(first);
        expect(found.row).toBe(text.subarray(0, first).toString('latin1').split('\n').length - 1);
      }),
      { numRuns: 3000 },
    );
  });

  test('The scanner reports the position from which it cannot read on, whatever the pieces', () => {
    const rows = 'x,y\n1,"a\nb"\n';
    const long = `${'x'.repeat(16 * 1024)}`;
    const cases: readonly [flaw: CsvFlaw['flaw'], row: number, before: string, rest: string][] = [
      ['bare-return', 2, `${rows}2`, '\r3,4\n'],
      ['bare-return', 2, `${rows}2,""`, '\r,\n'],
      ['text-after-quote', 2, `${rows}"2"`, '3,4\n'],
      ['quote-in-field', 2, `${rows}2,3`, '"4\n'],
      ['nul', 2, `${rows}2,`, '\0\n'],
      ['nul', 2, `${rows}2,"3`, '\0"\n'],
      ['unclosed-quote', 2, `${rows}2,"3\n`, ''],
      ['no-final-newline', 2, `${rows}2,3`, ''],
      ['no-final-newline', 2, `${rows}2,"3"`, ''],
      ['no-final-newline', 2, `${rows}2,3\r`, ''],
      ['no-final-newline', 0, 'x,y', ''],
    ];
    for (const [flaw, row, before, rest] of cases)
      for (const size of [1, 2, 3, 5, 1000])
        expect(scanned(before + rest, [size]).flaws).toEqual([{ flaw, row, byteOffset: before.length }]);
    for (const size of [1, 100, 16 * 1024, 17 * 1024]) {
      expect(scanned(`${long}\n1\n`, [size])).toMatchObject({ flaws: [], rows: 1 });
      expect(scanned(`${long}x\n1\n`, [size])).toMatchObject({ flaws: [{ flaw: 'long-header', row: 0 }], rows: 0 });
    }
  });

  test('The scanner continues after bytes that are not UTF-8, and reports a sequence cut by the end', () => {
    const bad = Buffer.from([0x31, 0xff, 0x0a]);
    const rows = Buffer.concat([Buffer.from('x\n'), bad, Buffer.from('2,3\n4\n')]);
    for (const size of [1, 3, 1000]) {
      const { flaws, rows: counted } = scanned(rows, [size]);
      expect(counted).toBe(3);
      expect(flaws).toEqual([
        { flaw: 'encoding', row: 1, byteOffset: 3 },
        { flaw: 'columns', row: 2, byteOffset: 5 },
      ]);
      expect(scanned(Buffer.from('x\n\u2603').subarray(0, -1), [size]).flaws).toEqual([
        { flaw: 'encoding', row: 1, byteOffset: 2 },
        { flaw: 'no-final-newline', row: 1, byteOffset: 4 },
      ]);
    }
  });

  test('The scanner gives the watched column and the longest line of any table, whatever the pieces', () => {
    const table = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(table, sizes, fc.nat(2), (rows, pieces, watched) => {
        const text = written([['x', 'y', 'z'], ...rows]);
        const result = scanned(text, pieces, { watched });
        expect(result).toMatchObject({ flaws: [], rows: rows.length });
        expect(result.values).toEqual(
          rows.map(row =>
            Buffer.from(written([[row[watched] ?? null]]).slice(0, -1))
              .toString('latin1')
              .slice(0, 64 + 40),
          ),
        );
        const lines = text.split('\n').map(line => Buffer.byteLength(line));
        expect(result.longestLineBytes).toBe(Math.max(...lines));
      }),
    );
  });

  test('The scanner gives the watched value of a row with too few or too many values, unless it may be half a value', () => {
    const word = fc.constantFrom('1', '22', '"3"', '');
    const rowOf = fc.array(word, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(rowOf, { maxLength: 8 }), sizes, fc.nat(2), (rows, pieces, watched) => {
        const lines = ['x,y,z', ...rows.map(row => row.join(','))];
        const { values, places } = scanned(`${lines.join('\n')}\n`, pieces, { watched });
        const sure = rows.flatMap((row, index) =>
          row.length === 3 || row.length > watched + 1 ? [{ value: row[watched], row: index + 1 }] : [],
        );
        expect(values).toEqual(sure.map(({ value }) => value));
        expect(places).toEqual(sure.map(({ row }) => ({ row, byteOffset: lines.slice(0, row).join('\n').length + 1 })));
      }),
      { numRuns: 300 },
    );
  });

  test('The scanner keeps only the beginning of a watched value', () => {
    const [value = ''] = scanned(`x\n${'7'.repeat(5000)}\n`, [10], { watched: 0 }).values;
    expect(value.length).toBeGreaterThanOrEqual(64);
    expect(value.length).toBeLessThanOrEqual(64 + 2 * 10);
  });

  test('The scanner reports nothing after the position where it stopped', () => {
    for (const size of [1, 2, 1000]) {
      const text = Buffer.from('x\na\0\n\xff\n,\n"', 'latin1');
      const { flaws, counts, rows } = scanned(text, [size]);
      expect(flaws).toEqual([{ flaw: 'nul', row: 1, byteOffset: 3 }]);
      expect([rows, counts.get('columns')]).toEqual([0, 0]);
    }
  });

  test('The scanner reports a line over 64 MiB without keeping it', () => {
    const scan: string[] = [];
    const long = new CsvScan({
      onHeader: () => ({ columns: 1, watched: -1, notNull: new Uint8Array(), checks: [], isEnough: false }),
      onWatched: () => {},
      onFlaw: ({ flaw }, row, byteOffset) => scan.push(`${flaw} in row ${row} at ${byteOffset}`),
    });
    long.scan(Buffer.from('x\nok\n'));
    const piece = Buffer.alloc(2 ** 20, 0x61);
    for (let mib = 0; mib < 66; mib++) long.scan(piece);
    long.scan(Buffer.from('\n'));
    long.end();
    expect(scan).toEqual(['long-line in row 2 at 5']);
    expect(long.longestLineBytes).toBe(66 * 2 ** 20);
  });
});

test('CSV rows keep NULL and the empty text apart, whatever the pieces', () => {
  const table = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const reader = new CsvRows();
      const text = Array.from(written(rows));
      const read: unknown[] = [];
      for (let at = 0; at < text.length; at += size) read.push(...reader.push(text.slice(at, at + size).join('')));
      expect([...read, ...reader.end()]).toEqual(rows);
    }),
  );
});

test('A CSV row without an end is kept only up to the limits', () => {
  const limits = { valueCharacters: 5, values: 3 };
  const lone = new CsvRows(limits);
  for (let piece = 0; piece < 2000; piece++) lone.push('abc\r');
  expect(lone.push('\n')).toEqual([['abc\ra...']]);
  expect(new CsvRows(limits).push('12345,"1234""67",3,4,5\n,"",\n')).toEqual([
    ['12345', '1234"...', '3'],
    [null, '', null],
  ]);
});

test('CSV rows lose only the carriage returns of their line ends, and the last row needs no line end', () => {
  for (const size of [1, 2, 100]) {
    const reader = new CsvRows();
    const text = 'a\rb,"c\r\n"\r\n\r\n,""\r\nd,"e"';
    const read: unknown[] = [];
    for (let at = 0; at < text.length; at += size) read.push(...reader.push(text.slice(at, at + size)));
    expect(read).toEqual([['a\rb', 'c\r\n'], [null], [null, '']]);
    expect(reader.end()).toEqual([['d', 'e']]);
    expect(reader.end()).toEqual([]);
  }
  expect(new CsvRows().end()).toEqual([]);
});

describe('CSV that breaks the rules', () => {
  const cases: readonly [string, string, string][] = [
    [
      'a row too short',
      csv(balancesHeader, 'a,b,c,1', 'a,b'),
      'columns: X has a row of 2 columns where the header has 4.',
    ],
    ['a row too long', csv(balancesHeader, 'a,b,c,1,2'), 'columns: X has a row of 5 columns'],
    ['an empty line', csv(balancesHeader, 'a,b,c,1', '', 'a,b,c,1'), 'columns: X has a row of 1 columns'],
    ['text after a closing quote', csv(balancesHeader, '"a"x,b,c,1'), 'quoting: X has text after a closing quote.'],
    ['a quote in an unquoted field', csv(balancesHeader, 'a"x",b,c,1'), 'quoting: X has a quote inside'],
    ['a quote that never closes', csv(balancesHeader, 'a,b,"c,1'), 'quoting: X ends inside a quoted field.'],
    ['a carriage return outside quotes', csv(balancesHeader, 'a\rb,b,c,1'), 'quoting: X has a carriage return'],
    ['a zero byte', csv(balancesHeader, 'a\0b,b,c,1'), 'quoting: X contains a zero byte.'],
    [
      'a value missing',
      csv(balancesHeader, 'a,b,c,1', ',,c,1'),
      'null: X has no account_id in row 2, where NULL is not allowed',
    ],
    [
      'the header again',
      csv(balancesHeader, 'a,b,c,1', balancesHeader),
      'repeated-header: X repeats its header as row 2',
    ],
    ['a missing column', csv('account_id,vega_time,tx_hash', 'a,b,c'), 'header: X has a header that lacks balance.'],
    ['a repeated column', csv(`${balancesHeader},balance`, 'a,b,c,1,1'), 'header: X has a header that has the col'],
  ];
  test.each(cases)('A CSV with a broken rule is damaged: %s', async (_title, content, expected) => {
    expect(summary(await balancesOf(content))).toContain(`damaged ${expected.replace('X', balancesName)}`);
  });

  test('A CSV with bytes that are not UTF-8 is damaged', async () => {
    const content = Buffer.from(csv(balancesHeader, 'a,\xff,c,1'), 'latin1');
    const verdict = await judge(zipOf([{ name: balancesName, content }]), balances);
    expect(summary(verdict)).toBe(`damaged encoding: ${balancesName} contains bytes that are not UTF-8.`);
  });

  test('A CSV with a header over 16 KiB is damaged, and this is reported once', async () => {
    const verdict = await balancesOf(csv('x'.repeat(16 * 1024 + 1), 'a'));
    expect(summary(verdict)).toBe(`damaged header: ${balancesName} has a header over 16 KiB.`);
  });

  test('A damaged CSV is reported with the byte position of the fault, and how many more there are', async () => {
    const verdict = await balancesOf(csv(balancesHeader, '"a\nb",b,c,1', 'a,b', 'a,b,c,1', 'a'));
    const byteOffset = balancesHeader.length + 1 + '"a\nb",b,c,1\n'.length;
    expect(verdict).toMatchObject({ kind: 'damaged', at: { csv: balancesName, row: 2, byteOffset } });
    expect(verdict.reason).toMatch(/1 more like it\.$/);
    expect(verdict.entries[0]?.rows).toBe(4);
  });
});

describe('Sound CSV that is not whole', () => {
  test.each([
    ['no final newline', csv(balancesHeader, 'a,b,c,1').slice(0, -1), 'unfinished-row: X ends in the middle of a row.'],
    ['not even a header', '', 'empty-entry: X is empty, without even a header, so the export failed.'],
  ])('A sound CSV that is not whole is incomplete: %s', async (_title, content, expected) => {
    expect(summary(await balancesOf(content))).toBe(`incomplete ${expected.replace('X', balancesName)}`);
  });

  test('A CSV that is not whole is reported with the position where it ends', async () => {
    const content = csv(balancesHeader, '\\x01,2023-01-18 01:12:09+00,\\x02,1', 'a,b,c').slice(0, -1);
    const at = { csv: balancesName, row: 1, byteOffset: content.length };
    expect(await balancesOf(content)).toMatchObject({ at: { ...at, row: 2 } });
  });

  test('A CSV without any rows has no fault', async () => {
    expect(await balancesOf(csv(balancesHeader))).toMatchObject({ kind: 'complete', entries: [{ rows: 0 }] });
  });

  test('A CSV with CRLF line ends has no fault', async () => {
    expect(await balancesOf(balancesCsv.replaceAll('\n', '\r\n'))).toMatchObject({ kind: 'complete' });
  });
});

describe('Rows of the blocks table', () => {
  test('A blocks table with one row per height, in order, is complete', async () => {
    expect(await blocksOf(blocksCsv(1, 30))).toMatchObject({ kind: 'complete', entries: [{ rows: 30 }] });
  });

  test.each([
    ['one missing', blocksCsv(1, 30, [7]), 'incomplete missing-rows: X is not complete: block 7 is missing'],
    ['a tail missing', blocksCsv(1, 20), 'incomplete missing-rows: X is not complete: blocks 21 to 30 are missing'],
    ['a start missing', blocksCsv(4, 30), 'incomplete missing-rows: X is not complete: blocks 1 to 3 are missing'],
    ['all missing', blocksCsv(1, 0), 'incomplete missing-rows: X is not complete: blocks 1 to 30 are missing'],
    [
      'one twice',
      blocksCsv(1, 9) + blocksCsv(9, 30).split('\n').slice(1).join('\n'),
      'damaged height: X has a row that rep',
    ],
    ['one too many', blocksCsv(1, 31), 'damaged height: X has a row that is for block 31, outside'],
    ['no number', blocksCsv(1, 30).replace(',7,', ',x,'), 'damaged height: X has a row that has no block height'],
  ])('A blocks table without exactly one row per height has a fault: %s', async (_title, content, expected) => {
    expect(summary(await blocksOf(content))).toContain(expected.replace('X', blocksName));
  });

  test('Blocks that are missing at the end of the table are reported at that position', async () => {
    const content = blocksCsv(1, 20);
    expect(await blocksOf(content)).toMatchObject({ at: { csv: blocksName, row: 20, byteOffset: content.length } });
  });

  test('A fault in the blocks table has the position of its row', async () => {
    const content = blocksCsv(1, 30).replace(',7,', ',x,');
    const byteOffset = blocksCsv(1, 6).length;
    expect(await blocksOf(content)).toMatchObject({ at: { csv: blocksName, row: 7, byteOffset } });
  });

  test('A block whose row could not be read is not reported as missing', async () => {
    const { findings } = await blocksOf(blocksCsv(1, 30).replace(',20,', ',2\0,'));
    expect(findings.map(({ fault }) => fault)).toEqual(['quoting']);
  });
});

describe('CSV notes', () => {
  test('A CSV note reports unknown columns', async () => {
    const verdict = await balancesOf(csv(`${balancesHeader},mood`, '\\x01,2023-01-18 01:12:09+00,\\x02,1,x'));
    expect(verdict).toMatchObject({ kind: 'complete' });
    expect(verdict.notes).toEqual([`${balancesName}: It has columns that this program does not know: mood.`]);
  });

  test('A CSV note reports columns in another order if the schema is newer than all known ones', async () => {
    const name = balancesName.replace('-093-', '-999-');
    const content = csv('vega_time,account_id,tx_hash,balance', 'a,b,c,1');
    expect(await judge(zipOf([{ name, content }]), balances)).toMatchObject({
      kind: 'complete',
      notes: [`${name}: Its columns are not in the usual order.`],
    });
  });

  test('A CSV note reports a column that a newer schema has dropped', async () => {
    const entry = {
      name: 'c-balances-999-1-1000.csv',
      content: csv('account_id,vega_time,tx_hash', 'a,b,c'),
    };
    const verdict = await judge(zipOf([entry]), balances);
    expect(verdict.kind).toBe('complete');
    expect(verdict.notes[0]).toContain('no longer has balance');
  });

  test('A CSV note reports a line near the longest that a deployed node copies', async () => {
    const row = (bytes: number) =>
      csv(`${balancesHeader},more`, `\\x01,2023-01-18 01:12:09+00,\\x02,1,${'a'.repeat(bytes - 35)}`);
    expect((await balancesOf(row(59_999))).notes).toHaveLength(1);
    expect((await balancesOf(row(60_000))).notes).toHaveLength(2);
    const verdict = await balancesOf(row(65_535));
    expect(verdict.kind).toBe('complete');
    expect(verdict.notes.at(-1)).toBe(
      `${balancesName}: the longest line has 65535 bytes, and the node silently drops the rest of a segment after a row over 65535 bytes.`,
    );
  });
});
