import { sqlName, sqlText } from '../engine/sql-text.ts';
import type { ColumnKind } from '../tables/table-schema.ts';

/** Which rows of a table, and in which order: those of the files where nothing is said. */
export interface TableLook {
  readonly filters: readonly { readonly column: string; readonly value: string | null }[];
  readonly sort: { readonly column: string; readonly isDescending: boolean } | null;
}

export interface LookColumn {
  readonly name: string;
  /** As the engine names it. */
  readonly type: string;
  readonly kind: ColumnKind | null;
  readonly values?: Readonly<Record<string, string>>;
}

/** A column as text that says all of it; bytes in lower-case hexadecimal. */
export const textSql = ({ name, type }: LookColumn): string =>
  type === 'BLOB' ? `lower(hex(${sqlName(name)}))` : `${sqlName(name)}::VARCHAR`;

const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|DECIMAL\(|DOUBLE|FLOAT)/;
const EXACT_KINDS: ReadonlySet<ColumnKind | null> = new Set(['amount', 'price', 'size', 'factor', 'decimal', 'count']);

/** Held as a number by the engine. */
export const isNative = ({ type }: LookColumn): boolean => NUMERIC.test(type);

/** Numbers that no type of the engine holds exactly are text. */
export const isNumberText = ({ type, kind }: LookColumn): boolean => type === 'VARCHAR' && EXACT_KINDS.has(kind);

/** The condition of the filters, or nothing. Throws nothing for a column that is not there: the engine says so. */
export function whereSql({ filters }: TableLook, columns: readonly LookColumn[]): string {
  const conditions = filters.map(({ column, value }) => {
    const known = columns.find(({ name }) => name === column) ?? { name: column, type: 'VARCHAR', kind: null };
    return value === null ? `${sqlName(column)} IS NULL` : equals(known, value);
  });
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function equals(column: LookColumn, value: string): string {
  const name = sqlName(column.name);
  if (column.type === 'BLOB') return `${name} = from_hex(${sqlText(value)})`;
  // A text that is read back must be the same value; of lists and the like that is sure of their texts alone.
  const isPlain = isNative(column) || /^(?:VARCHAR|BOOLEAN|DATE|TIMESTAMP)$/.test(column.type);
  return isPlain ? `${name} = ${sqlText(value)}::${column.type}` : `${textSql(column)} = ${sqlText(value)}`;
}

/** What rows are sorted by; NULL comes last. */
export function orderSql({ sort }: TableLook, columns: readonly LookColumn[]): readonly string[] {
  if (sort === null) return [];
  const direction = `${sort.isDescending ? 'DESC' : 'ASC'} NULLS LAST`;
  const column = columns.find(({ name }) => name === sort.column);
  const name = sqlName(sort.column);
  if (column === undefined || !isNumberText(column)) return [`${name} ${direction}`];
  return numberKeys(name).map(key => `${key} ${direction}`);
}

/** By value, to the last digit: of numbers that look alike the longer one is larger, below zero it is smaller. */
const numberKeys = (name: string): readonly string[] => [
  `try_cast(${name} AS DOUBLE)`,
  `CASE WHEN ${name} LIKE '-%' THEN -length(split_part(${name}, '.', 1)) ELSE length(split_part(${name}, '.', 1)) END`,
  `CASE WHEN ${name} LIKE '-%' THEN translate(${name}, '0123456789', '9876543210') ELSE ${name} END`,
];
