import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../../src/answers/engine/database.ts';
import { sqlList, sqlName, sqlText } from '../../../src/answers/engine/sql-text.ts';
import { convertToParquet } from '../../../src/answers/parquet/convert.ts';
import type { ParquetTable } from '../../../src/answers/parquet/parquet-manifest.ts';
import { checkArchive } from '../../../src/history/check/check-archive.ts';
import type { Verdict } from '../../../src/history/check/verdict.ts';
import { referenceCsv } from '../../history/check/reference-csv.ts';
import { zipOf } from '../../history/check/zip-bytes.ts';
import { inFolder, NEVER } from './export-zip.ts';

type Rows = readonly (readonly (string | null)[])[];

let database: Database;
beforeAll(async () => {
  database = await Database.open({ memoryMiB: 256 });
});
afterAll(() => database.close());

type Outcome =
  | { readonly kind: 'converted'; readonly rows: Rows }
  | { readonly kind: 'refused'; readonly error: unknown };

/** What the check says of a CSV, and what becomes of it. */
async function outcomeOf(
  csv: string,
  { table = 'unheard', partBytes = 40 } = {},
): Promise<{ readonly path: string; readonly verdict: Verdict; readonly outcome: Outcome }> {
  return inFolder(async folder => {
    const [path, out] = [join(folder, 'x.zip'), join(folder, 'out')];
    await writeFile(path, zipOf([{ name: `c-${table}-093-000001-000100.csv`, content: csv }]));
    const verdict = await checkArchive(path, {}, { signal: NEVER });
    const outcome = await convertToParquet({ paths: [path], out, signal: NEVER, partBytes }).then(
      async ({ tables: [made] }): Promise<Outcome> => ({
        kind: 'converted',
        rows: made === undefined ? [] : await textsIn(out, made),
      }),
      (error: unknown): Outcome => ({ kind: 'refused', error }),
    );
    return { path, verdict, outcome };
  });
}

/** Byte by byte: of a text of its own the engine's binding leaves out a mark of byte order at the beginning. */
async function textsIn(out: string, { columns, files }: ParquetTable): Promise<Rows> {
  const cells = columns.map(({ name }) => `hex(encode(${sqlName(name)}::VARCHAR))`).join(', ');
  const paths = sqlList(files.map(({ path }) => sqlText(join(out, path))));
  if (files.length === 0) return [];
  const { rows } = await database.all(`SELECT ${cells} FROM read_parquet(${paths}, hive_partitioning = false)`);
  return rows.map(row => row.map(cell => (cell === null ? null : Buffer.from(cell, 'hex').toString('utf8'))));
}

const oddText = fc.oneof(
  fc.constantFrom('', 'a', '\ufeff', '\ufeffa', '"', ',', '\n', '\r', '\r\n', '\n\n', 'x\ry', 'NULL', '\\N'),
  fc.string({ maxLength: 6 }).map(text => text.replaceAll('\0', '')),
);
/** Quoted where it has to be, and sometimes where it has not; NULL is nothing at all. */
const oddField = fc.tuple(fc.option(oddText, { freq: 8 }), fc.boolean()).map(([text, isQuoted]) => {
  if (text === null) return '';
  return isQuoted || /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
});
/** What a row ends with: nearly always the same. */
const rowEnds = fc.oneof(
  { arbitrary: fc.constant(['\n']), weight: 3 },
  { arbitrary: fc.constant(['\r\n']), weight: 3 },
  { arbitrary: fc.constant(['\n', '\r\n']), weight: 2 },
  { arbitrary: fc.constant(['\n', '\n', '\n', '\n', '\n', '\r\n']), weight: 2 },
);
const oddCsv = fc
  .record({
    mark: fc.constantFrom('', '', '', '\ufeff'),
    columns: fc.integer({ min: 1, max: 3 }),
    ends: rowEnds,
    tail: fc.constantFrom('', '', '', '', '\n', '\n\n', '\r\n', '\0', 'x', '"'),
    cutsEnd: fc.constantFrom(false, false, false, false, true),
  })
  .chain(({ mark, columns, ends, tail, cutsEnd }) => {
    const row = fc.tuple(fc.array(oddField, { minLength: columns, maxLength: columns }), fc.constantFrom(...ends));
    return fc.array(row, { maxLength: 12 }).map(rows => {
      const header: (typeof rows)[number] = [['a', 'b', 'c'].slice(0, columns), ends[0] ?? '\n'];
      const text = [header, ...rows].map(([fields, end]) => `${fields.join(',')}${end}`).join('');
      return `${mark}${cutsEnd ? text.slice(0, -1) : text}${tail}`;
    });
  });

const sorted = (rows: Rows): Rows => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

test(
  'A CSV that passes the check comes back from Parquet, or is refused with its file and row',
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(oddCsv, async csv => {
        const { path, verdict, outcome } = await outcomeOf(csv);
        if (verdict.kind !== 'complete') {
          expect(outcome).toMatchObject({ error: { name: 'AnswerError', because: 'untrusted' } });
          expect(outcome).toMatchObject({ error: { message: expect.stringContaining(path) } });
          return;
        }
        const reference = referenceCsv(csv);
        if (reference === 'bad') throw new Error('the check passes what is no CSV');
        const rows = reference.slice(1);
        if (outcome.kind === 'converted') expect(sorted(outcome.rows)).toEqual(sorted(rows));
        else {
          const { error } = outcome;
          expect(error).toMatchObject({
            name: 'AnswerError',
            because: 'untrusted',
            hint: expect.stringContaining('export it again'),
          });
          expect(error).toMatchObject({
            message: expect.stringMatching(/x\.zip: row \d+ of c-unheard-093-000001-000100\.csv ends with a /),
          });
        }
      }),
      { numRuns: 20 },
    ),
);

describe('Mixed line endings', () => {
  test.each<[string, string, string | undefined]>([
    ['line feeds', `h\n1\n2\n`, undefined],
    ['returns', 'h\r\n1\r\n2\r\n', undefined],
    [
      'a line feed behind a header with a return',
      'h\r\n1\n2\n',
      'row 1 of c-unheard-093-000001-000100.csv ends with a line feed only',
    ],
    [
      'returns behind a header with a line feed',
      'h\n1\r\n2\r\n',
      'row 1 of c-unheard-093-000001-000100.csv ends with a carriage return',
    ],
    [
      'a return in the last row',
      'h\n1\n"2\r\n"\n3\r\n',
      'row 3 of c-unheard-093-000001-000100.csv ends with a carriage return',
    ],
  ])('Mixed line endings are reported with the first row that differs: %s', async (_, csv, words) => {
    const { verdict, outcome } = await outcomeOf(csv, { partBytes: 1 << 20 });
    expect(verdict.kind).toBe('complete');
    if (words === undefined) expect(outcome.kind).toBe('converted');
    else expect(outcome).toMatchObject({ error: { because: 'untrusted', message: expect.stringContaining(words) } });
  });
});

const MIB = 1024 * 1024;

/** Text that nothing packs to a thousandth. */
const longText = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

describe('Row length limit', () => {
  test.each([
    [2 * MIB - 10, true],
    [2 * MIB - 4, true],
    [2 * MIB - 2, false],
    [2 * MIB + 2, false],
    [20 * MIB, false],
  ])(
    'A row up to 2 MiB is converted and a longer one is reported: %i bytes in one value',
    async (bytes, isConverted) => {
      for (const value of [longText(bytes), `"${longText(bytes - 4)}\n\n"`]) {
        const { verdict, outcome } = await outcomeOf(`a,b\n1,2\n1,${value}\n3,4\n`, { partBytes: 64 * MIB });
        expect(verdict.kind).toBe('complete');
        if (isConverted) expect(outcome).toMatchObject({ kind: 'converted', rows: { length: 3 } });
        else
          expect(outcome).toMatchObject({
            error: {
              because: 'untrusted',
              message: expect.stringMatching(/x\.zip: row 2 of c-unheard-093-000001-000100\.csv has [\d ]+ bytes$/),
            },
          });
      }
    },
  );
});
