import type { DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Dialect, SqlTarget } from './dialects/dialect.ts';
import { duckdbDialect } from './dialects/duckdb.ts';

/** SQL for the columns of a table. The same column can have different types in different datasets. */
export class SqlColumns {
  readonly dialect: Dialect;
  readonly #name: string;
  readonly #types: ReadonlyMap<string, string>;
  readonly #isElsewhere: boolean;

  constructor(
    { name, columns }: DatasetTable,
    { dialect, isElsewhere }: SqlTarget = { dialect: duckdbDialect, isElsewhere: false },
  ) {
    this.dialect = dialect;
    this.#name = name;
    this.#types = new Map(columns.map(column => [column.name, column.type]));
    this.#isElsewhere = isElsewhere;
  }

  /** The table, for a FROM. */
  get table(): string {
    return this.dialect.table(this.#name);
  }

  /** When a row was. The tables of `convert --ddl` have its day: with it an engine skips the files of other days. */
  times(epoch?: string) {
    const day = this.#isElsewhere ? this.dialect.column('date') : undefined;
    return { dialect: this.dialect, time: this.time('vega_time'), day, epoch };
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  /** Throws AnswerError if the column was left out of the table. */
  type(name: string): string {
    const type = this.#types.get(name);
    if (type !== undefined) return type;
    throw new AnswerError(
      `the table ${this.#name} has no column ${name}, which this question needs`,
      'convert it again with this column: blockglass convert (see --columns and --exclude)',
    );
  }

  /** A column of any type. */
  plain(name: string): string {
    this.type(name);
    return this.dialect.column(name);
  }

  /** An id as bytes. */
  id(name: string): string {
    const column = this.plain(name);
    const { bytes, text } = this.dialect;
    return this.type(name) === 'BLOB' ? column : bytes.of(`replace(${column}, ${text('\\x')}, '')`);
  }

  /** An id as hexadecimal text. */
  hex(name: string): string {
    return this.dialect.bytes.hex(this.id(name));
  }

  /** An integer of any length, as a number with exact sums. */
  whole(name: string): string {
    const column = this.plain(name);
    const { whole, toText } = this.dialect;
    if (isWholeNumber(this.type(name))) return whole.of(column);
    return whole.ofText(this.type(name) === 'VARCHAR' ? column : toText(column), name);
  }

  time(name: string): string {
    const column = this.plain(name);
    if (this.type(name) === 'TIMESTAMP') return column;
    if (this.dialect === duckdbDialect) return `${column}::TIMESTAMP`;
    throw new AnswerError(
      `${this.#name}.${name} is text in this folder, because other engines cannot hold one of its times`,
      'leave out --for: blockglass answers it here',
    );
  }
}

export const isWholeNumber = (type: string): boolean => /^(?:DECIMAL\(\d+,0\)|[A-Z]*INT|INTEGER)$/.test(type);

/** The exact sum; 0 without rows. */
export const exactSum = ({ whole }: Dialect, amount: string, filter = ''): string =>
  `coalesce(sum(${amount})${filter === '' ? '' : ` FILTER (WHERE ${filter})`}, ${whole.zero})`;

/** A condition that an id is one of these. */
export const isOneOfSql = ({ dialect: { bytes, text } }: SqlColumns, id: string, ids: readonly string[]): string =>
  `${id} IN (${ids.map(each => bytes.of(text(each))).join(', ')})`;

/** `1, 2, 3`: the first columns of a SELECT, to group and sort by. */
export const firstColumns = (count: number, after = ''): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}${after}`).join(', ');

export const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `\nWHERE ${conditions.join('\n  AND ')}`;

/** The month, day or second of a time, as text. */
export const periodSql = ({ toText }: Dialect, time: string, by: keyof typeof LENGTHS = 'month'): string =>
  `substr(${toText(time)}, 1, ${LENGTHS[by]})`;

const LENGTHS = { month: '2026-10'.length, day: '2026-10-01'.length, second: '2026-10-01 12:00:00'.length } as const;
