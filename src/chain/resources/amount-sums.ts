import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import type { Denomination } from '../directory/denomination.ts';
import { type Directory, nameOrEnds, type Unit } from '../directory/directory.ts';
import { groupDigits, toWholeUnits } from '../insight/decimal.ts';
import { cellUnit } from './amount-column.ts';
import type { Column, Row } from './resource.ts';

/** The exact sum of amounts of one asset; amounts of different assets are never added. */
export interface AmountSum {
  /** Their denomination; null for plain numbers. */
  readonly counted: Denomination | null;
  /** Null while unknown: the amounts are then in smallest units. */
  readonly unit: Unit | null;
  readonly count: number;
  readonly sum: bigint;
  readonly least: bigint;
  readonly largest: bigint;
}

export interface Sums {
  readonly sums: readonly AmountSum[];
  /** Rows without a value that is a whole number. */
  readonly unsummed: number;
}

/** Whether the values of a column may be added: a score, a price or a number that tells which one has no sum. */
export const isSummable = ({ kind }: Column): boolean => SUMMABLE.some(summable => summable === kind);

const SUMMABLE = ['amount', 'count'] as const;

/** Adds up the values of a column row by row; ignores columns that cannot be added up. */
export function createSums(column: Column, directory: Directory) {
  const sums = new Map<string, { -readonly [member in keyof AmountSum]: AmountSum[member] }>();
  let unsummed = 0;
  const add = (row: Row): void => {
    if (!isSummable(column)) return;
    const text = column.value(row);
    const counted = ofOneThing(column.unit?.(row), directory);
    // An amount of an unknown asset is not added to anything.
    if (!WHOLE.test(text) || (column.kind === 'amount' && !counted?.id)) {
      unsummed++;
      return;
    }
    const value = BigInt(text);
    const key = counted === null ? '' : `${counted.of} ${counted.id.toLowerCase()}`;
    const known = sums.get(key);
    if (known === undefined) {
      const unit = cellUnit(column, row, directory) ?? null;
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

// 2^256 has 78 digits, so any amount fits.
const WHOLE = /^-?\d{1,300}$/;

/** Two markets may settle in one asset; if that is unknown, each market has its own sum. */
function ofOneThing(counted: Denomination | undefined, { markets, rewardAsset = '' }: Directory): Denomination | null {
  if (counted === undefined) return null;
  const { of, id } = counted;
  const asset = of === 'market' ? (markets.get(id.toLowerCase())?.asset ?? '') : of === 'stake' ? rewardAsset : '';
  return asset === '' ? counted : { of: 'asset', id: asset };
}

/** An amount of a sum with every digit, ungrouped, in units if they are known. */
export const sumText = ({ unit }: AmountSum, value: bigint): string =>
  (unit === null ? undefined : toWholeUnits(String(value), unit.decimals)) ?? String(value);

/** The same for people. */
export const groupedSumText = (sum: AmountSum, value: bigint): SafeText => sanitize(groupDigits(sumText(sum, value)));

/** The unit of a sum: its symbol, or the asset whose smallest units they are; '' for plain numbers. */
export function sumUnit({ unit, counted }: AmountSum, directory: Directory): SafeText {
  if (unit !== null) return unit.symbol;
  if (counted === null) return sanitize('');
  const { of, id } = counted;
  if (of === 'stake') return safeText`smallest unit of the staking asset`;
  const entity = of === 'asset' ? 'asset' : 'market';
  return safeText`smallest unit, ${sanitize(entity)} ${nameOrEnds(directory, entity, id)}`;
}
