import { resolve } from 'node:path';
import type { ExternalTable } from '../answers/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { safeLines } from '../text/safe-text.ts';
import { isInBucket, waitProgress } from './bucket-place.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Given } from './options.ts';
import { TABLE_NAMES, tableFrom } from './table-flag.ts';
import { UsageError } from './usage-error.ts';

/** Engines that can read a folder of Parquet. */
export const ENGINES = ['duckdb', 'spark', 'trino', 'clickhouse', 'bigquery'] as const;

export const ddl: Command = {
  form: '[folder]',
  needs: '--for ENGINE',
  about:
    'print the statement with which another engine reads a folder of Parquet: a path, or s3://BUCKET/PREFIX. Without a folder, --table prints the statement for files you will add',
  examples: ['ddl --for spark --table ledger', 'ddl --for duckdb --table rewards'],
  flags: [
    { name: 'for', kind: 'text', value: 'ENGINE', about: `one of ${ENGINES.join(', ')}` },
    { name: 'table', kind: 'text', value: 'TABLE', about: `only this table; one of ${TABLE_NAMES}` },
  ],
  uses: [],
  run: async (given, context) => {
    const wanted = given.text('for');
    const engine = ENGINES.find(name => name === wanted);
    if (engine === undefined)
      throw new UsageError(
        wanted === undefined
          ? `missing --for ENGINE: one of ${ENGINES.join(', ')}`
          : `--for must be one of ${ENGINES.join(', ')}, not "${wanted}"${didYouMean(wanted, ENGINES)}`,
      );
    const tables = await tablesAsked(given, context);
    const { externalTables } = await import('../answers/index.ts');
    await context.stdout.data(externalTables(engine, tables), safeLines);
    return EXIT.done;
  },
};

async function tablesAsked(given: Given, context: Context): Promise<readonly ExternalTable[]> {
  const table = tableFrom(given)?.id;
  const place = given.words[0];
  const answers = await import('../answers/index.ts');
  if (place === undefined) {
    if (table === undefined)
      throw new UsageError(
        'missing a folder or --table TABLE. Usage: blockglass ddl --for ENGINE [folder] [--table TABLE]',
      );
    return [answers.tableBySchema(table)];
  }
  if (isInBucket(place)) return await tablesInBucket(place, table, context);
  const manifest = await answers.readParquetManifest(place);
  if (manifest === undefined) throw noManifest(place);
  return answers.tablesOf(manifest, { kind: 'folder', path: resolve(place) }, table);
}

async function tablesInBucket(
  address: string,
  table: string | undefined,
  { env, signal, stderr }: Context,
): Promise<readonly ExternalTable[]> {
  const { objectPlace, readText } = await import('../objects/index.ts');
  const { PARQUET_MANIFEST, parquetManifestIn, tablesOf } = await import('../answers/index.ts');
  const place = objectPlace(address);
  const text = await readText(place, PARQUET_MANIFEST, {
    ...{ env, signal, mostBytes: MOST_BYTES },
    onWait: waitProgress({ stderr }),
  });
  if (text === undefined) throw noManifest(address);
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const where = { kind: 'bucket', ...place, ...(endpoint && { endpoint }) } as const;
  return tablesOf(parquetManifestIn(text, `${address}/${PARQUET_MANIFEST}`), where, table);
}

const MOST_BYTES = 64 * 1024 * 1024;

const noManifest = (place: string): UsageError =>
  new UsageError(`${place} is not a folder of Parquet written by blockglass. Make one with blockglass convert.`);
