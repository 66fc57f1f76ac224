import type { DatasetTable } from '../dataset/open-dataset.ts';
import { smallestId } from '../questions/cells.ts';
import type { AnswerColumn, ReadyAnswer } from '../questions/question.ts';

/** A column of an answer in the viewer, and its place in a row of the answer. */
export type AnsweredColumn = DatasetTable['columns'][number] & { readonly place: number };

/**
 * The columns that people read, in a form that can be sorted, summed and drawn over time: numbers are exact and without
 * words. Amounts with unknown decimals are in a separate column of smallest units.
 */
export function answeredColumns({ columns, rows }: ReadyAnswer): readonly AnsweredColumn[] {
  const isIn = (place: number): boolean => rows.some(row => (row[place] ?? null) !== null);
  return columns.flatMap((column, shownAt): readonly AnsweredColumn[] => {
    const place = columns.findIndex(({ id, in: where }) => where === 'data' && id === column.id);
    if (column.in === 'data') return [];
    if (column.align === 'left' || place < 0) return [plainColumn(column, shownAt, rows)];
    const smallestAt = columns.findIndex(({ id }) => id === smallestId(column.id));
    const isUnknown = rows.some(row => (row[place] ?? null) === null && (row[smallestAt] ?? null) !== null);
    const whole = amountColumn(column.title, column.unit, place);
    if (!isUnknown) return [whole];
    const smallest = amountColumn(`${column.title} smallest`, columns[smallestAt]?.unit ?? '', smallestAt);
    return isIn(place) ? [whole, smallest] : [smallest];
  });
}

const amountColumn = (name: string, unit: string, place: number): AnsweredColumn => ({
  ...{ name, unit, place },
  type: 'VARCHAR',
  kind: 'decimal',
  about: '',
});

function plainColumn({ id, title, align }: AnswerColumn, place: number, rows: ReadyAnswer['rows']): AnsweredColumn {
  const type = TIMES.includes(id) ? timeType(rows.flatMap(row => row[place] ?? [])) : undefined;
  return {
    ...{ name: title, place, unit: '', about: '' },
    type: type ?? 'VARCHAR',
    kind: type === undefined ? (align === 'right' ? 'decimal' : 'text') : 'time',
  };
}

const TIMES = ['time', 'day', 'since'];

/** The type of times in the engine's format. */
function timeType(texts: readonly string[]): 'DATE' | 'TIMESTAMP' | undefined {
  if (texts.length === 0) return undefined;
  if (texts.every(text => /^\d{4}-\d\d-\d\d$/.test(text))) return 'DATE';
  const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/.test(text);
  return texts.every(isTime) ? 'TIMESTAMP' : undefined;
}
