/** The type of a value in the node's database, and so its form in a CSV (export-behaviour.md section 3.0). */
export type Stored =
  | 'bytea'
  | 'timestamp'
  /** An integer of up to 1000 digits. */
  | 'hugeint'
  /** A decimal of any length. */
  | 'numeric'
  /** Shortest form of a binary fraction. */
  | 'double'
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'boolean'
  | 'text'
  | 'jsonb'
  /** A text from a list that may grow. */
  | 'label';

/** What a value means. Amounts, prices and sizes are in smallest units of `unit`. */
export type ColumnKind =
  | 'account-id'
  | 'amount'
  | 'boolean'
  | 'count'
  | 'decimal'
  | 'enum'
  | 'factor'
  | 'hash'
  | 'height'
  | 'id'
  | 'json'
  | 'price'
  | 'size'
  | 'text'
  | 'time';

export interface ColumnSchema {
  readonly name: string;
  readonly stored: Stored;
  readonly kind: ColumnKind;
  readonly about: string;
  readonly isNullable?: true;
  readonly unit?: string;
  /** The meaning of its labels or numbers. Newer nodes may have more. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The columns of an exported table at schema 93 (v0.74.10), in file order. */
export interface TableSchema {
  readonly name: string;
  readonly about: string;
  /** What a row is, and which columns identify it. */
  readonly row: string;
  /** The column with the time of the block; every table has one. */
  readonly time: 'vega_time';
  readonly columns: readonly ColumnSchema[];
}
