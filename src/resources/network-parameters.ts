import * as v from 'valibot';
import { parameterMeaning } from '../insight/parameter/parameter-meaning.ts';
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
    { id: 'key', title: 'KEY', kind: 'name', entity: 'parameter', isOwn: true, value: row => row.key },
    { id: 'value', title: 'VALUE', kind: 'json', value: row => row.value },
    { id: 'meaning', title: 'IN WORDS', kind: 'text', value: row => parameterMeaning(row.key, row.value).words },
    { id: 'type', title: 'TYPE', kind: 'text', value: row => parameterMeaning(row.key, row.value).type },
  ],
  sections: [
    {
      title: 'Parameter',
      paths: ['key', 'value'],
      notes: row => {
        const { type, words } = parameterMeaning(row.key, row.value);
        return [words === '' ? type : `${type}: ${words}`];
      },
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
