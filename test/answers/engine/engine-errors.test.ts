import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../../src/answers/engine/database.ts';
import { toAnswerError, toExportValueError } from '../../../src/answers/engine/engine-errors.ts';

let folder = '';
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-words-'));
  database = await opened({ spillTo: join(folder, 'spill'), spillMiB: 1 });
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

async function opened(more: { readonly spillTo?: string; readonly spillMiB?: number }): Promise<Database> {
  const made = await Database.open({ memoryMiB: 64, threads: 1, ...more });
  await made.run("CREATE TABLE ledger AS SELECT n, 'a' AS type FROM range(500) AS t(n)");
  await made.seal([]);
  return made;
}

const numbers = Array.from({ length: 400 }, (_, index) => index).join(', ');
const LARGE = `${'9'.repeat(38)}::HUGEINT`;
const SORTED = 'SELECT md5(n::VARCHAR) AS m FROM range(3000000) AS t(n) ORDER BY m';

/** Questions that the engine answers with advice of its own, and a word of ours that stands in its place. */
const ADVISED: readonly (readonly [sql: string, hint: string])[] = [
  ['SELECT list(n) FROM range(100000000) AS t(n)', '--memory'],
  [SORTED, 'TMPDIR'],
  [`SELECT ${'1 + '.repeat(2000)}1`, 'fewer levels'],
  [
    `SELECT * FROM ledger PIVOT (count(*) FOR n IN (${numbers}) type IN (${numbers.replaceAll(/\d+/g, "'$&'")}))`,
    'GROUP BY',
  ],
  ["SELECT * FROM ledger ORDER BY 'n'", 'without quotes'],
  ['SELECT (SELECT n FROM ledger)', 'one row'],
  ['SELECT st_point(1, 2)', 'extensions are not loaded'],
  ["SELECT '127.0.0.1'::INET", 'extensions are not loaded'],
  ["SELECT current_setting('s3_region')", 'extensions are not loaded'],
  ["SELECT 'POINT(1 1)'::GEOMETRY('nope')", 'extensions are not loaded'],
  ["SELECT * FROM 'other.csv'", 'only the exports on the command line'],
  ['SELECT * FROM ledger.parquet', 'only the exports on the command line'],
  ["SELECT * FROM 'https://127.0.0.1/a.parquet'", 'only the exports on the command line'],
  ['SELECT * FROM orders', 'blockglass query --tables'],
  ["SELECT * FROM '/etc/passwd'", 'blockglass query --tables'],
  ['SELECT FROM ledger WHERE', '"double quotes"'],
  ["SELECT * FROM ledger WHERE n = 'x'", 'TRY_CAST'],
  [`SELECT ${LARGE} + ${LARGE} + ${LARGE}`, 'BIGNUM'],
];

/** Settings that are locked, what would load an extension, and tables of the engine itself. */
const CANNOT_BE_FOLLOWED =
  /\b(?:SET|PRAGMA|INSTALL|LOAD)\b|temp_directory|memory_limit|configuration option|auto-?load|[Ll]oad an extension|Did you mean "(?:pg_|duckdb_)/;

test.each(ADVISED)('An engine hint never gives advice that cannot be followed: %.60s', async (sql, hint) => {
  const asked = database.all(sql);
  await expect(asked).rejects.toMatchObject({ name: 'AnswerError', hint: expect.stringContaining(hint) });
  const told = await asked.catch((error: unknown) => error);
  expect(`${String(told)} ${JSON.stringify(told)}`).not.toMatch(CANNOT_BE_FOLLOWED);
});

test('Unparsable SQL gives the same message and hint when it is checked before the run', async () => {
  await expect(database.parse('SELECT FROM ledger WHERE')).rejects.toMatchObject({
    message: expect.stringMatching(/^Parser Error: syntax error/),
    hint: expect.stringContaining('"double quotes"'),
  });
});

test('An engine hint does not suggest a setting for the temporary folder when there is none', async () => {
  const without = await opened({});
  await expect(without.all(SORTED)).rejects.toMatchObject({
    message: expect.stringMatching(/^Out of Memory Error: .*used\)$/),
    hint: expect.stringContaining('--memory'),
  });
  without.close();
});

test('The engine message says what happened, whatever the SQL contains, and passes on a suggested name', async () => {
  await expect(database.all("SELECT error('SET x PRAGMA y')")).rejects.toThrow('Invalid Input Error: SET x PRAGMA y');
  await expect(database.all('SELECT * FROM ledgr')).rejects.toThrow('Did you mean "ledger"? (line 1, at ledgr)');
  expect(toAnswerError(new Error('')).message).toBe('');
});

test('A value that does not fit its column is blamed on the exports when the program wrote the SQL', () => {
  const engine = toAnswerError(new Error('Conversion Error: invalid timestamp field format: "0"'));
  expect(toExportValueError(engine)).toMatchObject({
    because: 'untrusted',
    message: expect.stringContaining('the exports have a value that does not fit its column: Conversion Error'),
    hint: 'check the exports: blockglass verify FILES',
  });
  const other = toAnswerError(new Error('Out of Memory Error: no room'));
  expect(toExportValueError(other)).toBe(other);
});
