import * as v from 'valibot';
import { parameterMeaning, parameterType } from '../insight/parameter.ts';
import { text } from './field.ts';
import { defineResource } from './resource.ts';

export const networkParameters = defineResource({
  id: 'parameters',
  title: 'Parameters',
  singular: 'network parameter',
  path: 'api/v2/network/parameters',
  wrapperKey: 'networkParameters',
  schema: v.object({ key: text, value: text }),
  filters: [],
  columns: [
    { id: 'key', title: 'KEY', kind: 'name', value: row => row.key },
    { id: 'value', title: 'VALUE', kind: 'json', value: row => row.value },
    { id: 'meaning', title: 'IN WORDS', kind: 'text', value: row => parameterMeaning(row.value) },
    { id: 'type', title: 'TYPE', kind: 'text', value: row => parameterType(row.value) },
  ],
  sections: [
    {
      title: 'Parameter',
      paths: ['key', 'value'],
      notes: row => [
        `${parameterType(row.value)}${parameterMeaning(row.value) === '' ? '' : `: ${parameterMeaning(row.value)}`}`,
      ],
    },
  ],
  kinds: { value: 'json' },
  paging: {
    byCursor: true,
    backward: true,
    oldestFirst: 'the node always sorts parameters by key',
    pageSize: 500,
  },
  key: row => row.key,
});
