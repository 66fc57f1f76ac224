import type { Stored } from '../../export/check/table-columns.ts';

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

/** Whose decimals an amount is counted in: of the asset, market or account that its row names. */
export type CountedBy =
  | 'asset'
  /** In units of the settlement asset. */
  | 'market'
  | 'price'
  | 'size'
  /** In units of the staking asset. */
  | 'stake'
  | 'account';

/** The units of amounts, and whose decimals they have. */
export const UNITS = {
  'asset decimals of column asset': 'asset',
  'asset decimals of asset_id': 'asset',
  'asset decimals of the settlement asset of market_id (quote asset on a spot market)': 'market',
  'asset decimals of the settlement asset of market (quote asset on a spot market)': 'market',
  'asset decimals of the settlement asset, NOT market decimals': 'market',
  'market decimals (markets.decimal_places)': 'price',
  'position decimals (markets.position_decimal_places)': 'size',
  'asset decimals of the account asset': 'account',
  'asset decimals of the account asset (both sides share it; no asset column)': 'account',
  'asset decimals of the asset of account_id (asset known only through the account mapping)': 'account',
  'decimals of the staking token (asset named by network parameter reward.asset, 18 on mainnet)': 'stake',
} as const satisfies { readonly [unit: string]: CountedBy };

/** A column as people need it described. */
export interface DescribedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly about: string;
  readonly unit?: keyof typeof UNITS;
  /** The meaning of its labels or numbers. Newer nodes may have more. */
  readonly values?: Readonly<Record<string, string>>;
}

export interface ColumnSchema extends DescribedColumn {
  readonly stored: Stored;
}

/** The columns of an exported table at schema 93 (v0.74.10), in file order. */
export interface DescribedTable {
  readonly name: string;
  readonly about: string;
  /** What a row is, and which columns identify it. */
  readonly row: string;
  /** The column with the time of the block; every table has one. */
  readonly time: 'vega_time';
  readonly columns: readonly DescribedColumn[];
}

export interface TableSchema extends DescribedTable {
  readonly columns: readonly ColumnSchema[];
}
