import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerError } from '../../../src/answers/engine/answer-error.ts';
import { Database } from '../../../src/answers/engine/database.ts';
import { loadEngine, requireEngine } from '../../../src/answers/engine/load-engine.ts';
import { sqlName, sqlText } from '../../../src/answers/engine/sql-text.ts';

/** Each test leaves it fit for the next one, whatever it has asked. */
let database: Database;
let folder: string;

beforeAll(async () => {
  database = await Database.open({ memoryMiB: 128 });
  folder = await mkdtemp(join(tmpdir(), 'blockglass-engine-'));
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const NINES = '9'.repeat(38);

test.each([
  [`${NINES}::DECIMAL(38,0)`, NINES],
  [`-${NINES}::DECIMAL(38,0)`, `-${NINES}`],
  ["'0.000000000000000001'::DECIMAL(38,18)", '0.000000000000000001'],
  ["'-0.5'::DECIMAL(38,18)", '-0.500000000000000000'],
  ["'170141183460469231731687303715884105727'::HUGEINT", '170141183460469231731687303715884105727'],
  [`'${'9'.repeat(60)}'::BIGNUM`, '9'.repeat(60)],
  ['9223372036854775807::BIGINT', '9223372036854775807'],
  ["unhex('00ff0a')", '00ff0a'],
  ["TIMESTAMP '2026-10-01 00:00:00.123456'", '2026-10-01 00:00:00.123456'],
  ["''", ''],
  ['NULL', null],
  ['true', 'true'],
  ["'-0'::DOUBLE", '-0'],
  ["'-0'::FLOAT", '-0'],
  ["['-0'::DOUBLE, 0]", '["-0",0]'],
  ["'-170141183460469231731687303715884105728'::HUGEINT", '-170141183460469231731687303715884105728'],
  ["'340282366920938463463374607431768211455'::UHUGEINT", '340282366920938463463374607431768211455'],
  ['(-0.05)::DECIMAL(3,2)', '-0.05'],
  ["'infinity'::DATE", 'infinity'],
  ["'-infinity'::DATE", '-infinity'],
  ["'infinity'::TIMESTAMP", 'infinity'],
  ["'-infinity'::TIMESTAMPTZ", '-infinity'],
  ["'infinity'::TIMESTAMP_S", 'infinity'],
  ["'-infinity'::TIMESTAMP_MS", '-infinity'],
  ["'infinity'::TIMESTAMP_NS", 'infinity'],
  ["[DATE 'infinity']", '["infinity"]'],
  ["DATE '5881580-07-10'", '5881580-07-10'],
  ["TIMESTAMP_NS '2262-04-11 23:47:16.854775806'", '2262-04-11 23:47:16.854775806'],
  ["TIMESTAMPTZ '2026-01-01 00:00:00.000001+05'", '2025-12-31 19:00:00.000001+00'],
  ["INTERVAL '-1 year 2 months -3 days 04:05:06.000007'", '-10 months -3 days 04:05:06.000007'],
  ["union_value(k := 'x')", '{"k":"x"}'],
  ['union_value(k := NULL::INT)', '{"k":null}'],
  ['union_value(k := 9223372036854775807)', '{"k":"9223372036854775807"}'],
  ["{'a': NULL, 'constructor': 1}", '{"a":null,"constructor":1}'],
])('The database returns the exact value of %s', async (sql, text) => {
  expect((await database.all(`SELECT ${sql} AS v`)).rows).toEqual([[text]]);
});

test.each([
  ['row(1, 2)'],
  ['[row(1, 2)]'],
  ['MAP {row(1, 2): 3}'],
  ['union_value(k := row(1, 2))'],
  ["{'a': row(1, 2)}"],
  ["{'__proto__': 1, 'a': 2}"],
  ["make_type('INTEGER')"],
])('The database refuses a value that it cannot return without loss: %s', async sql => {
  await expect(database.all(`SELECT ${sql} AS v`)).rejects.toBeInstanceOf(AnswerError);
  await expect(database.stream(`SELECT ${sql} AS v`)).rejects.toBeInstanceOf(AnswerError);
  expect((await database.all('SELECT 1 AS a')).rows).toEqual([['1']]);
});

test('A streamed result of any length arrives in parts, in order', async () => {
  const { columns, parts } = await database.stream('SELECT range::BIGINT AS n FROM range(10000)');
  expect(columns).toEqual([{ name: 'n', type: 'BIGINT' }]);
  let next = 0;
  let count = 0;
  for await (const part of parts) {
    count++;
    for (const [n] of part) expect(n).toBe(String(next++));
  }
  expect(next).toBe(10_000);
  expect(count).toBeGreaterThan(1);
});

test.each([
  ["SELECT CASE WHEN range = 1500000 THEN error('boom') ELSE range::VARCHAR END AS x FROM range(2000000)", /boom/],
  [
    "SELECT CASE WHEN range = 1500000 THEN 'x' ELSE range::VARCHAR END::INT AS x FROM range(2000000)",
    /Could not convert/,
  ],
  [
    'SELECT 10::DECIMAL(38,0) ** 0 * (CASE WHEN range = 1500000 THEN 0 ELSE 1 END) / 1 AS x, (SELECT max(r) FROM range(2) t(r)), CASE WHEN range = 1500000 THEN 128 ELSE 1 END::TINYINT FROM range(2000000)',
    /out of range/,
  ],
])('A result that fails after its first rows never passes for a complete one: %s', async (sql, words) => {
  const { parts } = await database.stream(sql);
  let rows = 0;
  const reading = (async () => {
    for await (const part of parts) rows += part.length;
  })();
  await expect(reading).rejects.toThrow(words);
  expect(rows).toBeGreaterThan(100_000);
  expect((await database.all('SELECT 1 AS a')).rows).toEqual([['1']]);
});

test('An interrupted result never passes for a complete one', async () => {
  const control = new AbortController();
  const { parts } = await database.stream('SELECT range FROM range(1000000000)', control.signal);
  await parts.next();
  control.abort(new Error('enough'));
  await expect(parts.next()).rejects.toThrow('enough');
});

test('A result ended by another statement never passes for a complete one', async () => {
  const { parts } = await database.stream('SELECT range FROM range(100000)');
  await parts.next();
  await database.all('SELECT 1');
  const reading = (async () => {
    for await (const part of parts) expect(part.length).toBeGreaterThan(0);
  })();
  await expect(reading).rejects.toThrow('this result is incomplete');
});

test('A result that is not read to its end blocks no other statement', async () => {
  for (let count = 0; count < 3; count++) await (await database.stream('SELECT range FROM range(100000)')).parts.next();
  expect((await database.all('SELECT 1 AS a')).rows).toEqual([['1']]);
});

test.each([
  'CREATE TABLE t (a INT)',
  'PREPARE p AS SELECT 1',
  'SET threads = 1',
  'BEGIN',
  'CHECKPOINT',
  'SELECT 1; SELECT 2',
])('The database does not stream this statement: %s', async sql => {
  await expect(database.stream(sql)).rejects.toThrow(AnswerError);
  expect((await database.all("SELECT count(*) FROM duckdb_tables() WHERE table_name = 't'")).rows).toEqual([['0']]);
});

test.each([
  ["TIMESTAMPTZ '2026-10-01 00:00:00.5+02'", '2026-09-30 22:00:00.5+00'],
  ['[1, NULL, 2::BIGINT]', '["1",null,"2"]'],
  ["['a\"b', NULL, '']", '["a\\"b",null,""]'],
  ["{'a': 1, 'b c': [unhex('ff')]}", '{"a":1,"b c":["ff"]}'],
  ["MAP {'k': 1.5::DECIMAL(38,18)}", '[{"key":"k","value":"1.500000000000000000"}]'],
  ["[[1.5::DOUBLE, 'nan'::DOUBLE], []]", '[[1.5,"NaN"],[]]'],
])('The database returns %s as %s', async (sql, text) => {
  expect((await database.all(`SELECT ${sql} AS v`)).rows).toEqual([[text]]);
});

test('Names and texts with any characters can be quoted in SQL', async () => {
  for (const text of ["it's", '"quoted"', "''", 'a\nb', '\\', '$1', 'é𝄞'])
    expect(await database.all(`SELECT ${sqlText(text)} AS ${sqlName(text)}`)).toEqual({
      columns: [{ name: text, type: 'VARCHAR' }],
      rows: [[text]],
    });
});

test('A sealed engine opens only the given files, and its seal cannot be broken', async () => {
  const [named, other] = [join(folder, "it's named.csv"), join(folder, 'other.csv')];
  for (const path of [named, other]) await writeFile(path, 'a\n1\n');
  const sealed = await Database.open({ memoryMiB: 128 });
  await sealed.seal([named]);
  expect((await sealed.all(`SELECT a FROM read_csv(${sqlText(named)})`)).rows).toEqual([['1']]);
  for (const sql of [
    `SELECT * FROM read_csv(${sqlText(other)})`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM glob(${sqlText(`${folder}/*`)})`,
    `COPY (SELECT 2) TO ${sqlText(other)}`,
    `ATTACH ${sqlText(join(folder, 'new.db'))}`,
    `EXPORT DATABASE ${sqlText(folder)}`,
    `SELECT * FROM 'http://127.0.0.1:9/x.csv'`,
    `INSTALL httpfs`,
    `LOAD httpfs`,
    `SET enable_external_access = true`,
    `SET allowed_paths = ['/etc/passwd']`,
    `SET memory_limit = '8GB'`,
    `SET lock_configuration = false`,
  ])
    await expect(sealed.run(sql), sql).rejects.toThrow(AnswerError);
  expect(await readFile(other, 'utf8')).toBe('a\n1\n');
  await sealed.close();
});

test('An abort ends a statement that would run for hours', async () => {
  const control = new AbortController();
  const endless = database.run('SELECT count(*) FROM range(1e15::BIGINT) a, range(1e15::BIGINT) b', control.signal);
  control.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
  expect((await database.all('SELECT 1 AS a')).rows).toEqual([['1']]);
});

test('A statement that needs more memory than allowed ends with an out-of-memory message', async () => {
  const hungry = database.all('SELECT range AS a, random() AS b FROM range(100000000) ORDER BY b');
  await expect(hungry).rejects.toThrow(/^Out of Memory/);
});

test('The parser tells text from SQL without resolving the names in it', async () => {
  await database.parse('SELECT nothing FROM nowhere; DROP TABLE nowhere');
  await expect(database.parse('SELEC 1')).rejects.toThrow('syntax error at or near "SELEC" (line 1, at SELEC)');
});

test('A missing engine is reported in one sentence that says how to install it', () => {
  expect(() => requireEngine(false)).toThrow(
    expect.objectContaining({
      message: 'this needs DuckDB, which is not installed',
      hint: 'install it next to blockglass: npm install -g @duckdb/node-api',
    }),
  );
});

test('An installed engine that cannot be loaded reports the reason', async () => {
  await expect(loadEngine(() => Promise.reject(new Error('libstdc++.so.6: no such file')))).rejects.toMatchObject({
    message: 'DuckDB cannot be loaded: libstdc++.so.6: no such file',
    hint: 'install it next to blockglass: npm install -g @duckdb/node-api',
  });
});
