import { resolve } from 'node:path';
import type { ExternalTable } from '../answers/index.ts';
import { didYouMean } from '../text/nearest.ts';
import { safeLines } from '../text/safe-text.ts';
import type { Command } from './command.ts';
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
    'print the statement with which another engine reads a folder of Parquet. Without a folder, --table prints the statement for files you will add',
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
    const tables = await tablesAsked(given);
    const { externalTables } = await import('../answers/index.ts');
    await context.stdout.data(externalTables(engine, tables), safeLines);
    return EXIT.done;
  },
};

async function tablesAsked(given: Given): Promise<readonly ExternalTable[]> {
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
  const manifest = await answers.readParquetManifest(place);
  if (manifest === undefined) throw noManifest(place);
  return answers.tablesOf(manifest, { kind: 'folder', path: resolve(place) }, table);
}

const noManifest = (place: string): UsageError =>
  new UsageError(`${place} is not a folder of Parquet written by blockglass. Make one with blockglass convert.`);
