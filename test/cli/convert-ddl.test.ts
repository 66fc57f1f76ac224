import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIALECTS } from '../../src/answers/ddl/statements.ts';
import { EXPORT_TABLES } from '../../src/history/plan/export-tables.ts';
import { makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { run } from './run-command.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  const sql = "SELECT 1::DECIMAL(38,4) AS quantity, TIMESTAMP '2026-10-01' AS vega_time";
  await makeParquetFolder(folder, [
    { name: 'ledger', sql },
    { name: 'blocks', sql: "SELECT TIMESTAMP '2026-10-01' AS vega_time", isComplete: false },
  ]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const ddl = (...words: readonly string[]) => run(['convert', ...words]);

describe('convert --ddl', () => {
  it.each(Object.keys(DIALECTS))('`convert --ddl %s` prints the tables of a folder as they are', async engine => {
    const { code, out, err } = await ddl('--ddl', engine, folder);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^-- Blocks 1 to 100 of demo-chain, NOT COMPLETE\.$/m);
    expect(out).toContain(`${folder}/table=ledger`);
    expect(out.split('\n').filter(line => /^CREATE/.test(line))).toHaveLength(2);
  });

  it('`convert --ddl` supports every table before it is exported', async () => {
    for (const { id } of EXPORT_TABLES) expect((await ddl('--ddl', 'trino', '--table', id)).code).toBe(0);
    const { out } = await ddl('--ddl', 'trino', '--table', 'ledger');
    expect(out).toContain("external_location = 's3://BUCKET/PREFIX/table=ledger'");
  });

  it.each([
    [['--ddl'], 2, /--ddl needs a value: --ddl ENGINE/],
    [['--table', 'ledger', '/nowhere'], 2, /--table needs --ddl ENGINE/],
    [['--ddl', 'spark', '/nowhere', '--out', '/else'], 2, /--out cannot be used with --ddl/],
    [['--ddl', 'spark', '/nowhere', '-o', 'json'], 2, /--output cannot be used with --ddl/],
    [['--ddl', 'spark', '/nowhere', '/else'], 2, /unexpected argument "\/else"/],
    [['--ddl', 'sparc'], 2, /not "sparc"; did you mean "spark"\?/],
    [['--ddl', 'spark'], 2, /missing a folder or --table TABLE\. Usage: blockglass convert --ddl/],
    [['--ddl', 'spark', '/nowhere'], 2, /is not a folder of Parquet written by blockglass/],
    [['--ddl', 'spark', 's3://history/it'], 2, /is not a folder of Parquet written by blockglass/],
    [['--ddl', 'spark', '--table', 'ledgers'], 2, /did you mean "ledger"/],
  ])('`convert --ddl` refuses %j', async (words, code, problem) => {
    const ran = await ddl(...words);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toMatch(problem);
  });

  it('`convert --ddl` lists the available tables if another one is requested', async () => {
    const ran = await ddl('--ddl', 'spark', folder, '--table', 'trades');
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringMatching(/no table trades\n {2}try: it has these: ledger, blocks/),
    ]);
  });
});
