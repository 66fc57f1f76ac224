import type { Counted } from '../directory/counted.ts';
import { type Directory, nameOf, type Unit } from '../directory/directory.ts';
import { groupDigits, scaled } from '../insight/decimal.ts';
import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { truncateMiddle } from '../text/width.ts';
import { unitAt } from './amount-column.ts';
import type { Column, Row } from './resource.ts';

/** What amounts of one thing come to, exactly: those of different assets are never added. */
export interface AmountSum {
  /** What they count; null of numbers of nothing. */
  readonly counted: Counted | null;
  /** Null while it is not known: then they are in smallest units. */
  readonly unit: Unit | null;
  readonly count: number;
  readonly sum: bigint;
  readonly least: bigint;
  readonly largest: bigint;
}

export interface Sums {
  readonly sums: readonly AmountSum[];
  /** Rows whose value is no whole number, or none. */
  readonly unsummed: number;
}

/** Whether the values of a column can be added. */
export const isSummable = ({ kind }: Column): boolean => SUMMABLE.some(summable => summable === kind);

const SUMMABLE = ['amount', 'count', 'integer'] as const;

/** Adds up the values of a column, of rows as they come; of a column that cannot be added up nothing. */
export function createSums(column: Column, directory: Directory) {
  const sums = new Map<string, { -readonly [member in keyof AmountSum]: AmountSum[member] }>();
  let unsummed = 0;
  const add = (row: Row): void => {
    if (!isSummable(column)) return;
    const text = column.value(row);
    const counted = ofOneThing(column.unit?.(row), directory);
    // What nobody knows the asset of is added to nothing.
    if (!WHOLE.test(text) || (column.kind === 'amount' && !counted?.id)) {
      unsummed++;
      return;
    }
    const value = BigInt(text);
    const key = counted === null ? '' : `${counted.of} ${counted.id.toLowerCase()}`;
    const known = sums.get(key);
    if (known === undefined) {
      const unit = unitAt(column, row, directory) ?? null;
      sums.set(key, { counted, unit, count: 1, sum: value, least: value, largest: value });
      return;
    }
    known.count++;
    known.sum += value;
    if (value < known.least) known.least = value;
    if (value > known.largest) known.largest = value;
  };
  const result = (): Sums => ({ sums: [...sums.values()], unsummed });
  return { add, result };
}

// 2^256 has 78 digits; nobody pays more.
const WHOLE = /^-?\d{1,300}$/;

/** Two markets may settle in one asset; where that is not known, amounts of each are on their own. */
function ofOneThing(counted: Counted | undefined, { markets }: Directory): Counted | null {
  if (counted === undefined) return null;
  const asset = counted.of === 'market' ? (markets.get(counted.id.toLowerCase())?.asset ?? '') : '';
  return asset === '' ? counted : { of: 'asset', id: asset };
}

/** An amount of a sum with every digit, ungrouped: in units where they are known. */
export const sumText = ({ unit }: AmountSum, value: bigint): string =>
  (unit === null ? undefined : scaled(String(value), unit.decimals)) ?? String(value);

/** The same for people. */
export const sumShown = (sum: AmountSum, value: bigint): SafeText => sanitize(groupDigits(sumText(sum, value)));

/** What a sum is of: the symbol of its unit, or whose smallest units they are; '' of plain numbers. */
export function sumUnit({ unit, counted }: AmountSum, directory: Directory): SafeText {
  if (unit !== null) return unit.symbol;
  if (counted === null) return sanitize('');
  const { of, id } = counted;
  const entity = of === 'asset' ? 'asset' : 'market';
  const name = nameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), 10);
  return safeText`smallest unit, ${sanitize(entity)} ${name}`;
}
