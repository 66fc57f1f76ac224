import type { JsonObject } from '../api/json.ts';
import type { Directory } from '../directory/directory.ts';
import { sharePercent } from '../insight/paid-fees.ts';
import { type AmountSum, type Sums, sumText } from './amount-sums.ts';
import type { Column } from './resource.ts';
import { type Frequency, type FrequentValue, frequentText } from './tally.ts';

/** A value and how often it occurs, with the stable member names of docs/commands.md. */
export function valueRecord(
  column: Column,
  frequent: FrequentValue,
  { rows }: Frequency,
  directory: Directory,
): JsonObject {
  const { value, count } = frequent;
  const shown = value === '' ? '' : frequentText(column, frequent, directory);
  return { value, shown, count, share: sharePercent(String(count), String(rows)) ?? '' };
}

/** What amounts of one thing come to: in units with a symbol, in smallest units where it is empty. */
export function sumRecord(sum: AmountSum): JsonObject {
  const { counted, unit, count } = sum;
  return {
    of: counted?.of ?? '',
    id: counted?.id ?? '',
    symbol: unit?.symbol ?? '',
    count,
    sum: sumText(sum, sum.sum),
    least: sumText(sum, sum.least),
    largest: sumText(sum, sum.largest),
  };
}

export function frequencyJson(column: Column, frequency: Frequency, directory: Directory): JsonObject {
  return {
    column: column.id,
    rows: frequency.rows,
    values: frequency.values.map(value => valueRecord(column, value, frequency, directory)),
    ...sumsJson(frequency),
  };
}

export const sumsJson = ({ sums, unsummed }: Sums): JsonObject => ({
  sums: sums.map(sumRecord),
  unsummed,
});

export const frequencyCsv = (
  column: Column,
  frequency: Frequency,
  directory: Directory,
): readonly (readonly string[])[] =>
  withHead(
    ['value', 'shown', 'count', 'share'],
    frequency.values.map(value => valueRecord(column, value, frequency, directory)),
  );

export const sumsCsv = ({ sums }: Sums): readonly (readonly string[])[] =>
  withHead(['of', 'id', 'symbol', 'count', 'sum', 'least', 'largest'], sums.map(sumRecord));

const withHead = (names: readonly string[], records: readonly JsonObject[]): readonly (readonly string[])[] => [
  names,
  ...records.map(record => names.map(name => String(record[name] ?? ''))),
];
