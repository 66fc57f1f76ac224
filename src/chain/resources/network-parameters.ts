import * as v from 'valibot';
import { REWARD_ASSET } from '../directory/denomination.ts';
import { type Directory, nameOf, unitOfAsset } from '../directory/directory.ts';
import { knownParameter } from '../insight/parameter/known-parameter.ts';
import { parameterGroup, parameterMeaning, parameterSummary } from '../insight/parameter/parameter-meaning.ts';
import { guessUnit, parameterType } from '../insight/parameter/parameter-unit.ts';
import { text } from './field.ts';
import { onceFor } from './once-for.ts';
import { defineResource } from './resource.ts';

/** The kind for comparing two values of this parameter: an id such as 1e2 is not a number. */
export function parameterKind(key: string): 'text' | 'json' {
  const unit = knownParameter(key)?.unit ?? guessUnit(key);
  return unit === 'id' || unit === 'text' ? 'text' : 'json';
}

export const networkParameters = defineResource({
  id: 'parameters',
  title: 'Parameters',
  shortTitle: 'Params',
  description: 'network governance settings',
  singular: 'network parameter',
  path: 'api/v2/network/parameters',
  wrapperKey: 'networkParameters',
  schema: v.object({ key: text, value: text }),
  filters: [],
  columns: [
    { id: 'key', title: 'KEY', kind: 'name', entity: 'parameter', isOwn: true, isAnswer: true, value: row => row.key },
    {
      id: 'words',
      title: 'VALUE',
      kind: 'quantity',
      isAnswer: true,
      value: row => parameterMeaning(row.key, row.value).words,
      named: ({ key, value }, { directory, rows }) =>
        wordsOf({ key, value }, rewardAsset(rows) || directory.rewardAsset, directory),
    },
    { id: 'value', title: 'RAW', kind: 'json', value: row => row.value },
    {
      id: 'type',
      title: 'TYPE',
      kind: 'text',
      isExtra: true,
      value: row => parameterType(row.value),
    },
  ],
  sections: [
    {
      title: 'Parameter',
      paths: ['key', 'value'],
      notes: row => [parameterType(row.value)],
    },
  ],
  kinds: { value: 'json' },
  paging: {
    byCursor: true,
    backward: true,
    oldestFirst: 'the node always sorts parameters by key',
    pageSize: 500,
  },
  groupOf: row => parameterGroup(row.key),
  about: row => parameterSummary(row.key, row.value),
  key: row => row.key,
});

interface Parameter {
  readonly key: string;
  readonly value: string;
}

function wordsOf({ key, value }: Parameter, asset: string | undefined, directory: Directory): string {
  if (key === REWARD_ASSET) return nameOf(directory, 'asset', value) ?? '';
  return parameterMeaning(key, value, unitOfAsset(directory, asset ?? '')).words;
}

/** The id of the asset that amounts in parameters count; '' if no row has it. */
const rewardAsset = onceFor(
  (rows: readonly Parameter[]): string => rows.find(({ key }) => key === REWARD_ASSET)?.value ?? '',
);
