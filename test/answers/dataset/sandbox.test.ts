import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamQuery } from '../../../src/answers/dataset/check-query.ts';
import { type Dataset, openDataset } from '../../../src/answers/dataset/open-dataset.ts';
import { ledgerSql, makeParquetFolder } from './parquet-fixture.ts';

let folder: string;
let data: string;
let file: string;
let dataset: Dataset;
let server: Server;
let requests = 0;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-sandbox-'));
  data = join(folder, 'data');
  await mkdir(data);
  const { tables } = await makeParquetFolder(data, [{ name: 'ledger', sql: ledgerSql(4) }]);
  file = join(data, tables[0]?.files[0]?.path ?? '');
  await writeFile(join(folder, 'secret.csv'), 'secret\n1\n');
  await symlink(join(folder, 'secret.csv'), join(data, 'link.csv'));
  server = createServer((_, response) => {
    requests++;
    response.end('a\n1\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  address = typeof at === 'object' && at !== null ? `127.0.0.1:${at.port}` : '';
  dataset = await openDataset({ paths: [data], signal: new AbortController().signal });
});

afterAll(async () => {
  await dataset.close();
  await new Promise(resolve => server.close(resolve));
  await rm(folder, { recursive: true });
});

/** Asks, and reads the answer to its end. */
async function ask(sql: string) {
  const { parts } = await streamQuery(dataset.database, sql, new AbortController().signal);
  const rows: (readonly (string | null)[])[] = [];
  for await (const part of parts) rows.push(...part);
  return rows;
}

/** SQL with places for: a secret beside the data, the file of the data itself, a link in its folder, a new file, an address. */
const filled = (sql: string): string =>
  sql
    .replaceAll('SECRET', join(folder, 'secret.csv'))
    .replaceAll('FILE', file)
    .replaceAll('LINK', join(data, 'link.csv'))
    .replaceAll('NEW', join(folder, 'new'))
    .replaceAll('ADDRESS', address);

const STATEMENTS = [
  "COPY ledger TO 'NEW.csv'",
  "COPY ledger TO 'FILE' (FORMAT parquet, USE_TMP_FILE false)",
  "COPY (SELECT 1) TO '/dev/stdout'",
  "COPY ledger FROM 'SECRET'",
  "EXPORT DATABASE 'NEW'",
  "IMPORT DATABASE 'NEW'",
  "ATTACH 'NEW.db'",
  "ATTACH 'SECRET' AS s (READ_ONLY)",
  "ATTACH 'FILE' AS s",
  'DETACH memory',
  'USE memory',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD 'NEW.duckdb_extension'",
  'FORCE INSTALL spatial FROM community',
  'UPDATE EXTENSIONS',
  "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'CREATE TABLE t AS SELECT 1',
  'CREATE TEMP TABLE t AS SELECT 1',
  'CREATE OR REPLACE VIEW ledger AS SELECT 1',
  'CREATE MACRO f() AS 1',
  "CREATE TYPE e AS ENUM ('a')",
  'CREATE SEQUENCE s',
  'INSERT INTO ledger VALUES (1)',
  'UPDATE ledger SET quantity = 0',
  'DELETE FROM ledger',
  'TRUNCATE ledger',
  'MERGE INTO ledger USING ledger l ON true WHEN MATCHED THEN DELETE',
  'DROP VIEW ledger',
  'ALTER VIEW ledger RENAME TO l',
  "COMMENT ON VIEW ledger IS 'x'",
  'SET memory_limit = 1000000000000',
  'SET enable_external_access = true',
  "SET allowed_paths = ['/etc/passwd']",
  "SET temp_directory = 'NEW'",
  "SET log_query_path = 'NEW'",
  'SET VARIABLE x = 1',
  'RESET lock_configuration',
  'PRAGMA enable_profiling',
  "PRAGMA profiling_output = 'NEW'",
  "PRAGMA memory_limit = '1TB'",
  'PRAGMA version',
  "PRAGMA import_database('NEW')",
  "PRAGMA copy_database('memory', 'x')",
  'CALL enable_logging()',
  "CALL pragma_table_info('ledger')",
  'CHECKPOINT',
  'VACUUM',
  'ANALYZE',
  'BEGIN',
  'COMMIT',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'DEALLOCATE p',
  "EXPLAIN ANALYZE COPY ledger TO 'FILE' (FORMAT parquet, USE_TMP_FILE false)",
  "EXPLAIN (ANALYZE) COPY ledger TO 'NEW'",
  'EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1',
  "-- SELECT\nEXPLAIN ANALYZE COPY ledger TO 'NEW'",
  "/* x */ EXPLAIN ANALYZE COPY ledger TO 'NEW'",
  "EXPLAIN /* x */ ANALYZE COPY ledger TO 'NEW'",
  "EXPLAIN (FORMAT ')') COPY ledger TO 'NEW'",
  "SELECT 1; COPY ledger TO 'NEW'",
  'SELECT 1; SELECT 2',
  "; COPY ledger TO 'NEW'",
  'WITH x AS (DELETE FROM ledger RETURNING *) SELECT * FROM x',
  'SELECT * INTO t FROM ledger',
  'PIVOT ledger ON type',
  '',
  ';',
  '-- nothing',
  'SELECT 1\0; DROP VIEW ledger',
  '.read SECRET',
  '\\! touch NEW',
];

const READING = [
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/etc/passwd')",
  "SELECT * FROM read_csv('SECRET')",
  "SELECT * FROM read_csv_auto('SECRET')",
  "SELECT * FROM read_json('SECRET')",
  "SELECT * FROM read_json_objects('SECRET')",
  "SELECT * FROM read_ndjson('SECRET')",
  "SELECT * FROM read_parquet('/etc/passwd')",
  "SELECT * FROM parquet_scan('NEW')",
  "SELECT * FROM read_duckdb('SECRET')",
  "SELECT * FROM sniff_csv('SECRET')",
  "SELECT * FROM parquet_metadata('SECRET')",
  "SELECT * FROM parquet_schema('SECRET')",
  "SELECT * FROM parquet_kv_metadata('SECRET')",
  "SELECT * FROM parquet_bloom_probe('SECRET', 'a', 1)",
  "SELECT * FROM glob('/*')",
  "SELECT * FROM read_blob('FILE')",
  "SELECT * FROM read_text('LINK')",
  "SELECT * FROM READ_TEXT('LINK')",
  'SELECT * FROM "read_text"(\'LINK\')',
  "SELECT * FROM main.read_text('LINK')",
  "SELECT * FROM system.main.read_text('LINK')",
  "FROM read_text('LINK')",
  "SELECT (SELECT content FROM read_text('LINK'))",
  "WITH a AS (FROM read_text('LINK')) FROM a",
  "SELECT 1 WHERE EXISTS (FROM read_text('LINK'))",
  "SELECT * FROM ledger, LATERAL (SELECT * FROM read_text('LINK'))",
  "SELECT * FROM ledger ORDER BY (SELECT content FROM read_text('LINK'))",
  "SELECT [x for x in (SELECT list(content) FROM read_text('LINK'))]",
  "DESCRIBE FROM read_csv('LINK')",
  "SUMMARIZE FROM read_csv('LINK')",
  "EXPLAIN ANALYZE FROM read_text('LINK')",
  "PIVOT read_csv('LINK') ON secret IN (1) USING count(*)",
  "FROM '/etc/passwd'",
  "FROM 'SECRET'",
  "FROM 'LINK'",
  'SELECT * FROM "SECRET"',
  "SUMMARIZE 'SECRET'",
  "FROM 'http://ADDRESS/x.csv'",
  "FROM read_csv('http://ADDRESS/x.csv')",
  "FROM read_text('https://ADDRESS/x')",
  "FROM 's3://ADDRESS/x.parquet'",
  "FROM read_text('file:///etc/passwd')",
  "FROM read_text('file://localhost/etc/passwd')",
  "FROM read_text('/dev/stdin')",
  "FROM read_text('/proc/self/environ')",
  "FROM read_text('/proc/self/fd/0')",
  "FROM read_csv(['FILE', 'SECRET'])",
  "SELECT getenv('HOME')",
  "FROM query('FROM read_text(''LINK'')')",
  "FROM query_table('SECRET')",
  "FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''LINK'')'))",
  "FROM which_secret('s3://x', 's3')",
  'FROM duckdb_secrets()',
  'FROM duckdb_extensions()',
  "FROM enable_logging(storage => 'file', storage_path => 'NEW')",
  "FROM enable_logging(storage => 'stdout')",
  "FROM Enable_Logging(level => 'debug', storage => 'stdout')",
  "FROM enable_profiling(format => 'json', save_location => 'NEW.json')",
  'FROM enable_profiling()',
  'FROM disable_profiling()',
  'FROM enable_peg_parser()',
  'FROM truncate_duckdb_logs()',
  'FROM checkpoint()',
  'FROM force_checkpoint()',
  'FROM seq_scan()',
  'FROM arrow_scan(0, 0, 0)',
  'FROM test_all_types()',
  "FROM sql_auto_complete('SEL')",
  "SELECT decode(unhex('ff'))",
  'SELECT $1',
  'SELECT ?',
];

/** With half a million levels each ends the process of the engine, and that alone. */
const DEEP = "repeat('[', 10) || repeat(']', 10)";
const DEEPER = [
  `SELECT json_structure(${DEEP})`,
  `SELECT json_merge_patch(${DEEP}, '{}')`,
  `SELECT json_contains(${DEEP}, '[]')`,
  `SELECT (${DEEP})::JSON::VARIANT::VARCHAR`,
];

/** Why a statement is refused: before it runs, by what it is. */
const NOT_READING =
  /^a query can only read: [A-Z]+ is not allowed$|^the query has 2 statements$|^PIVOT needs|^the query is empty$|NUL character|^Parser Error|^Invalid Input Error: "\)" is not/;

/** Why something is not read: it is no table, or none of a function's business. */
const NOT_THERE =
  /^\w+\(\) cannot be used in a query$|^Catalog Error: .* does not exist|^Invalid Input Error: (?:Values were not provided)|^Conversion Error: Failure in decode|^Permission Error: Cannot access .* disabled by configuration|^Parser Error/;

describe('SQL query sandbox', () => {
  test.each(STATEMENTS)('A SQL query that does more than read is refused: %j', async sql => {
    const error: unknown = await ask(filled(sql)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'AnswerError', because: 'usage', message: expect.stringMatching(NOT_READING) });
  });

  test.each(READING)('A SQL query reads nothing but the tables: %j', async sql => {
    const error: unknown = await ask(filled(sql)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'AnswerError', because: 'usage', message: expect.stringMatching(NOT_THERE) });
  });

  test.each(DEEPER)('A SQL query can traverse JSON: %j', async sql => {
    expect(await ask(sql)).toHaveLength(1);
  });

  test('A SQL query cannot plan SQL that has not been checked', async () => {
    const error: unknown = await ask("SELECT json_serialize_plan('FROM enable_logging()')").catch(reason => reason);
    expect(error).toMatchObject({
      name: 'AnswerError',
      message: expect.stringMatching(/^json_serialize_plan\(\) is not allowed/),
    });
  });

  test('The sandboxed queries have reached nothing else and changed nothing', async () => {
    expect(requests).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(['data', 'secret.csv']);
    expect(await readFile(join(folder, 'secret.csv'), 'utf8')).toBe('secret\n1\n');
    expect(await ask('SELECT count(*), max(quantity) FROM ledger')).toEqual([['4', '9'.repeat(38)]]);
    expect(await ask('SELECT count(*) FROM duckdb_tables() WHERE NOT internal')).toEqual([['0']]);
    expect(
      await ask(
        "SELECT value FROM duckdb_settings() WHERE name IN ('enable_external_access', 'lock_configuration', 'TimeZone') ORDER BY name",
      ),
    ).toEqual([['UTC'], ['false'], ['true']]);
  });

  test.each([
    'SELECT 1',
    'FROM ledger',
    'TABLE ledger',
    'VALUES (1), (2)',
    '(SELECT 1) UNION ALL (SELECT 2)',
    'WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 5) FROM a;',
    'DESCRIBE ledger',
    'DESCRIBE SELECT 1',
    'SHOW TABLES',
    'SUMMARIZE ledger',
    'EXPLAIN SELECT 1',
    'EXPLAIN ANALYZE SELECT count(*) FROM ledger',
    'EXPLAIN (ANALYZE, FORMAT json) SELECT 1',
    "PIVOT ledger ON type IN ('TRANSFER_TYPE_WIN') USING sum(quantity)",
    'UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b',
    'FROM range(3)',
    "SELECT * FROM ledger, generate_series(1, 2) WHERE type LIKE '%;DROP%' OR true -- ; COPY",
    'SELECT hex(account_from_id), unnest([1, 2]) FROM ledger WHERE "date" = DATE \'2026-10-01\'',
    "FROM json_each('[1,2]')",
    `SELECT '{"a":{"b":1}}'::JSON ->> '$.a.b', json_keys('{"a":1}'), json_pretty('[]')`,
    '\n -- first\nSELECT 1',
    '/* a /* b */ c */ SELECT 1',
  ])('A read-only SQL query is allowed: %j', async sql => {
    expect((await ask(sql)).length).toBeGreaterThan(0);
  });
});
