/** The engine-specific SQL that the questions need. Everything else is the same in all engines. */
export interface Dialect {
  /** Quotes a column. */
  readonly column: (name: string) => string;
  /** A table under the name that `convert --ddl` gives it. */
  readonly table: (name: string) => string;
  /** A text as a literal. */
  readonly text: (value: string) => string;
  readonly bytes: {
    /** From hexadecimal text. */
    readonly of: (hexText: string) => string;
    /** As lower-case hexadecimal text. */
    readonly hex: (bytes: string) => string;
    readonly length: (bytes: string) => string;
    readonly sha256: (text: string) => string;
    /** NULL of this type. */
    readonly none: string;
  };
  /** Whole numbers: exact, or the engine stops with an error. */
  readonly whole: {
    readonly of: (integer: string) => string;
    /** From text; another text than a whole number stops the query. `column` is for the message. */
    readonly ofText: (text: string, column: string) => string;
    readonly zero: string;
    readonly none: string;
  };
  /** Any value as text. */
  readonly toText: (value: string) => string;
  /** A moment to the microsecond, UTC: `2026-10-01 12:00:00.000000`. */
  readonly time: (text: string) => string;
  /** A table of a WITH from rows of SQL. */
  readonly constants: (name: string, columns: readonly string[], rows: readonly (readonly string[])[]) => string;
  /** The statement with the settings that it needs. */
  readonly statement: (sql: string) => string;
}

/** Where the SQL of a question runs. */
export interface SqlTarget {
  readonly dialect: Dialect;
  /** On the tables that `convert --ddl` makes instead of the dataset's tables. */
  readonly isElsewhere: boolean;
}

/** `(VALUES ('a', 'b'))`, also without rows. */
export function valuesTable(name: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = `${name}(${columns.join(', ')})`;
  if (rows.length === 0) return `${head} AS (SELECT ${columns.map(() => "''").join(', ')} WHERE false)`;
  return `${head} AS (VALUES\n  ${rows.map(row => `(${row.join(', ')})`).join(',\n  ')})`;
}

/** Of engines that read a backslash in a literal as an escape. */
export const escapedText = (value: string): string => `'${value.replace(/[\\']/g, mark => `\\${mark}`)}'`;
