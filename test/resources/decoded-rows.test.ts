import * as v from 'valibot';
import { expect, it } from 'vitest';
import { text } from '../../src/resources/field.ts';
import { networkParameters } from '../../src/resources/network-parameters.ts';
import { defineResource } from '../../src/resources/resource.ts';

it('a row is decoded once, and the rows of a page are one list for all that is made of it', () => {
  const seenFields: unknown[] = [];
  const seenRows: unknown[] = [];
  const {
    columns: [column],
    keyOf,
  } = defineResource({
    ...networkParameters,
    sections: [],
    schema: v.object({ key: text }),
    columns: [
      {
        id: 'key',
        title: 'KEY',
        kind: 'name',
        value: ({ key }) => key,
        qualifier: (fields, rows) => {
          seenFields.push(fields);
          seenRows.push(rows);
          return `${rows.indexOf(fields)} `;
        },
      },
    ],
    key: fields => {
      seenFields.push(fields);
      return fields.key;
    },
  });
  const [a, b] = [{ key: 'a' }, { key: 'b' }];
  const rows = [a, b];
  expect([keyOf(b), column?.qualifier?.(b, rows), column?.qualifier?.(b, rows)]).toEqual(['b', '1 ', '1 ']);
  expect(new Set(seenFields).size).toBe(1);
  expect(new Set(seenRows).size).toBe(1);
});
