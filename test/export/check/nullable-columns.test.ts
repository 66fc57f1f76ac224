import { expect, test } from 'vitest';
import { columnsAt, columnVersions, exportTables, mayBeNull } from '../../../src/export/check/table-columns.ts';
import columnFacts from '../../fixtures/export-columns.json' with { type: 'json' };

const facts = new Map(Object.entries(columnFacts.tables));

test('what may be NULL at schema 93 is exactly what the database of a node says', () => {
  expect(exportTables.toSorted()).toEqual([...facts.keys()].toSorted());
  for (const [table, { columns }] of facts) {
    for (const { name, notNull } of columns) expect(`${name} ${!mayBeNull(table, name)}`).toBe(`${name} ${notNull}`);
  }
});

test('of a column that schema 93 does not have nothing is demanded', () => {
  for (const table of exportTables) {
    const known = new Set(columnsAt(table, 93));
    const ever = columnVersions(table).flatMap(version => columnsAt(table, version) ?? []);
    for (const column of ever)
      if (!known.has(column)) expect(`${column} ${mayBeNull(table, column)}`).toBe(`${column} true`);
  }
  expect(mayBeNull('constructor', 'x')).toBe(true);
});
