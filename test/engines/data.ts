import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Database } from '../../src/answers/engine/database.ts';
import { sqlName, sqlText } from '../../src/answers/engine/sql-text.ts';
import {
  PARQUET_MANIFEST,
  type ParquetTable,
  readParquetManifest,
} from '../../src/answers/parquet/parquet-manifest.ts';

export const TABLES = ['ledger', 'balances', 'rewards', 'trades'] as const;

/** Runs blockglass; resolves with what it prints. */
export type Program = (...words: readonly string[]) => Promise<string>;

/** A folder of Parquet. */
export interface DataSet {
  readonly name: string;
  readonly folder: string;
  readonly rows: bigint;
  /** The day of the first row. */
  readonly firstDay: string;
}

/** The demo's history as Parquet, and how many bytes of CSV it is. */
export async function exportDemo(folder: string, program: Program): Promise<DataSet & { readonly csvBytes: number }> {
  const zips: string[] = [];
  let csvBytes = 0;
  for (const table of TABLES) {
    const zip = join(folder, `${table}.zip`);
    await program('export', '--demo', '--table', table, '--from', 'e1', '--to', 'e40', '--out', zip);
    for (const bytes of Object.values(unzipSync(await readFile(zip)))) csvBytes += bytes.length;
    zips.push(zip);
  }
  const out = join(folder, 'demo');
  await program('convert', ...zips, '--parquet', '--out', out);
  return { ...(await described('demo', out)), csvBytes };
}

export async function described(name: string, folder: string): Promise<DataSet> {
  const tables = (await readParquetManifest(folder))?.tables ?? [];
  const files = tables.flatMap(table => table.files);
  const [firstTime = ''] = files.flatMap(file => file.firstTime ?? []).toSorted();
  return {
    ...{ name, folder, firstDay: firstTime.slice(0, 10) },
    rows: files.reduce((sum, { rows }) => sum + BigInt(rows), 0n),
  };
}

/** The demo so many times over: each copy a day later, with other amounts and ids of its own. */
export async function multiply(demo: DataSet, folder: string, copies: number, database: Database): Promise<DataSet> {
  const manifest = await readParquetManifest(demo.folder);
  if (manifest === undefined) throw new Error('the demo has no manifest');
  await mkdir(folder, { recursive: true });
  const tables: ParquetTable[] = [];
  for (const table of manifest.tables) {
    const source = `read_parquet(${sqlText(`${demo.folder}/table=${table.name}/*/*.parquet`)}, hive_partitioning = false)`;
    const days = await database.all(`SELECT DISTINCT vega_time::DATE FROM ${source} ORDER BY 1`);
    const files: ParquetTable['files'] = [];
    for (let copy = 0; copy < copies; copy++) {
      for (const [day] of days.rows) {
        const rows = `(SELECT * REPLACE (${changes(table, copy).join(', ')}) FROM ${source} WHERE vega_time::DATE = DATE '${day}')`;
        files.push(await writtenDay({ table: table.name, folder, copy, rows }, database));
      }
    }
    const { sources: _sources, ...rest } = table;
    tables.push({ ...rest, files, toBlock: String(BigInt(table.fromBlock) + 1_000_000_000n) });
  }
  await writeFile(join(folder, PARQUET_MANIFEST), JSON.stringify({ ...manifest, tables }));
  await copyFile(join(demo.folder, '_names.json'), join(folder, '_names.json'));
  return described('large', folder);
}

/** What another copy changes: later times, multiplied amounts, other epochs, ids that no other copy has. */
const changes = ({ name, columns }: ParquetTable, copy: number): readonly string[] =>
  columns.flatMap(({ name: column, type }) => {
    const quoted = sqlName(column);
    const as = (sql: string): readonly string[] => [`(${sql})::${type} AS ${quoted}`];
    if (type === 'TIMESTAMP') return as(`${quoted} + INTERVAL ${copy} DAY`);
    if (type === 'DECIMAL(38,0)') return as(`${quoted}::HUGEINT * ${(copy % 7) + 1}`);
    if (column === 'epoch_id') return as(`${quoted} + ${40 * copy}`);
    const isOwnId = column === 'transfer_id' || (name === 'trades' && column === 'id');
    if (!isOwnId) return [];
    return as(
      `CASE WHEN octet_length(${quoted}) > 0 THEN unhex(sha256(hex(${quoted}) || '${copy}')) ELSE ${quoted} END`,
    );
  });

interface DayToWrite {
  readonly table: string;
  readonly folder: string;
  readonly copy: number;
  readonly rows: string;
}

async function writtenDay(
  { table, folder, copy, rows }: DayToWrite,
  database: Database,
): Promise<ParquetTable['files'][number]> {
  const iso = (extreme: string) => `strftime(${extreme}(vega_time), '%Y-%m-%dT%H:%M:%S.%fZ')`;
  const found = await database.all(`SELECT count(*), ${iso('min')}, ${iso('max')} FROM ${rows}`);
  const [count, firstTime = null, lastTime = null] = found.rows[0] ?? [];
  const path = `table=${table}/date=${firstTime?.slice(0, 10)}/part-${copy}.parquet`;
  const whole = join(folder, path);
  await mkdir(join(whole, '..'), { recursive: true });
  const format = 'FORMAT parquet, COMPRESSION zstd, WRITE_BLOOM_FILTER false';
  await database.run(`COPY ${rows} TO ${sqlText(whole)} (${format})`);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(whole)) hash.update(chunk);
  const { size: bytes } = await stat(whole);
  return { path, rows: Number(count), bytes, sha256: hash.digest('hex'), firstTime, lastTime, sums: {} };
}
