import { describe, expect, it } from 'vitest';
import { textLine } from '../../../src/explorer/core/line.ts';
import { columnsRangeText, fitTable, type ListColumn, tableHead, tableRow } from '../../../src/explorer/core/table.ts';

interface Person {
  readonly name: string;
  readonly age: number;
  readonly note: string;
}

const COLUMNS: readonly ListColumn<Person>[] = [
  { title: 'NAME', cells: 12, least: 6, isName: true, cell: ({ name }) => textLine(name) },
  { title: 'AGE', cells: 4, align: 'right', yields: 2, cell: ({ age }) => textLine(String(age), 'good') },
  { title: 'CITY', cells: 6, yields: 1, cell: (_, cells) => textLine(`${cells}`) },
  { title: 'NOTE', cells: 'rest', least: 5, cell: ({ note }) => textLine(note) },
];

const ADA: Person = { name: 'Ada Lovelace', age: 36, note: 'wrote the first program' };

const drawn = (columns: number): readonly string[] => {
  const table = fitTable(COLUMNS, columns);
  return [tableHead(table, columns), tableRow(table, ADA)].map(line => line.map(({ text }) => text).join(''));
};

describe('Columns of a table', () => {
  it('The columns of a table have their preferred width, and the last one the rest', () => {
    expect(drawn(60)).toEqual([
      '  NAME           AGE  CITY    NOTE                          ',
      ' Ada Lovelace    36  6       wrote the first program       ',
    ]);
  });

  it('The columns of a table are cut first, down to their minimum width', () => {
    expect(drawn(30)).toEqual(['  NAME      AGE  CITY    NOTE ', ' Ada Lo…    36  6       wrot…']);
  });

  it('The columns of a table are left out when the others have no room, those first that yield most', () => {
    expect(drawn(28)).toEqual(['  NAME         CITY    NOTE ', ' Ada Lovela…  6       wrot…']);
    expect(drawn(18)).toEqual(['  NAME       NOTE ', ' Ada Love…  wrot…']);
  });

  it('The columns of a table stay where they do not yield, however little room there is', () => {
    expect(drawn(10)).toEqual(['  NAME    ', ' Ada L…  ']);
  });

  it('The columns of a table that identify the selected row stand out, unless they have a colour', () => {
    const styles = tableRow(fitTable(COLUMNS, 60), ADA, true).filter(({ text }) => text.trim() !== '');
    expect(styles.map(({ style }) => style)).toEqual(['selected', 'good', 'plain', 'plain']);
  });

  it.each([
    { shown: 9, hiddenLeft: 0, hiddenRight: 0, text: '' },
    { shown: 7, hiddenLeft: 0, hiddenRight: 2, text: 'columns 1-7 of 9' },
    { shown: 6, hiddenLeft: 2, hiddenRight: 1, text: 'columns 1, 4-8 of 9' },
    { shown: 2, hiddenLeft: 7, hiddenRight: 0, text: 'columns 1, 9 of 9' },
    { shown: 1, hiddenLeft: 0, hiddenRight: 8, text: 'column 1 of 9' },
    { shown: 1, hiddenLeft: 3, hiddenRight: 5, text: 'column 1 of 9' },
  ])('The columns of a table that scrolls are named by their places: "$text"', ({ text, ...columns }) => {
    expect(columnsRangeText(columns)).toBe(text);
  });

  it('The columns of a table that scrolls are named in brief where there is little room', () => {
    expect(columnsRangeText({ shown: 6, hiddenLeft: 2, hiddenRight: 1 }, true)).toBe('cols 1, 4-8/9');
    expect(columnsRangeText({ shown: 1, hiddenLeft: 0, hiddenRight: 8 }, true)).toBe('col 1/9');
  });
});
