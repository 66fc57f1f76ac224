import type { ColumnKind } from '../../tables/table.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';

/** The rows of a table to show and their order; by default all rows in file order. */
export interface TableLook {
  readonly filters: readonly { readonly column: string; readonly value: string | null }[];
  readonly sort: { readonly column: string; readonly isDescending: boolean } | null;
}

export interface LookColumn {
  readonly name: string;
  /** The engine's name of the type. */
  readonly type: string;
  readonly kind: ColumnKind | null;
  readonly values?: Readonly<Record<string, string>>;
}

/** A column as exact text; bytes in lower-case hexadecimal. */
export const textSql = ({ name, type }: LookColumn): string =>
  type === 'BLOB' ? `lower(hex(${sqlName(name)}))` : `${sqlName(name)}::VARCHAR`;

const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|DECIMAL\(|DOUBLE|FLOAT)/;
const EXACT_KINDS: ReadonlySet<ColumnKind | null> = new Set([
  'amount',
  'price',
  'size',
  'factor',
  'decimal',
  'ordinal',
]);

/** Whether it is a number in the engine. */
export const isNative = ({ type }: LookColumn): boolean => NUMERIC.test(type);

/** Whether it is a number stored as text, because no type of the engine holds it exactly. */
export const isNumberText = ({ type, kind }: LookColumn): boolean => type === 'VARCHAR' && EXACT_KINDS.has(kind);

/** The WHERE clause of the filters, or ''. A missing column is left to the engine to report. */
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
  // The text must read back as the same value; for lists and other nested types only the texts can be compared.
  const isPlain = isNative(column) || /^(?:VARCHAR|BOOLEAN|DATE|TIMESTAMP)$/.test(column.type);
  return isPlain ? `${name} = ${sqlText(value)}::${column.type}` : `${textSql(column)} = ${sqlText(value)}`;
}

/** The sort keys; NULL comes last. */
export function orderSql({ sort }: TableLook, columns: readonly LookColumn[]): readonly string[] {
  if (sort === null) return [];
  const direction = `${sort.isDescending ? 'DESC' : 'ASC'} NULLS LAST`;
  const column = columns.find(({ name }) => name === sort.column);
  const name = sqlName(sort.column);
  if (column === undefined || !isNumberText(column)) return [`${name} ${direction}`];
  return numberKeys(name).map(key => `${key} ${direction}`);
}

/** Sorts numbers in text by exact value: if equal as DOUBLE, by length and then by digits, reversed below zero. */
const numberKeys = (name: string): readonly string[] => [
  `try_cast(${name} AS DOUBLE)`,
  `CASE WHEN ${name} LIKE '-%' THEN -length(split_part(${name}, '.', 1)) ELSE length(split_part(${name}, '.', 1)) END`,
  `CASE WHEN ${name} LIKE '-%' THEN translate(${name}, '0123456789', '9876543210') ELSE ${name} END`,
];
