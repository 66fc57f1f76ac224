import type { ViewerColumn } from '../../../answers/index.ts';

/**
 * The order of the columns on the screen: time, kind, amount, asset and owner first, so that the narrowest screen has
 * them; then the rest as in the file; hashes and other times last. A table without times, an answer and the view of a
 * whole row keep the order of the file.
 */
export function columnOrder(columns: readonly ViewerColumn[]): readonly number[] {
  const indexes = [...columns.keys()];
  const first = columns.findIndex(({ shape }) => shape === 'time');
  if (first === -1 || columns.some(({ isAnswer = false }) => isAnswer)) return indexes;
  const words = columns.filter(({ shape }) => shape === 'word');
  const kinds = words.filter(({ name }) => KIND.test(name));
  const numbers = columns.filter(({ name, shape }) => /^(?:number|ordinal)$/.test(shape) && !BESIDE.test(name));
  const leading = new Set([...(kinds.length === 0 ? words.slice(0, 1) : kinds), ...numbers.slice(0, LEADING_NUMBERS)]);
  const weight = (index: number): number => {
    const column = columns[index];
    if (column === undefined || index === first) return 0;
    return columnRank(column, leading.has(column));
  };
  return indexes.toSorted((one, other) => weight(one) - weight(other) || one - other);
}

export const drawnColumns = (columns: readonly ViewerColumn[]): readonly ViewerColumn[] =>
  columnOrder(columns).flatMap(index => columns[index] ?? []);

const KIND = /^(?:type|reward_type|side|status|state|aggressor)$/;

/** Numbers that are meaningful only together with another: running numbers, and the remaining balance of an account. */
const BESIDE = /^seq_num$|^version$|batch(?:_id)?$|^locked_|_places$|^account_.*_balance$/;

const LEADING_NUMBERS = 2;

function columnRank({ name, shape }: ViewerColumn, isLeading: boolean): number {
  switch (shape) {
    case 'word':
      return isLeading ? 1 : 7;
    case 'ordinal':
      return BESIDE.test(name) ? 6 : 2;
    case 'number':
      return isLeading ? 3 : 6;
    case 'id':
      if (/(?:^|_)hash$/.test(name)) return 8;
      return /^(?:asset|market)(?:_id)?$/.test(name) ? 4 : 5;
    case 'text':
      return 7;
    case 'time':
      return 9;
  }
}
