import type { Directory, Unit } from '../directory/directory.ts';
import { scaled } from '../insight/decimal.ts';
import { unitAt } from './amount-column.ts';
import type { Column, CsvForm, Row } from './resource.ts';

/**
 * Adds to each amount column the exact amount in its unit, and once the unit's symbol; both are empty if the unit is
 * unknown. Amounts of one record have one unit.
 */
export function withUnits(form: CsvForm, directory: Directory): CsvForm {
  const first = form.columns.find(({ unit }) => unit !== undefined);
  return {
    ...form,
    columns: form.columns.flatMap(column => {
      if (column.unit === undefined) return [column];
      const { id, title } = column;
      const value = (row: Row): string => scaledIn(column.value(row), unitAt(column, row, directory));
      const inUnits: Column = { id: `${id}_scaled`, title, kind: 'integer', value };
      if (column !== first) return [column, inUnits];
      const symbolOf = (row: Row): string => unitAt(column, row, directory)?.symbol ?? '';
      return [column, inUnits, { id: 'symbol', title: 'SYMBOL', kind: 'text', value: symbolOf }];
    }),
  };
}

const scaledIn = (value: string, unit: Unit | undefined): string =>
  unit === undefined ? '' : (scaled(value, unit.decimals) ?? '');
