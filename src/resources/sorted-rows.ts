import { lookOf } from '../insight/kind.ts';
import { sortValue } from './cell.ts';
import type { CellPlace, Column, Row } from './resource.ts';

/** The rows sorted by what a column shows; equal ones keep their order. */
export function sortedRows(column: Column, rows: readonly Row[], place: CellPlace, isDescending: boolean) {
  const { compare } = lookOf(column.kind);
  const direction = isDescending ? -1 : 1;
  return rows
    .map(row => ({ row, value: sortValue(column, row, place) }))
    .sort((a, b) => direction * compare(a.value, b.value))
    .map(({ row }) => row);
}
