import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printer } from '../../src/cli/output.ts';
import { resultForms } from '../../src/cli/query/result-forms.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { createSink } from '../../src/cli/sink.ts';
import { BLOCKS_SQL, ledgerSql, makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { contextWith, run, TextStream } from './run-command.ts';

let folder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-query-'));
  data = join(folder, 'data');
  await mkdir(data);
  await makeParquetFolder(data, [
    { name: 'ledger', sql: ledgerSql(4) },
    { name: 'blocks', sql: BLOCKS_SQL },
  ]);
});

afterAll(() => rm(folder, { recursive: true }));

const ask = (sql: string, ...words: readonly string[]) => run(['query', sql, data, ...words]);

const ODD = `SELECT 9007199254740993 AS big, 7::INTEGER AS small, ${'9'.repeat(38)}::DECIMAL(38,0) AS amount,
  0.1::DECIMAL(38,18) AS part, 0.1::DOUBLE AS inexact, 'nan'::DOUBLE AS none, unhex('00FF') AS id, NULL AS nothing,
  '' AS empty, 'a"b,c' AS quoted, true AS yes, [1, 2] AS list, TIMESTAMP '2026-10-01 00:00:00.000001' AS at`;

describe('query', () => {
  it('`query` prints a table to stdout and the row count separately', async () => {
    expect(await ask('SELECT ledger_entry_time, account_to_balance AS b, type FROM ledger ORDER BY 1 LIMIT 2')).toEqual(
      {
        code: 0,
        out: 'ledger_entry_time    b  type\n2026-10-01 23:59:59  1  TRANSFER_TYPE_LOSS\n2026-10-02 00:00:00  2  TRANSFER_TYPE_WIN\n',
        err: '2 rows\n',
      },
    );
  });

  it('`query` is exact in every format', async () => {
    expect((await ask(ODD, '-o', 'csv')).out).toBe(
      `big,small,amount,part,inexact,none,id,nothing,empty,quoted,yes,list,at\r\n9007199254740993,7,${'9'.repeat(38)},0.100000000000000000,0.1,NaN,00ff,,"","a""b,c",true,"[1,2]",2026-10-01 00:00:00.000001\r\n`,
    );
    const record = `{"big":"9007199254740993","small":7,"amount":"${'9'.repeat(38)}","part":"0.100000000000000000","inexact":0.1,"none":"NaN","id":"00ff","nothing":null,"empty":"","quoted":"a\\"b,c","yes":true,"list":[1,2],"at":"2026-10-01 00:00:00.000001"}`;
    expect((await ask(ODD, '-o', 'ndjson')).out).toBe(`${record}\n`);
    expect((await ask(ODD, '-o', 'json')).out).toBe(`[\n${record}\n]\n`);
    expect((await ask(ODD)).out.split('\n')[1]).toMatch(
      /^9007199254740993 {6}7 {2}9{38} {2}0\.100000000000000000 .* 00ff +NULL/,
    );
  });

  it.each(['', '\\x', '0x'])('`query` notes that a quoted id (%s...) never equals bytes', async prefix => {
    const id = 'c4'.repeat(32);
    const note = `note: ids are bytes in these tables, so text never equals them. Write unhex('${id}')\n`;
    const where = (condition: string) => ask(`SELECT type FROM ledger WHERE ${condition}`);
    expect((await where(`account_from_id = '${prefix}${id}'`)).err).toBe(`${note}0 rows\n`);
    expect((await where(`account_from_id = unhex('${id}')`)).err).toBe('0 rows\n');
    expect((await where(`lower(hex(account_from_id)) = '${id}'`)).err).toBe('0 rows\n');
  });

  it('`query` gives no note on ids if all ids are text', async () => {
    const asText = join(folder, 'apart', 'text');
    await mkdir(asText, { recursive: true });
    await makeParquetFolder(asText, [
      { name: 'blocks', sql: "SELECT TIMESTAMP '2026-10-01 00:00:00' AS vega_time, 1 AS height, 'ab' AS hash" },
    ]);
    expect((await run(['query', `SELECT height FROM blocks WHERE hash = '${'c4'.repeat(32)}'`, asText])).err).toBe(
      '0 rows\n',
    );
  });

  it('`query` prints valid JSON, whatever the types and column names are', async () => {
    const sql = `SELECT union_value(k := 'x') AS u, union_value(k := NULL::INT) AS v, '-0'::DOUBLE AS zero,
      '-infinity'::DATE AS ever, '12:00'::TIME AS t, 'inf'::FLOAT AS inf, {'a': ''} AS "a""b", 1 AS "__proto__",
      2 AS a, 3 AS a, 4 AS a_2, chr(0) || chr(8238) AS c, 255::UTINYINT AS small`;
    const record =
      '{"u":{"k":"x"},"v":{"k":null},"zero":-0,"ever":"-infinity","t":"12:00:00","inf":"Infinity","a\\"b":{"a":""},"__proto__":1,"a":2,"a_1":3,"a_2":4,"c":"\\u0000\u202e","small":255}';
    const { out } = await ask(sql, '-o', 'ndjson');
    expect(out).toBe(`${record}\n`);
    expect(JSON.parse(out)).toMatchObject({ u: { k: 'x' }, v: { k: null } });
  });

  it('`query` prints an empty result in the requested format', async () => {
    const sql = 'SELECT height, hash FROM blocks WHERE false';
    expect((await ask(sql)).out).toBe('height  hash\n');
    expect((await ask(sql, '-o', 'csv')).out).toBe('height,hash\r\n');
    expect((await ask(sql, '-o', 'json')).out).toBe('[]\n');
    expect((await ask(sql, '-o', 'ndjson')).out).toBe('');
  });

  it.each([
    ['SHOW TABLES', 'name'],
    ['SHOW ALL TABLES', 'name'],
    ['DESCRIBE', 'name'],
    ['FROM duckdb_views() WHERE NOT internal', 'view_name'],
    ['FROM duckdb_views', 'view_name'],
    ['SELECT DISTINCT table_name AS name FROM duckdb_columns() WHERE NOT internal ORDER BY 1', 'name'],
    ['FROM information_schema.tables', 'table_name'],
    ['SELECT DISTINCT table_name AS name FROM information_schema.columns ORDER BY 1', 'name'],
    ['FROM sqlite_master', 'name'],
  ])('`query` lists the exported tables and no internal views: %s', async (sql, name) => {
    const { out } = await ask(sql, '-o', 'ndjson');
    const listed = out
      .trim()
      .split('\n')
      .map((line): unknown => v.parse(v.looseObject({ [name]: v.string() }), JSON.parse(line))[name]);
    expect(listed).toEqual(['blocks', 'ledger']);
  });

  it('`query` loses no column to another of the same name', async () => {
    expect((await ask('SELECT 1::INT AS a, 2::INT AS a, 3::INT AS a_1, 4::INT AS a', '-o', 'ndjson')).out).toBe(
      '{"a":1,"a_2":2,"a_1":3,"a_3":4}\n',
    );
  });

  it('`query` reads the exports in the current folder if it is named by a dot', async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { out, err } = await run(['query', 'SELECT count(*)::INT AS n FROM ledger', '.', '-o', 'csv']);
      expect([out, err]).toEqual(['n\r\n4\r\n', 'reading data\n']);
      process.chdir('data/table=ledger');
      expect(await run(['query', 'SELECT 1', '.'])).toMatchObject({
        code: 2,
        err: /no export found in this folder/,
      });
    } finally {
      process.chdir(before);
    }
  });

  it('`query` reads the exports in a given folder that is not one itself, together with other given ones', async () => {
    const sql = 'SELECT count(*)::INT AS n FROM ledger';
    expect(await run(['query', sql, folder, '-o', 'csv'])).toEqual({
      ...{ code: 0, out: 'n\r\n4\r\n', err: `reading ${data}\n` },
    });
    const [more, at] = [await mkdtemp(join(folder, 'more-')), "TIMESTAMP '2026-10-01 00:00:00' AS vega_time"];
    await mkdir(join(more, 'later'));
    await makeParquetFolder(join(more, 'later'), [{ name: 'rewards', sql: `SELECT ${at}, 1 AS amount` }]);
    const both = 'SELECT (SELECT count(*) FROM ledger)::INT + (SELECT count(*) FROM rewards)::INT AS n';
    expect(await run(['query', both, data, more, '-o', 'csv'])).toMatchObject({
      ...{ code: 0, out: 'n\r\n5\r\n', err: `reading ${data}, ${join(more, 'later')}\n` },
    });
  });

  it('`query` says where the SQL belongs if the files come first', async () => {
    const told = 'is a file, not SQL. Put the SQL first and the file after it.\n  blockglass query "SELECT ..."';
    expect(await run(['query', data])).toMatchObject({ code: 2, err: expect.stringContaining(told) });
    expect(await run(['query', data, 'SELECT 1'])).toMatchObject({ code: 2, err: expect.stringContaining(told) });
  });

  it('`query --tables` lists what can be queried', async () => {
    const { code, out } = await run(['query', '--tables', data]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^blocks: 1 row, blocks 1 to 100, 2026-10-01T00:00:00\.000001Z to 2026-10-01T00:00:00\.000001Z$/m,
    );
    expect(out).toMatch(/^ {2}quantity +DECIMAL\(38,0\) +amount moved, never negative \[asset decimals/m);
    const tables = JSON.parse((await run(['query', '--tables', data, '-o', 'json'])).out);
    expect(tables[1]).toMatchObject({ name: 'ledger', rows: '4', fromBlock: '1', isComplete: true });
    expect(tables[1].columns.find(({ name }: { name: string }) => name === 'type').values.TRANSFER_TYPE_WIN).toBe(
      'final settlement gain',
    );
  });

  it.each([
    ['SELECT quantty FROM ledger', /column "quantty" not found.*"quantity".*\(line 1, at quantty\)/],
    ['SELECT *\nFROM ledgr', /Did you mean "ledger"\? \(line 2, at ledgr\)/],
    ['SELEC 1', /syntax error at or near "SELEC"/],
    ["SELECT 'abc'::INT FROM ledger", /Could not convert string 'abc'/],
    ["SELECT ('\u001b[31m' || type)::INT FROM ledger", /Could not convert string '␛\[31mTRANSFER/],
    ['DROP VIEW ledger', /only read: DROP is not allowed\n {2}try: SELECT, DESCRIBE/],
    ["FROM read_text('/etc/passwd')", /read_text\(\) cannot be used in a query/],
    ["FROM '/etc/passwd'", /Table with name \/etc\/passwd does not exist/],
    ['', /missing argument <sql>/],
  ])('`query` explains what is wrong with %j', async (sql, words) => {
    const { code, out, err } = await ask(sql);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(words);
    expect(err).not.toContain('\u001b');
  });

  it.each([
    [['--memory', '1'], /--memory must be a whole number from 64/],
    [['--threads', '0'], /--threads must be a whole number from 1/],
    [['--timeout', 'x'], /--timeout must be a number/],
    [['-o', 'xml'], /--output must be one of/],
    [['--node', 'x'], /--node is for the history on disk/],
  ])('`query` refuses the flags %j', async (flags, words) => {
    expect(await ask('SELECT 1', ...flags)).toMatchObject({ code: 2, out: '', err: words });
  });

  it('`query` refuses a file that is missing or not an export', async () => {
    expect(await run(['query', 'SELECT 1', join(folder, 'nowhere.zip')])).toMatchObject({
      code: 2,
      err: /nowhere\.zip/,
    });
    for (const words of [
      ['query', 'SELECT 1'],
      ['answer', 'received'],
    ]) {
      const empty = await mkdtemp(join(folder, 'empty-'));
      const taken = 'pass a ZIP file, a folder of slices or of Parquet, or a folder that contains them';
      expect(await run([...words, empty])).toMatchObject({
        code: 2,
        err: `blockglass: no export found in ${empty}\n  try: ${taken}\n`,
      });
      expect(await run([...words, join(empty, 'x')])).toMatchObject({
        code: 2,
        err: `blockglass: there is no ${join(empty, 'x')}\n  try: ${taken}\n`,
      });
    }
  });

  it('`query` reports an answer that breaks off', async () => {
    const sql = "SELECT CASE WHEN range = 300000 THEN error('boom') ELSE 'x' END AS x FROM range(500000)";
    expect(await ask(sql, '-o', 'csv')).toMatchObject({ code: 2, err: /boom/ });
  });

  it('`query` does not read ahead of a slow reader', async () => {
    const stdout = new TextStream();
    const letGo = stdout.hold();
    const { context } = contextWith({ stdout: createSink(stdout) });
    const done = runCommandLine(['query', 'SELECT range AS n FROM range(2000000)', data, '-o', 'csv'], context);
    await expect.poll(() => stdout.text.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(stdout.writableLength).toBeLessThan(100_000);
    letGo();
    expect(await done).toBe(0);
    expect(stdout.text.length).toBe(
      'n\r\n'.length + [...Array(2_000_000).keys()].reduce((sum, n) => sum + String(n).length + 2, 0),
    );
  });

  it('`query` leaves no files behind', async () => {
    await ask('SELECT 1');
    await ask('SELECT nothing');
    const own = new RegExp(`^blockglass-answers-\\w+-${process.pid}-`);
    expect((await readdir(tmpdir())).filter(name => own.test(name))).toEqual([]);
  });
});

/** What a terminal of so many cells is given. */
async function onTerminal(
  cells: number,
  columns: Parameters<typeof resultForms>[0],
  rows: readonly (readonly (string | null)[])[],
  format: 'table' | 'csv' | 'json' = 'table',
) {
  const stream = Object.assign(new TextStream(true), { columns: cells });
  const sink = createSink(stream);
  const writer = printer(format, resultForms(columns, sink), sink);
  await writer.write(rows);
  await writer.end();
  return stream.text;
}

const ID = { name: 'id', type: 'BLOB' };
const AMOUNT = { name: 'amount', type: 'DECIMAL(38,0)' };
const WORDS = { name: 'words', type: 'VARCHAR' };

describe('Query result on a terminal', () => {
  it('A query result fits the terminal: ids keep both ends, texts are cut, and numbers never are', async () => {
    const row = ['ab'.repeat(32), '9'.repeat(38), 'x'.repeat(100)];
    const text = await onTerminal(80, [ID, AMOUNT, WORDS], [row]);
    for (const line of text.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(text).toContain('9'.repeat(38));
    expect(text).toMatch(/^abab\w*\.\.\w*abab {2}9{38} {2}x+…$/m);
  });

  it('A query result cuts times after the second, and names at the end', async () => {
    const columns = ['account_from_id', 'account_to_id'].map(name => ({ name, type: 'BLOB' }));
    const row = ['2026-10-01 00:00:00.000001', 'ab'.repeat(32), 'cd'.repeat(32), '9'.repeat(20), 'TRANSFER_TYPE_WIN'];
    expect(
      await onTerminal(80, [{ name: 'at', type: 'TIMESTAMP' }, ...columns, AMOUNT, WORDS], [row]),
    ).toMatchInlineSnapshot(`
      "at                    account_fr…  account_to…                amount  words
      2026-10-01 00:00:00…  ababa..abab  cdcdc..cdcd  99999999999999999999  TRANSFER…
      "
    `);
  });

  it('A query result is printed as a block of lines per row if even the cut table does not fit', async () => {
    const text = await onTerminal(40, [ID, AMOUNT, WORDS], [['ab'.repeat(32), '9'.repeat(38), null]]);
    expect(text).toMatchInlineSnapshot(`
      "-- 1 --
      id      abababababababababababababababab
              abababababababababababababababab
      amount  99999999999999999999999999999999
              999999
      words   NULL
      "
    `);
  });

  it('A query result contains no control character in any format', async () => {
    const hostile = '\u001b]0;x\u0007\r\n\u202e\u009b2J';
    for (const format of ['table', 'csv', 'json'] as const) {
      const text = await onTerminal(80, [{ name: hostile, type: 'VARCHAR' }], [[hostile]], format);
      expect(text.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it('A query result that is a plan keeps the lines it is drawn in', async () => {
    const columns = ['explain_key', 'explain_value'].map(name => ({ name, type: 'VARCHAR' }));
    expect(await onTerminal(80, columns, [['physical_plan', '┌─┐\n└─┘\n']])).toBe('┌─┐\n└─┘\n');
  });
});
