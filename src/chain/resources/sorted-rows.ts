import { kindFormat } from '../insight/kind.ts';
import { sortValue } from './cell.ts';
import type { CellContext, Column, Row } from './resource.ts';

/** The rows sorted by what a column shows; equal ones keep their order. */
export function sortedRows(column: Column, rows: readonly Row[], context: CellContext, isDescending: boolean) {
  const { compare } = kindFormat(column.kind);
  const direction = isDescending ? -1 : 1;
  return rows
    .map(row => ({ row, value: sortValue(column, row, context) }))
    .sort((a, b) => direction * compare(a.value, b.value))
    .map(({ row }) => row);
}

/** Positions merged between two pauses. */
const STEP = 2048;

/**
 * The positions in order; equal ones keep their order. Merges in steps that can pause, and yields the part of the work done,
 * from 0 to 1.
 */
export function* sortedPositions(
  positions: Uint32Array<ArrayBuffer>,
  compare: (one: number, other: number) => number,
): Generator<number, Uint32Array<ArrayBuffer>> {
  const { length } = positions;
  const passes = Math.ceil(Math.log2(Math.max(2, length)));
  let from = positions.slice();
  let to = new Uint32Array(length);
  let merged = 0;
  for (let width = 1; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length);
      const end = Math.min(middle + width, length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const isLeft = left < middle && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
        to[at] = (isLeft ? from[left++] : from[right++]) ?? 0;
        if (++merged % STEP === 0) yield merged / (length * passes);
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
