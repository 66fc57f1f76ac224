import { AnswerError } from '../engine/answer-error.ts';
import type { Database, ResultColumn } from '../engine/database.ts';
import { isOutOfMemory } from '../engine/engine-errors.ts';
import { sqlList, sqlName, sqlText } from '../engine/sql-text.ts';
import { newUntrustedError, type TablePart } from './parquet-folder.ts';

interface ViewOptions {
  /** Also makes `placedView`. */
  readonly hasPlaces: boolean;
  readonly signal: AbortSignal;
}

/** Makes the view of a table over all its parts; resolves with its columns and notes. */
export async function makeView(
  database: Database,
  parts: readonly TablePart[],
  { hasPlaces, signal }: ViewOptions,
): Promise<{ readonly columns: readonly ResultColumn[]; readonly notes: readonly string[] }> {
  const name = parts[0]?.table.name ?? '';
  const read: ReadPart[] = [];
  for (const part of parts) read.push(await readPart(database, part, signal));
  const mixed = mixedColumns(read);
  const sql = read.map(part => partSql(part, mixed)).join(' UNION ALL BY NAME ');
  await database.run(`CREATE VIEW ${sqlName(name)} AS ${sql}`, signal);
  if (hasPlaces) {
    const placed = read.map((part, index) => partSql(part, mixed, index)).join(' UNION ALL BY NAME ');
    await database.run(`CREATE VIEW ${sqlName(placedView(name))} AS ${placed}`, signal);
  }
  const columns = await describe(database, sqlName(name), signal);
  return { columns, notes: [...mixed].map(([column, types]) => mixedNote(name, column, types)) };
}

/** The view of the same rows with the place of each: `_part`, `_file` in the part, `_row` in the file. No table has this name. */
export const placedView = (table: string): string => `${table} with places`;

interface ReadPart {
  readonly part: TablePart;
  readonly columns: readonly ResultColumn[];
}

/** The columns of the files, checked against the manifest. */
async function readPart(database: Database, part: TablePart, signal: AbortSignal): Promise<ReadPart> {
  try {
    await checkSchemas(database, part, signal);
    await refuseUnlisted(database, part, signal);
    const columns = await describe(database, `(SELECT ${columnListSql(part)} FROM ${filesSql(part)})`, signal);
    for (const { name, type } of part.table.columns) {
      const found = columns.find(column => column.name === name)?.type;
      if (found !== type)
        throw newUntrustedError(
          part.label,
          `${part.table.name}.${name} is ${found} in its files, but ${type} in its manifest`,
        );
    }
    await checkRows(database, part, signal);
    return { part, columns };
  } catch (error) {
    if (!(error instanceof AnswerError) || error.because === 'untrusted' || isOutOfMemory(error)) throw error;
    throw newUntrustedError(part.label, `${part.table.name} cannot be read: ${error.message}`);
  }
}

/** The engine takes the columns from the first file: if other files differ it would misread, drop or invent columns. */
async function checkSchemas(
  database: Database,
  { files, label, table }: TablePart,
  signal: AbortSignal,
): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const sql = `WITH schemas AS (
  SELECT file_name, list((name, duckdb_type, num_children) ORDER BY column_id) AS columns
  FROM parquet_schema(${pathsSql(files)}) GROUP BY file_name
)
SELECT file_name FROM schemas
WHERE columns IS DISTINCT FROM (SELECT columns FROM schemas WHERE file_name = ${sqlText(first.path)}) LIMIT 1`;
  const { rows } = await database.all(sql, signal);
  const other = rows[0]?.[0];
  if (other !== undefined)
    throw newUntrustedError(label, `the files of ${table.name} have different columns or types (${other})`);
}

/** A column that is not in the manifest means that the file or the manifest belongs to something else. */
async function refuseUnlisted(database: Database, part: TablePart, signal: AbortSignal): Promise<void> {
  if (part.files.length === 0) return;
  const listed = new Set(part.table.columns.map(({ name }) => name));
  const found = await describe(database, filesSql({ ...part, isDated: false }), signal);
  const unlisted = found.find(({ name }) => !listed.has(name))?.name;
  if (unlisted !== undefined)
    throw newUntrustedError(
      part.label,
      `${part.table.name} has a column in its files that is not in its manifest: ${unlisted}`,
    );
}

/** Checks the row counts in the files. */
async function checkRows(database: Database, { files, label, table }: TablePart, signal: AbortSignal): Promise<void> {
  if (files.length === 0) return;
  const sql = `SELECT file_name, num_rows FROM parquet_file_metadata(${pathsSql(files)})`;
  const { rows } = await database.all(sql, signal);
  const found = new Map(rows.map(([path, count]) => [path, count]));
  for (const { path, rows: expected } of files) {
    const count = found.get(path) ?? 'no';
    if (count !== String(expected))
      throw newUntrustedError(
        label,
        `a file of ${table.name} has ${count} rows, but ${expected} in its manifest (${path})`,
      );
  }
}

async function describe(database: Database, from: string, signal: AbortSignal): Promise<readonly ResultColumn[]> {
  const { rows } = await database.all(`DESCRIBE FROM ${from}`, signal);
  return rows.map(([name, type]) => ({ name: name ?? '', type: type ?? '' }));
}

const columnListSql = ({ table, isDated }: TablePart): string =>
  [...table.columns.map(({ name }) => sqlName(name)), ...(isDated ? ['"date"'] : [])].join(', ');

function filesSql({ table, files, isDated }: TablePart): string {
  if (files.length === 0) {
    const nothing = table.columns.map(({ name, type }) => `NULL::${type} AS ${sqlName(name)}`);
    return `(SELECT ${[...nothing, ...(isDated ? ['NULL::DATE AS "date"'] : []), '0 AS file_index', '0 AS file_row_number'].join(', ')} WHERE false)`;
  }
  // Folder names become columns only if they are known to be dates.
  const dates = isDated ? "hive_partitioning = true, hive_types = {'date': DATE}" : 'hive_partitioning = false';
  return `read_parquet(${pathsSql(files)}, ${dates})`;
}

const pathsSql = (files: TablePart['files']): string => sqlList(files.map(({ path }) => sqlText(path)));

/** Columns with different types in different parts, and those types. They are read as text, which loses nothing. */
function mixedColumns(read: readonly ReadPart[]): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, Set<string>>();
  for (const { name, type } of read.flatMap(({ columns }) => columns))
    types.set(name, (types.get(name) ?? new Set()).add(type));
  return new Map([...types].filter(([, each]) => each.size > 1).map(([name, each]) => [name, [...each]]));
}

function partSql(
  { part, columns }: ReadPart,
  mixed: ReadonlyMap<string, readonly string[]>,
  place: number | null = null,
): string {
  const places = place === null ? [] : [`${place} AS _part`, 'file_index AS _file', 'file_row_number AS _row'];
  const values = columns.map(({ name, type }) => (mixed.has(name) ? asText(name, type) : sqlName(name)));
  const shown = [...places, ...values];
  return `SELECT ${shown.join(', ')} FROM ${filesSql(part)}`;
}

function asText(name: string, type: string): string {
  const column = sqlName(name);
  return `${type === 'BLOB' ? `lower(hex(${column}))` : `${column}::VARCHAR`} AS ${column}`;
}

const mixedNote = (table: string, column: string, types: readonly string[]): string =>
  `${table}.${column} is text here: it is ${types.join(' in one part and ')} in another`;
