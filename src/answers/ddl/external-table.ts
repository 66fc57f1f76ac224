import { TABLE_SCHEMAS } from '../../tables/columns.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { CONVERT_ELSEWHERE, type ParquetManifest } from '../parquet/parquet-manifest.ts';
import { columnRecord, usualColumn } from '../parquet/table-column.ts';
import { type ColumnType, parseColumnType } from './column-type.ts';

/** Where the folder with the tables is; the files are in `table=NAME/date=DAY/part-*.parquet`. */
type TableLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bucket'; readonly bucket: string; readonly prefix: string };

export interface ExternalColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly note: string;
}

/** A table whose rows are in Parquet files outside the engine. */
export interface ExternalTable {
  readonly name: string;
  readonly columns: readonly ExternalColumn[];
  readonly where: TableLocation;
  /** What readers of the table must know. */
  readonly notes: readonly string[];
}

/** A table in the SQL of a dialect. */
export interface TableDdl {
  /** Comments before the statement: limits, required settings, documentation it follows. */
  readonly notes: readonly string[];
  readonly sql: string;
}

/** The tables of a folder by its manifest, or only the given one. Throws AnswerError. */
export function tablesFromManifest(
  manifest: ParquetManifest,
  where: TableLocation,
  wanted?: string,
): readonly ExternalTable[] {
  const tables = manifest.tables.filter(({ name }) => wanted === undefined || name === wanted);
  if (tables.length === 0) {
    const there = manifest.tables.map(({ name }) => name).join(', ') || 'none';
    throw new AnswerError(`the folder has no table ${wanted ?? ''}`.trimEnd(), `it has these: ${there}`);
  }
  const unfinished = manifest.finished === null ? ['The folder is not finished.'] : [];
  return tables.map(({ name, columns, isComplete, fromBlock, toBlock, notes }) => ({
    name: safeColumnName(name),
    columns: columns.map(column => ({
      name: safeColumnName(column.name, EXCLUDE_HINT),
      type: parseColumnType(column.type),
      note: column.note ?? '',
    })),
    where,
    notes: [
      `Blocks ${fromBlock} to ${toBlock} of ${manifest.chainId}${isComplete ? '' : ', NOT COMPLETE'}.`,
      ...unfinished,
      ...notes,
    ],
  }));
}

/** A table that is not exported yet, by its schema. Throws AnswerError. */
export function tableBySchema(name: string): ExternalTable {
  const schema = TABLE_SCHEMAS.get(name);
  if (schema === undefined)
    throw new AnswerError(`table "${name}" not found`, `the tables are ${[...TABLE_SCHEMAS.keys()].join(', ')}`);
  const columns = schema.map(column => {
    const record = columnRecord(usualColumn(name, column.name, false));
    return { name: record.name, type: parseColumnType(record.type), note: record.note ?? '' };
  });
  return {
    name,
    columns,
    where: { kind: 'bucket', bucket: 'BUCKET', prefix: 'PREFIX' },
    notes: [
      'Made from the schema only: replace s3://BUCKET/PREFIX. In a folder a column may be text or have another scale, so that',
      'each value is exact: blockglass convert --ddl uses the types of its files.',
    ],
  };
}

/** Names go into statements and comments, and all dialects accept letters. */
function safeColumnName(name: string, hint = CONVERT_ELSEWHERE): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return name;
  throw new AnswerError(
    `the folder has the name ${JSON.stringify(name)}, which cannot be used in a statement`,
    hint,
    'untrusted',
  );
}

const EXCLUDE_HINT = 'leave the column out: blockglass convert FILE... --parquet --exclude NAME --out FOLDER';

/** `s3://bucket/prefix/table=ledger`, with the scheme that the engine needs. */
export function tableFolder({ where, name }: Pick<ExternalTable, 'where' | 'name'>, scheme: string): string {
  if (where.kind === 'folder') return `${where.path.replace(/\/$/, '')}/table=${name}`;
  return `${scheme}://${[where.bucket, where.prefix, `table=${name}`].filter(part => part !== '').join('/')}`;
}

/** SQL comments, one per line; their text cannot end the line or begin a statement. */
export const commentLines = (notes: readonly string[]): string =>
  notes.map(note => `-- ${note.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()}\n`).join('');
