import * as v from 'valibot';
import { expect, it } from 'vitest';
import { text } from '../../../src/chain/resources/field.ts';
import { networkParameters } from '../../../src/chain/resources/network-parameters.ts';
import { defineResource, type Row } from '../../../src/chain/resources/resource.ts';

/** A resource of which every part says what it was given. */
function watched() {
  const fields: unknown[] = [];
  const rows: unknown[] = [];
  const seen = (row: { readonly key: string }, all: unknown = rows[0]): string => {
    fields.push(row);
    rows.push(all);
    return row.key;
  };
  const resource = defineResource({
    ...networkParameters,
    schema: v.object({ key: text }),
    columns: [
      { id: 'key', title: 'KEY', kind: 'name', value: row => seen(row), qualifier: (row, all) => `${seen(row, all)} ` },
      { id: 'ids', title: 'IDS', kind: 'count', value: () => '1', ids: row => [seen(row)] },
    ],
    sections: [
      {
        title: 'Noted',
        paths: ['key'],
        notes: (row, around) => [seen(row, around.rows), Object.keys(around.filters).join()],
      },
      { title: 'Plain', paths: ['value'] },
    ],
    key: row => seen(row),
  });
  return { resource, fields, rows };
}

it('A row is decoded once, and the rows of a page are one list, for all that is derived from them', () => {
  const { resource, fields, rows } = watched();
  const row: Row = { key: 'b', value: 'x' };
  const page = [{ key: 'a' }, row];
  const [name, ids] = resource.columns;
  const [noted] = resource.sections;
  expect(name?.qualifier?.(row, page)).toBe('b ');
  expect(noted?.notes?.(row, { filters: { live: [] }, rows: page })).toEqual(['b', 'live']);
  expect([resource.keyOf(row), name?.value(row), ids?.value(row), ids?.ids?.(row)]).toEqual(['b', 'b', '1', ['b']]);
  expect(fields.length).toBe(5);
  expect([new Set(fields).size, new Set(rows).size]).toEqual([1, 1]);
});

it('A column or a section without its own qualifier, ids or notes has none', () => {
  const { columns, sections } = watched().resource;
  expect(columns.map(column => Object.keys(column).filter(part => part === 'ids' || part === 'qualifier'))).toEqual([
    ['qualifier'],
    ['ids'],
  ]);
  expect(sections[1]).toEqual({ title: 'Plain', paths: ['value'] });
});
