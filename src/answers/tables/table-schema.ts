/** How the node's database holds a value, and so what a CSV may have in it (export-behaviour.md section 3.0). */
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
  /** A text out of a list that may grow. */
  | 'label';

/** What a value means: amounts, prices and sizes are in smallest units, and `unit` says of what. */
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
  /** What its values stand for, labels or numbers as they are in the CSV. Newer nodes may have others. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The columns of an exported table at schema 93 (v0.74.10), in file order. */
export interface TableSchema {
  readonly name: string;
  readonly about: string;
  /** What a row is, and by which columns it is told from another. */
  readonly row: string;
  /** Column of the block's time, which every table has. */
  readonly time: 'vega_time';
  readonly columns: readonly ColumnSchema[];
}
