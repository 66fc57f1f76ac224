import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../src/answers/engine/database.ts';
import { sqlName, sqlText } from '../../../src/answers/engine/sql-text.ts';
import {
  PARQUET_MANIFEST,
  type ParquetManifest,
  type ParquetTable,
} from '../../../src/answers/parquet/parquet-manifest.ts';

export interface FixtureTable {
  readonly name: string;
  /** What it holds; it has a `vega_time`. */
  readonly sql: string;
  readonly fromBlock?: number;
  readonly toBlock?: number;
  readonly isComplete?: boolean;
  readonly notes?: readonly string[];
}

export interface FixtureOptions extends Partial<Pick<ParquetManifest, 'chainId' | 'finished'>> {
  /** The engine that writes the files; one of its own unless named. */
  readonly engine?: Database;
}

/** Makes a folder of Parquet as `blockglass convert` does, by the engine itself. */
export async function makeParquetFolder(
  folder: string,
  tables: readonly FixtureTable[],
  { engine, ...members }: FixtureOptions = {},
): Promise<ParquetManifest> {
  const database = engine ?? (await Database.open());
  try {
    const made: ParquetTable[] = [];
    for (const table of tables) made.push(await madeTable(database, folder, table));
    const manifest: ParquetManifest = {
      format: 1,
      program: 'blockglass 0.0.0',
      chainId: 'demo-chain',
      finished: '2026-10-02T12:00:00.000000Z',
      tables: made,
      ...members,
    };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    if (engine === undefined) await database.close();
  }
}

export const writeManifest = (folder: string, manifest: unknown): Promise<void> =>
  writeFile(join(folder, PARQUET_MANIFEST), JSON.stringify(manifest, null, 2));

async function madeTable(database: Database, folder: string, table: FixtureTable): Promise<ParquetTable> {
  const { name, sql, fromBlock = 1, toBlock = 100, isComplete = true, notes = [] } = table;
  await database.run(`CREATE TABLE ${sqlName(name)} AS ${sql}`);
  const columns = await database.all(`DESCRIBE ${sqlName(name)}`);
  const { rows } = await database.all(
    `SELECT vega_time::DATE, count(*), ${ISO('min')}, ${ISO('max')} FROM ${sqlName(name)} GROUP BY 1 ORDER BY 1`,
  );
  const files: ParquetTable['files'] = [];
  for (const [date, count, firstTime = null, lastTime = null] of rows) {
    const path = `table=${name}/date=${date}/part-0.parquet`;
    await mkdir(join(folder, path, '..'), { recursive: true });
    const ofDate = `FROM ${sqlName(name)} WHERE vega_time::DATE = DATE '${date}'`;
    await database.run(
      `COPY (SELECT * ${ofDate}) TO ${sqlText(join(folder, path))} (FORMAT parquet, COMPRESSION zstd, WRITE_BLOOM_FILTER false)`,
    );
    const bytes = await readFile(join(folder, path));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({ path, rows: Number(count), bytes: bytes.length, sha256, firstTime, lastTime, sums: {} });
  }
  await database.run(`DROP TABLE ${sqlName(name)}`);
  return {
    name,
    fromBlock: String(fromBlock),
    toBlock: String(toBlock),
    isComplete,
    columns: columns.rows.map(([column, type]) => ({ name: column ?? '', type: type ?? '' })),
    notes: [...notes],
    files,
  };
}

const ISO = (extreme: 'min' | 'max'): string => `strftime(${extreme}(vega_time), '%Y-%m-%dT%H:%M:%S.%fZ')`;

/** A ledger of so many rows over two days, the last of which has 38 digits. */
export const ledgerSql = (rows = 4, from = '2026-10-01 23:59:58'): string => `
  SELECT
    TIMESTAMP '${from}' + INTERVAL (n) SECOND AS ledger_entry_time,
    unhex(lpad(to_hex(n), 64, '0')) AS account_from_id,
    unhex(lpad(to_hex(n + 1), 64, '0')) AS account_to_id,
    CASE n WHEN ${rows} THEN ${'9'.repeat(38)}::DECIMAL(38,0) ELSE n::DECIMAL(38,0) END AS quantity,
    unhex('') AS tx_hash,
    TIMESTAMP '${from}' + INTERVAL (n) SECOND AS vega_time,
    TIMESTAMP '${from}' + INTERVAL (n) SECOND AS transfer_time,
    0::DECIMAL(38,0) AS account_from_balance,
    n::DECIMAL(38,0) AS account_to_balance,
    CASE WHEN n % 2 = 0 THEN 'TRANSFER_TYPE_WIN' ELSE 'TRANSFER_TYPE_LOSS' END AS type,
    NULL::BLOB AS transfer_id
  FROM (SELECT unnest(range(1, ${rows + 1})) AS n)`;

export const BLOCKS_SQL = `
  SELECT TIMESTAMP '2026-10-01 00:00:00.000001' AS vega_time, 1::BIGINT AS height, unhex('00ff') AS hash`;
