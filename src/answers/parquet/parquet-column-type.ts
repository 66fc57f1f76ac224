import type { DatabaseType } from '../../tables/table.ts';

/** The type that a column has in Parquet: the usual one of its description, or another. */
export type ParquetColumnType =
  | { readonly kind: 'usual' }
  /** The scale of a decimal in a folder that an earlier release wrote. */
  | { readonly kind: 'scale'; readonly scale: number }
  /** Some value does not fit. */
  | { readonly kind: 'text' };

export const USUAL_COLUMN_TYPE: ParquetColumnType = { kind: 'usual' };
export const TEXT_COLUMN_TYPE: ParquetColumnType = { kind: 'text' };

/**
 * Digits after the decimal point, by the possible values of a column and never by the content of one file, so that files
 * of two months have one type. A share (`double`) is 100 at most, and its shortest form may have 17 digits after many
 * zeros. An average is in smallest units, so it needs more room before the point.
 */
const SCALES = { whole: 0, average: 10, numeric: 18, double: 30 } as const;

type Decimal = keyof typeof SCALES;

/** Whether a column may have decimals. */
export const isDecimal = (stored: DatabaseType | null): stored is Decimal =>
  stored !== null && Object.hasOwn(SCALES, stored);

/** The scale of a decimal column. */
export function decimalScale(columnType: ParquetColumnType, stored: DatabaseType | null): number {
  if (columnType.kind === 'scale') return columnType.scale;
  return isDecimal(stored) ? SCALES[stored] : 0;
}
