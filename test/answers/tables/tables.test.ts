import { expect, test } from 'vitest';
import { columnSchema, SCHEMAS } from '../../../src/answers/tables/tables.ts';
import { columnsAt, mayBeNull } from '../../../src/export/check/table-columns.ts';
import { TABLES } from '../../../src/export/plan/tables.ts';

test('every table that can be exported has a schema, with the columns of version 93 in their order', () => {
  expect([...SCHEMAS.keys()]).toEqual(TABLES.map(({ id }) => id));
  for (const { name, columns } of SCHEMAS.values())
    expect(columns.map(column => column.name)).toEqual(columnsAt(name, 93));
});

test('the schema and the check of exports agree on which columns may be NULL', () => {
  for (const table of SCHEMAS.values())
    for (const { name, isNullable = false } of table.columns)
      expect([table.name, name, isNullable]).toEqual([table.name, name, mayBeNull(table.name, name)]);
});

test('every table has the time of its block', () => {
  for (const { columns, time } of SCHEMAS.values())
    expect(columns.find(({ name }) => name === time)?.stored).toBe('timestamp');
});

test('a column is found by the name it had at an older schema, and one that is not known is not', () => {
  expect(columnSchema('orders', 'initial_peak_size')?.name).toBe('peak_size');
  expect(columnSchema('markets', 'tick_size')).toBeUndefined();
  expect(columnSchema('unknown', 'id')).toBeUndefined();
  expect(columnSchema('orders', 'constructor')).toBeUndefined();
});
