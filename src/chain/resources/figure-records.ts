import type { RecordFormat, RecordsToSerialise } from '../../base/text/serialise.ts';
import { indentedJson, type JsonObject, printJson } from '../api/json.ts';
import type { Directory } from '../directory/directory.ts';
import { sharePercent } from '../insight/paid-fees.ts';
import { type AmountSum, type Sums, sumText } from './amount-sums.ts';
import type { Column } from './resource.ts';
import { type Frequency, type FrequentValue, frequentValueText } from './tally.ts';

/** A value and how often it occurs, with the stable member names of docs/guides/lists.md. */
function valueRecord(column: Column, frequent: FrequentValue, { rows }: Frequency, directory: Directory): JsonObject {
  const { value, count } = frequent;
  const shown = value === '' ? '' : frequentValueText(column, frequent, directory);
  return { value, shown, count, share: sharePercent(String(count), String(rows)) ?? '' };
}

/** The total of the amounts of one thing: in units with a symbol, in smallest units if it is empty. */
function sumRecord(sum: AmountSum): JsonObject {
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

function frequencyJson(column: Column, frequency: Frequency, directory: Directory): JsonObject {
  return {
    column: column.id,
    rows: frequency.rows,
    values: frequency.values.map(value => valueRecord(column, value, frequency, directory)),
    ...sumsJson(frequency),
  };
}

const sumsJson = ({ sums, unsummed }: Sums): JsonObject => ({
  sums: sums.map(sumRecord),
  unsummed,
});

/** How often values occur, for files and programs. */
export const frequencyForms = (
  column: Column,
  frequency: Frequency,
  directory: Directory,
): RecordsToSerialise<FrequentValue> => ({
  records: frequency.values,
  ...recordForms(['value', 'shown', 'count', 'share'], value => valueRecord(column, value, frequency, directory)),
  document: () => indentedJson(frequencyJson(column, frequency, directory)),
});

/** The totals of a column, for files and programs. */
export const sumsForms = ({ id }: Column, sums: Sums): RecordsToSerialise<AmountSum> => ({
  records: sums.sums,
  ...recordForms(['of', 'id', 'symbol', 'count', 'sum', 'least', 'largest'], sumRecord),
  document: () => indentedJson({ column: id, ...sumsJson(sums) }),
});

const recordForms = <T>(names: readonly string[], recordOf: (value: T) => JsonObject): RecordFormat<T> => ({
  head: () => names,
  cells: value => {
    const record = recordOf(value);
    return [names.map(name => String(record[name] ?? ''))];
  },
  json: value => printJson(recordOf(value)),
});
