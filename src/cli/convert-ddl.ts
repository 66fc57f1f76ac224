import { resolve } from 'node:path';
import type { ExternalTable } from '../answers/index.ts';
import { didYouMean } from '../base/text/nearest-word.ts';
import { safeLines } from '../base/text/safe-text.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { readTableFlag, TABLE_NAMES } from './table-flag.ts';
import { UsageError } from './usage-error.ts';

/** Engines that can read a folder of Parquet. */
const ENGINES = ['duckdb', 'spark', 'trino', 'clickhouse'] as const;

/** `convert --ddl` prints a statement instead of converting. */
export const DDL_FLAGS: readonly Flag[] = [
  {
    name: 'ddl',
    kind: 'text',
    value: 'ENGINE',
    values: ENGINES,
    about: `print the statement with which this engine reads a folder of Parquet, and convert nothing; one of ${ENGINES.join(', ')}`,
  },
  {
    name: 'table',
    kind: 'text',
    value: 'TABLE',
    about: `with --ddl: only this table, also before there is a folder; one of ${TABLE_NAMES}`,
  },
];

/** Prints the statement for the folder, or for a table without a folder yet. */
export async function printDdl(given: ParsedFlags, { stdout }: Context): Promise<number> {
  const wanted = given.text('ddl') ?? '';
  const engine = ENGINES.find(name => name === wanted);
  if (engine === undefined)
    throw new UsageError(`--ddl must be one of ${ENGINES.join(', ')}, not "${wanted}"${didYouMean(wanted, ENGINES)}`);
  const tables = await readTables(given);
  const { externalTablesSql } = await import('../answers/index.ts');
  await stdout.data(externalTablesSql(engine, tables), safeLines);
  return EXIT.done;
}

async function readTables(given: ParsedFlags): Promise<readonly ExternalTable[]> {
  const table = readTableFlag(given)?.id;
  const [place, surplus] = given.words;
  if (surplus !== undefined)
    throw new UsageError(`unexpected argument "${surplus}": --ddl takes one folder of Parquet`);
  const answers = await import('../answers/index.ts');
  if (place === undefined) {
    if (table === undefined)
      throw new UsageError(
        'missing a folder or --table TABLE. Usage: blockglass convert --ddl ENGINE [folder] [--table TABLE]',
      );
    return [answers.tableBySchema(table)];
  }
  const manifest = await answers.readParquetManifest(place);
  if (manifest === undefined) throw noManifest(place);
  return answers.tablesFromManifest(manifest, { kind: 'folder', path: resolve(place) }, table);
}

const noManifest = (place: string): UsageError =>
  new UsageError(`${place} is not a folder of Parquet written by blockglass. Make one with blockglass convert.`);
