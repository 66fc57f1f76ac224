import { type ColumnSchema, columnSchema } from '../../tables/columns.ts';
import type { DatabaseType } from '../../tables/table.ts';
import { sqlText } from '../engine/sql-text.ts';
import {
  decimalScale,
  isDecimal,
  type ParquetColumnType,
  TEXT_COLUMN_TYPE,
  USUAL_COLUMN_TYPE,
} from './parquet-column-type.ts';

/** A column of a table in Parquet. */
export interface TableColumn {
  /** The current name. */
  readonly name: string;
  readonly schema: ColumnSchema | undefined;
  readonly columnType: ParquetColumnType;
  readonly isHex: boolean;
  /** This is the DOUBLE next to an exact column with this name. */
  readonly besides?: string;
}

/** The column in the manifest. */
interface ColumnRecord {
  readonly name: string;
  readonly type: string;
  readonly note?: string;
}

export const usualColumn = (table: string, name: string, isHex: boolean): TableColumn => ({
  name,
  schema: columnSchema(table, name),
  columnType: USUAL_COLUMN_TYPE,
  isHex,
});

const databaseTypeOf = ({ schema }: TableColumn): DatabaseType | null => schema?.stored ?? null;

/** DuckDB's name of the type. */
export function duckdbType(column: TableColumn): string {
  if (column.besides !== undefined) return 'DOUBLE';
  if (column.columnType.kind === 'text') return 'VARCHAR';
  const stored = databaseTypeOf(column);
  switch (stored) {
    case 'bytea':
      return column.isHex ? 'VARCHAR' : 'BLOB';
    case 'timestamp':
      return 'TIMESTAMP';
    case 'hugeint':
      return 'DECIMAL(38,0)';
    case 'numeric':
    case 'average':
    case 'whole':
    case 'double':
      return `DECIMAL(38,${scaleOfColumn(column)})`;
    case 'bigint':
    case 'integer':
    case 'smallint':
    case 'boolean':
      return stored.toUpperCase();
    default:
      return 'VARCHAR';
  }
}

export function columnRecord(column: TableColumn): ColumnRecord {
  const note = columnNote(column);
  return { name: column.name, type: duckdbType(column), ...(note !== undefined && { note }) };
}

function columnNote({ besides, schema, columnType }: TableColumn): string | undefined {
  if (besides !== undefined) return `about ${besides}, as a binary fraction: the exact value is there`;
  if (schema === undefined) return 'unknown to this program: as the node wrote it';
  return columnType.kind === 'text'
    ? `as the node wrote it: not every value fits into ${usualDuckdbType(schema)}`
    : undefined;
}

const scaleOfColumn = (column: TableColumn): number => decimalScale(column.columnType, databaseTypeOf(column));

const usualDuckdbType = (schema: ColumnSchema): string =>
  duckdbType({ name: schema.name, schema, columnType: USUAL_COLUMN_TYPE, isHex: false });

/** The type of a column that an earlier run wrote. */
export function readColumnType(column: TableColumn, { type, note }: ColumnRecord): ParquetColumnType {
  if (column.schema === undefined) return USUAL_COLUMN_TYPE;
  if (type === 'VARCHAR') return note === undefined ? USUAL_COLUMN_TYPE : TEXT_COLUMN_TYPE;
  const scale = /^DECIMAL\(38,(\d+)\)$/.exec(type)?.[1];
  return isDecimal(column.schema.stored) && scale !== undefined
    ? { kind: 'scale', scale: Number(scale) }
    : USUAL_COLUMN_TYPE;
}

/** Whether the manifest has sums of the column: an exact number that counts or measures something. */
export const isSummed = (column: TableColumn): boolean =>
  column.schema?.kind !== 'enum' && /^(?:DECIMAL|BIGINT|INTEGER|SMALLINT)/.test(duckdbType(column));

/** Whether the column can have a DOUBLE next to it. */
export const isExactNumber = (column: TableColumn): boolean =>
  column.schema?.kind !== 'enum' &&
  ['hugeint', 'numeric', 'average', 'whole', 'double', 'bigint'].includes(column.schema?.stored ?? '') &&
  column.besides === undefined;

/**
 * SQL that converts the text in a CSV to the value of the column. A text that would change fails the statement: on its own
 * the engine silently rounds fractions, cuts nanoseconds and ignores time zones.
 */
export function exactValue(column: TableColumn, text: string): string {
  if (column.besides !== undefined)
    return `CASE WHEN ${IS_NUMBER.replaceAll('$', text)} THEN TRY_CAST(${text} AS DOUBLE) END`;
  const type = duckdbType(column);
  const refused = `CAST('!' || ${text} AS ${type === 'BLOB' || type === 'VARCHAR' ? 'HUGEINT' : type})`;
  const only = (isExact: string, value: string) => `CASE WHEN ${isExact} THEN ${value} ELSE ${refused} END`;
  if (column.columnType.kind === 'text') return text;
  switch (databaseTypeOf(column)) {
    case 'bytea':
      return column.isHex
        ? `CASE WHEN regexp_full_match(${text}, '\\\\x([0-9a-f]{2})*') THEN ${text}[3:] ELSE ${refused}::VARCHAR END`
        : `CASE WHEN starts_with(${text}, '\\x') AND strlen(${text}) % 2 = 0 THEN unhex(${text}[3:]) ELSE unhex('!' || ${text}) END`;
    case 'timestamp':
      return only(IS_MICROSECONDS.replaceAll('$', text), momentSql(text));
    case 'hugeint':
      return only(isWholeSql(text), `CAST(CAST(${text} AS HUGEINT) AS ${type})`);
    case 'bigint':
    case 'integer':
    case 'smallint':
      return only(isWholeSql(text), `CAST(${text} AS ${type})`);
    case 'boolean':
      return only(`${text} IN ('t', 'f')`, `${text} = 't'`);
    case 'numeric':
    case 'average':
    case 'whole':
    case 'double':
      return only(isDecimalSql(text, scaleOfColumn(column)), decimalSql(text, scaleOfColumn(column)));
    default:
      return text;
  }
}

/** The engine would accept `1_000` and ` 12` as numbers. */
const IS_NUMBER = "regexp_full_match($, '-?[0-9]+(\\.[0-9]*)?(e[+-]?[0-9]+)?|NaN|-?Infinity')";

const isWholeSql = (text: string): string => `regexp_full_match(${text}, '-?[0-9]+')`;

/** A fraction after the seconds has at most six digits, and then an offset. */
const IS_MICROSECONDS = `(suffix($, '+00') AND strlen($) <= 29 AND substring($, 20, 1) IN ('.', '+')
  OR regexp_full_match($, '.{19}(\\.[0-9]{1,6})?[+-][0-9]{2}(:[0-9]{2}){0,2}'))`;

/** PostgreSQL writes times in the time zone of its session: any offset leads to the same moment. */
export const momentSql = (text: string): string =>
  `CASE WHEN suffix(${text}, '+00') THEN CAST(${text} AS TIMESTAMP) ELSE blockglass_utc(${text}) END`;

const isDecimalSql = (text: string, scale: number): string =>
  `regexp_full_match(${plainColumnName(text)}, ${sqlText(`-?[0-9]+(\\.[0-9]{0,${scale}}0*)?`)})`;

/** Reads a decimal of up to 18 digits in halves: the engine is a hundred times slower with 38 digits. */
function decimalSql(text: string, scale: number): string {
  const plain = plainColumnName(text);
  if (scale > 18 || scale === 0) return `CAST(${plain} AS DECIMAL(38,${scale}))`;
  const fraction = `CASE WHEN starts_with(${plain}, '-') THEN '-0.' ELSE '0.' END || split_part(${plain}, '.', 2)[:${scale}]`;
  return `CAST(CAST(split_part(${plain}, '.', 1) AS HUGEINT) AS DECIMAL(38,${scale})) + CAST(${fraction} AS DECIMAL(18,${scale}))`;
}

/** A helper column with the text of a DOUBLE, written without an exponent. */
const plainColumnName = (text: string): string => `${text}_plain`;

/**
 * The helper column that a column needs, if any. It is computed once: repeating the expression would make the statement
 * take a fifth of a second to parse.
 */
export const helperColumnSql = (column: TableColumn, text: string): readonly string[] =>
  isDecimal(databaseTypeOf(column)) && column.columnType.kind !== 'text' && column.besides === undefined
    ? [`blockglass_plain(${text}) AS ${plainColumnName(text)}`]
    : [];

/** Run these in a database before any other SQL of this file. */
export const MACROS = [
  `CREATE OR REPLACE TEMP MACRO blockglass_utc(t) AS CAST(regexp_extract(t, '^(.{19}(\\.[0-9]+)?)', 1) AS TIMESTAMP)
  - to_seconds((CASE regexp_extract(t, '([+-])[0-9:]*$', 1) WHEN '-' THEN -1 ELSE 1 END)
    * (3600 * CAST(regexp_extract(t, '[+-]([0-9]{2})[0-9:]*$', 1) AS INTEGER)
      + 60 * coalesce(TRY_CAST(regexp_extract(t, '[+-][0-9]{2}:([0-9]{2})[0-9:]*$', 1) AS INTEGER), 0)
      + coalesce(TRY_CAST(regexp_extract(t, '[+-][0-9]{2}:[0-9]{2}:([0-9]{2})$', 1) AS INTEGER), 0)))`,
  `CREATE OR REPLACE TEMP MACRO blockglass_plain(t) AS CASE
  WHEN NOT contains(t, 'e') OR NOT regexp_full_match(t, '-?[0-9](\\.[0-9]+)?e[+-]?[0-9]{1,3}') THEN t
  WHEN CAST(split_part(t, 'e', 2) AS INTEGER) < 0 THEN
    CASE WHEN starts_with(t, '-') THEN '-0.' ELSE '0.' END
    || repeat('0', -1 - CAST(split_part(t, 'e', 2) AS INTEGER))
    || replace(ltrim(split_part(t, 'e', 1), '-'), '.', '')
  ELSE regexp_extract(t, '^-?[0-9]')
    || rpad(split_part(split_part(t, 'e', 1), '.', 2),
            greatest(CAST(split_part(t, 'e', 2) AS INTEGER), CAST(strlen(split_part(split_part(t, 'e', 1), '.', 2)) AS INTEGER)), '0')
         [:CAST(split_part(t, 'e', 2) AS INTEGER)]
    || '.' || split_part(split_part(t, 'e', 1), '.', 2)[CAST(split_part(t, 'e', 2) AS INTEGER) + 1:] END`,
];

/** SQL over all texts of a column: how many do not fit. */
export const misfitsQuery = (column: TableColumn, text: string): string =>
  `count(*) FILTER (${text} IS NOT NULL AND TRY(${exactValue(column, text)}) IS NULL)`;
