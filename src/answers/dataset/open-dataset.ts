import { AnswerError } from '../engine/answer-error.ts';
import { Database, type DatabaseLimits, type ResultColumn } from '../engine/database.ts';
import { type ParquetManifest, readParquetManifest } from '../parquet/parquet-manifest.ts';
import type { ColumnKind } from '../tables/table-schema.ts';
import { columnSchema } from '../tables/tables.ts';
import { joinParts, notesOn } from './join-parts.ts';
import { partsOf, type TablePart } from './parquet-folder.ts';
import { makeView } from './table-view.ts';

/** Exports as they lie on disk, as an engine that reads them and nothing else. */
export interface Dataset {
  /** One view each, by its name. */
  readonly tables: readonly DatasetTable[];
  readonly database: Database;
  /** What a reader of any answer has to know: what is incomplete, and what is missing between what was given. */
  readonly notes: readonly string[];
  /** Removes what was made for it. */
  readonly close: () => Promise<void>;
}

export interface DatasetTable {
  readonly name: string;
  readonly rows: bigint;
  /** ISO 8601, UTC; null where it has no rows. */
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  readonly isComplete: boolean;
  readonly columns: readonly DatasetColumn[];
}

export interface DatasetColumn {
  readonly name: string;
  /** As the engine names it. */
  readonly type: string;
  /** Null of a column that is not known. */
  readonly kind: ColumnKind | null;
  readonly unit: string;
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface DatasetOptions {
  /** Folders of Parquet. */
  readonly paths: readonly string[];
  readonly evenIncomplete?: boolean;
  readonly limits?: DatabaseLimits;
  readonly signal: AbortSignal;
}

/** Throws AnswerError: what was named cannot be read, cannot be trusted, or does not go together. */
export async function openDataset(options: DatasetOptions): Promise<Dataset> {
  const { paths, evenIncomplete = false, limits = {}, signal } = options;
  const parts: TablePart[] = [];
  for (const path of paths) parts.push(...(await partsAt(path, evenIncomplete)));
  const tables = joinParts(parts);
  const database = await Database.open(limits);
  try {
    await database.seal(parts.flatMap(({ files }) => files.map(({ path }) => path)));
    const made: DatasetTable[] = [];
    const notes = [...notesOn(tables)];
    for (const [, ofTable] of tables) {
      const view = await makeView(database, ofTable, signal);
      notes.push(...view.notes);
      made.push(describedTable(ofTable, view.columns));
    }
    return { tables: made, database, notes, close: async () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function partsAt(path: string, evenIncomplete: boolean): Promise<readonly TablePart[]> {
  const manifest = await readParquetManifest(path);
  if (manifest !== undefined) {
    if (!evenIncomplete) refuseIncomplete(path, manifest);
    return partsOf(path, path, manifest);
  }
  throw new AnswerError(`${path} is no folder of Parquet that blockglass made`, 'make one: blockglass convert');
}

function refuseIncomplete(label: string, { finished, tables }: ParquetManifest): void {
  const table = tables.find(({ isComplete }) => !isComplete);
  if (finished !== null && table === undefined) return;
  throw new AnswerError(
    table === undefined ? `${label} is not finished` : `${table.name} of ${label} is not complete`,
    'make it again whole, or say --even-incomplete: the answer is then of what is there',
    'untrusted',
  );
}

function describedTable(parts: readonly TablePart[], columns: readonly ResultColumn[]): DatasetTable {
  const [first, last] = [parts[0], parts.at(-1)];
  const name = first?.table.name ?? '';
  const files = parts.flatMap(({ table }) => table.files);
  const times = files.flatMap(({ firstTime, lastTime }) => [firstTime ?? [], lastTime ?? []].flat()).toSorted();
  return {
    name,
    rows: files.reduce((sum, { rows }) => sum + BigInt(rows), 0n),
    firstTime: times[0] ?? null,
    lastTime: times.at(-1) ?? null,
    fromBlock: first?.table.fromBlock ?? null,
    toBlock: last?.table.toBlock ?? null,
    isComplete: parts.every(({ table }) => table.isComplete),
    columns: columns.map(column => describedColumn(name, column)),
  };
}

function describedColumn(table: string, { name, type }: ResultColumn): DatasetColumn {
  const known = columnSchema(table, name.replace(/_f64$/, ''));
  if (name === 'date') return { name, type, kind: 'time', unit: '', about: 'day of the block (UTC)' };
  if (known === undefined) return { name, type, kind: null, unit: '', about: '' };
  const about = name === known.name ? known.about : `${known.about}, rounded`;
  const { kind, unit = '', values } = known;
  return { name, type, kind, unit, about, ...(values !== undefined && { values }) };
}
