import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOCKS_SQL, makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { run } from './run-command.ts';

let folder = '';
let parquet = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  parquet = join(folder, 'parquet');
  await makeParquetFolder(parquet, [
    { name: 'blocks', sql: BLOCKS_SQL },
    {
      name: 'rewards',
      sql: "SELECT unhex('ab') AS party_id, unhex('cd') AS asset_id, 20::BIGINT AS epoch_id, 5::DECIMAL(38,0) AS amount, TIMESTAMP '2026-10-01' AS vega_time",
    },
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const answer = (...words: readonly string[]) => run(['answer', 'rewards', ...words]);

describe('answer --for', () => {
  it('`answer --for` prints one statement, and its notes separately', async () => {
    const { code, out, err } = await answer(parquet, '--for', 'trino', '--whole');
    expect(code).toBe(0);
    expect(err).toMatch(/^note: range: everything in the files$/m);
    expect(
      out,
    ).toBe(`SELECT lower(to_hex("party_id")) AS party, lower(to_hex("asset_id")) AS asset, "epoch_id" AS epoch,
  coalesce(sum(CAST("amount" AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS amount, count(*) AS payouts
FROM hive.default."rewards"
GROUP BY 1, 2, 3
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST;
`);
  });

  it.each([
    [['--for', 'sparc'], /--for must be one of duckdb, spark, trino, clickhouse, not "sparc"; did you mean "spark"\?/],
    [['--for', 'athena'], /--for must be one of duckdb, spark, trino, clickhouse, not "athena"/],
  ])('`answer --for` refuses %j', async (words, problem) => {
    const ran = await answer(parquet, ...words);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err).toMatch(problem);
  });

  it('`answer --for` needs exactly one Parquet folder', async () => {
    const other = join(folder, 'other');
    await makeParquetFolder(other, [{ name: 'trades', sql: "SELECT TIMESTAMP '2026-10-01' AS vega_time" }]);
    const ran = await answer(parquet, other, '--for', 'spark');
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err).toContain('--for needs one folder of Parquet, not 2 exports. Make one with blockglass convert');
  });
});
