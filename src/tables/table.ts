/**
 * The types in which a node's database stores values; they determine the possible values of a column
 * (export-behaviour.md section 3.0).
 */
export const STORED_TYPES = [
  'bytea',
  'timestamp',
  /** An integer of up to 1000 digits. */
  'hugeint',
  /** A decimal of any length. */
  'numeric',
  /** The same, as a node computes it: an average, or a profit. */
  'average',
  /** The same, of whole smallest units. */
  'whole',
  /** Shortest form of a binary fraction. */
  'double',
  'bigint',
  'integer',
  'smallint',
  'boolean',
  'text',
  'jsonb',
  /** A text from a list that may grow. */
  'label',
] as const;

export type DatabaseType = (typeof STORED_TYPES)[number];

/** How a column is stored; `+` if a number below 0 has no meaning in it, `?` if it may be NULL. */
type ColumnType = `${DatabaseType}${'' | '+'}${'' | '?'}`;

/** What a value means. Amounts, prices and sizes are in smallest units of `unit`. */
export type ColumnKind =
  | 'account-id'
  | 'amount'
  | 'boolean'
  | 'decimal'
  | 'enum'
  | 'factor'
  | 'hash'
  | 'height'
  | 'id'
  | 'json'
  /** A number that tells which one, such as an epoch or a version, or how numbers are written, such as decimal places. */
  | 'ordinal'
  | 'price'
  | 'size'
  | 'text'
  | 'time';

/** Whether values of a column of this kind may be added up. For a column without a description this is unknown. */
export const mayBeAdded = (kind: ColumnKind | null): boolean =>
  kind === 'amount' || kind === 'size' || kind === 'decimal';

/** Whose decimals an amount is counted in: of the asset, market or account that its row names. */
export type DecimalsSource =
  | 'asset'
  /** In units of the settlement asset. */
  | 'market'
  | 'price'
  | 'size'
  /** In units of the staking asset. */
  | 'stake'
  | 'account';

/** What amounts, prices and sizes are counted in. */
export interface ColumnUnit {
  readonly text: string;
  readonly countedBy: DecimalsSource;
}

/** A column by its current name. */
interface NamedColumn {
  readonly name: string;
  /** The schema version that added it; 1 if not given. */
  readonly since?: number;
  /** Its name before the schema version `until`. */
  readonly formerly?: { readonly name: string; readonly until: number };
}

export interface DescribedColumn extends NamedColumn {
  readonly type: ColumnType;
  readonly kind: ColumnKind;
  readonly unit?: ColumnUnit;
  readonly about: string;
  /** The meaning of its labels or numbers. Newer nodes may have more. */
  readonly values?: Readonly<Record<string, string>>;
}

export interface ExportedTable {
  readonly about: string;
  readonly columns: readonly (DescribedColumn | (NamedColumn & { readonly type?: undefined }))[];
}
