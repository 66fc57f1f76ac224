import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sqlName, sqlText } from '../engine/sql-text.ts';

/** SQL for the columns of a table. The same column can have different types in different datasets. */
export class Columns {
  readonly #table: string;
  readonly #types: ReadonlyMap<string, string>;

  constructor({ name: table, columns }: DatasetTable) {
    this.#table = table;
    this.#types = new Map(columns.map(({ name, type }) => [name, type]));
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  /** Throws AnswerError if the column was left out of the table. */
  type(name: string): string {
    const type = this.#types.get(name);
    if (type !== undefined) return type;
    throw new AnswerError(
      `the table ${this.#table} has no column ${name}, which this question needs`,
      'convert it again with this column: blockglass convert (see --columns and --exclude)',
    );
  }

  /** A column of any type. */
  plain(name: string): string {
    this.type(name);
    return sqlName(name);
  }

  /** An id as bytes. */
  id(name: string): string {
    return this.type(name) === 'BLOB' ? sqlName(name) : `unhex(ltrim(${sqlName(name)}, '\\x'))`;
  }

  /** An id as hexadecimal text. */
  hex(name: string): string {
    return `lower(hex(${this.id(name)}))`;
  }

  /** An integer of any length, as a number with exact sums. */
  whole(name: string): string {
    const column = this.plain(name);
    if (isWholeNumber(this.type(name))) return `${column}::HUGEINT::BIGNUM`;
    const text = `${column}::VARCHAR`;
    const refused = `error('${name} has a value that is not a whole number: ' || ${text})`;
    return `CASE WHEN ${column} IS NULL OR regexp_full_match(${text}, '-?[0-9]+') THEN ${text}::BIGNUM ELSE ${refused} END`;
  }

  time(name: string): string {
    return this.type(name) === 'TIMESTAMP' ? sqlName(name) : `${sqlName(name)}::TIMESTAMP`;
  }
}

export const isWholeNumber = (type: string): boolean => /^(?:DECIMAL\(\d+,0\)|[A-Z]*INT|INTEGER)$/.test(type);

/** The exact sum; 0 without rows. */
export const exactSum = (whole: string, filter = ''): string =>
  `coalesce(sum(${whole})${filter === '' ? '' : ` FILTER (WHERE ${filter})`}, 0::HUGEINT::BIGNUM)`;

/** A constant table, `(VALUES ('a', 'b'))`, also without rows. */
export function constants(name: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = `${name}(${columns.join(', ')})`;
  if (rows.length === 0) return `${head} AS (SELECT ${columns.map(() => "''").join(', ')} WHERE false)`;
  return `${head} AS (VALUES\n  ${rows.map(row => `(${row.map(sqlText).join(', ')})`).join(',\n  ')})`;
}

/** A condition that an id is one of these. */
export const isOneOf = (bytes: string, ids: readonly string[]): string =>
  `${bytes} IN (${ids.map(id => `unhex(${sqlText(id)})`).join(', ')})`;

export const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`;

/** The first and last microsecond of a day, minute, second or fraction of a second. */
export function momentOf(flag: string, text: string): { readonly first: string; readonly last: string } {
  const [, day = '', minute, second = '00', fraction] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(?:Z| ?UTC|\+00(?::?00)?)?$/.exec(text.trim()) ??
    [];
  const first = `${day} ${minute ?? '00:00'}:${second}.${(fraction ?? '').padEnd(6, '0')}`;
  const isReal = day !== '' && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) && isClock(minute, second);
  if (!isReal)
    throw new AnswerError(
      `${flag} must be an epoch, a day or a time in UTC, not "${text}"`,
      'for example e20, 2026-10-01, or "2026-10-01 12:00"',
    );
  if (minute === undefined) return { first, last: `${day} 23:59:59.999999` };
  if (fraction !== undefined) return { first, last: first };
  const isMinute = !/:\d\d:\d\d/.test(text);
  return { first, last: `${day} ${minute}:${isMinute ? '59' : second}.999999` };
}

const isClock = (minute = '00:00', second: string): boolean =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(minute) && Number(second) < 60;

/** The day or month of a time, as text. */
export const periodOf = (time: string, by: 'day' | 'month' = 'month'): string =>
  `strftime(${time}, ${by === 'day' ? "'%Y-%m-%d'" : "'%Y-%m'"})`;
