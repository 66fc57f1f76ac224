import { secondsInWords } from '../../base/text/duration.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText } from '../api/json.ts';
import { REWARD_ASSET } from '../directory/denomination.ts';
import { type Directory, nameOf, type Unit, unitOfAsset } from '../directory/directory.ts';
import {
  describeUnknownKey,
  FACTS_VERSION,
  type ParameterFact,
  removedParameter,
} from '../insight/parameter/known-parameter.ts';
import {
  boundsInWords,
  boundsWarning,
  type ParameterMeaning,
  parameterMeaning,
} from '../insight/parameter/parameter-meaning.ts';
import { memberUnit, parameterType, valueInUnit } from '../insight/parameter/parameter-unit.ts';
import type { Row } from '../resources/resource.ts';
import { embeddedJson, isScalar } from '../resources/tree.ts';
import { askRewardAsset } from './ask-parameter.ts';
import type { ExplainContext, ExplainedLine, Explainer, ExplanationPart } from './explanation.ts';

/** A parameter's value in its unit, its meaning and its limits. */
export const explainParameter: Explainer = async (row, knowledge) => {
  const parameter = { key: jsonText(row.key), value: jsonText(row.value) };
  const asset = await rewardAsset(parameter, knowledge);
  const unit = asset === '' ? undefined : unitOfAsset(knowledge.directory, asset);
  const explained = { ...parameter, asset, unit, meaning: parameterMeaning(parameter.key, parameter.value, unit) };
  const members = explained.meaning.unit === 'json' ? memberLines(parameter.value) : [];
  return {
    parts: [
      { title: '', lines: headline(explained, knowledge.directory) },
      ...(members.length === 0 ? [] : [{ title: 'Fields of the value', lines: members }]),
      limits(explained),
    ],
    json: asJson(explained),
    copies: [],
  };
};

interface Parameter {
  readonly key: string;
  readonly value: string;
}

interface Explained extends Parameter {
  /** Id of the asset the value counts or names; '' for none. */
  readonly asset: string;
  readonly unit: Unit | undefined;
  readonly meaning: ParameterMeaning;
}

/** The id of the asset that amounts in parameters count, from the page of the parameter or from the node. */
async function rewardAsset({ key, value }: Parameter, { around, ask, directory }: ExplainContext): Promise<string> {
  if (key === REWARD_ASSET) return value;
  if (parameterMeaning(key, value).unit !== 'asset-amount') return '';
  const isIt = (row: Row): boolean => jsonText(row.key) === REWARD_ASSET;
  const beside = jsonText(around.rows.find(isIt)?.value);
  if (beside !== '') return beside;
  return directory.rewardAsset || askRewardAsset(ask);
}

function headline({ key, value, asset, unit, meaning }: Explained, directory: Directory): readonly ExplainedLine[] {
  const { fact, words } = meaning;
  const problem = boundsWarning(meaning, value, unit);
  return [
    { label: '', text: fact?.meaning ?? `Meaning unknown: ${describeUnknownKey(key)}.` },
    { label: 'value', text: shownValue(value, words), copied: value },
    ...(asset === ''
      ? []
      : [
          {
            label: 'asset',
            text: nameOf(directory, 'asset', asset) ?? asset,
            copied: asset,
            leadsTo: { entity: 'asset', id: asset } as const,
          },
        ]),
    ...(problem === '' ? [] : [{ label: '', text: `The value is ${problem}.`, tone: 'pending' } as const]),
    ...effectLines(fact),
  ];
}

const shownValue = (value: string, words: string): string => {
  if (words === '' || words === value) return value === '' ? '(empty)' : value;
  return value.length > MAX_INLINE_VALUE_LENGTH ? words : `${words}  (${value})`;
};

// A document is shown below, among the fields as sent.
const MAX_INLINE_VALUE_LENGTH = 80;

function effectLines(fact: ParameterFact | undefined): readonly ExplainedLine[] {
  switch (fact?.effect) {
    case 'deprecated':
      return [{ label: '', text: 'Deprecated: it has no effect, and the node refuses a change.', tone: 'quiet' }];
    case 'unused':
      return [{ label: '', text: `A vote may change it, but nothing in ${FACTS_VERSION} reads it.`, tone: 'quiet' }];
    case 'locked':
      return [{ label: '', text: 'No vote may change it.', tone: 'quiet' }];
    case 'usual':
    case undefined:
      return [];
  }
}

function limits({ value, meaning, unit }: Explained): ExplanationPart {
  const { fact, basis } = meaning;
  const bounds = fact === undefined ? '' : boundsInWords(fact, unit);
  const lines = [
    { label: 'unit', text: `${UNIT_WORDS[meaning.unit]}${BASIS_WORDS[basis]}` },
    { label: 'kind', text: fact?.kind ?? parameterType(value) },
    { label: 'a vote may set', text: bounds },
    { label: 'and', text: fact?.rule ?? '' },
    { label: `default of ${FACTS_VERSION}`, text: fact === undefined ? '' : defaultText(fact, unit) },
    { label: 'since', text: fact?.since ?? '' },
  ];
  return { title: 'Details', lines: lines.filter(({ text }) => text !== '') };
}

const BASIS_WORDS: { readonly [basis in ParameterMeaning['basis']]: string } = {
  release: '',
  name: ', guessed from the name of the key',
  text: ', judged by the text of the value',
};

const UNIT_WORDS: { readonly [unit in ParameterMeaning['unit']]: string } = {
  duration: 'duration',
  fraction: 'fraction, 1 is 100 %',
  factor: 'factor',
  'asset-amount': `smallest units of the asset that ${REWARD_ASSET} names`,
  quantum: "multiples of an asset's quantum",
  'boolean-int': '1 is yes, 0 is no',
  count: 'number',
  blocks: 'blocks',
  epochs: 'epochs',
  levels: 'price levels',
  json: 'JSON document',
  id: 'id',
  text: 'text',
  none: 'number',
};

function defaultText({ byDefault, unit }: ParameterFact, asset: Unit | undefined): string {
  if (byDefault === '') return '';
  const words = valueInUnit(unit, byDefault, asset)?.words ?? '';
  return shownValue(byDefault, words);
}

function asJson({ key, value, unit, meaning }: Explained): JsonObject {
  const { fact, inUnit } = meaning;
  const removed = removedParameter(key);
  const inFact = fact === undefined ? undefined : valueInUnit(fact.unit, fact.byDefault, unit);
  return {
    key,
    value: { raw: value, value: inUnit?.value || null, symbol: inUnit?.value ? inUnit.symbol : null },
    words: meaning.words || null,
    meaning: fact?.meaning ?? null,
    unit: meaning.unit,
    basis: meaning.basis,
    kind: fact?.kind ?? null,
    bounds: fact === undefined ? null : boundsAsJson(fact),
    problem: boundsWarning(meaning, value, unit) || null,
    default:
      fact === undefined || fact.byDefault === ''
        ? null
        : { raw: fact.byDefault, value: inFact?.value || null, symbol: inFact?.value ? inFact.symbol : null },
    since: fact?.since ?? removed?.since ?? null,
    until: removed?.until ?? null,
    effect: fact?.effect ?? null,
  };
}

const boundsAsJson = ({ bounds, rule }: ParameterFact): JsonObject => ({
  least: bounds.least || null,
  isAboveLeast: bounds.isAboveLeast,
  most: bounds.most || null,
  isBelowMost: bounds.isBelowMost,
  rule: rule || null,
});

/** Every member of a JSON parameter, in words where its unit is known: `triggers[0].horizon  6 min`. */
function memberLines(text: string): readonly ExplainedLine[] {
  const document = embeddedJson(text);
  if (document === undefined) return [];
  const lines: ExplainedLine[] = [];
  const members = scalarMembers(document, { name: '', path: '', depth: 0 });
  for (const { name, path, value } of members) {
    if (lines.length === MAX_DOCUMENT_LINES) return [...lines, { label: '', text: 'and more', tone: 'quiet' }];
    const raw = value === null ? 'null' : jsonText(value);
    const shown = isScalar(value) ? memberWords(name, raw) || raw : raw;
    lines.push({ label: path, text: shown === '' ? '(empty)' : shown, copied: raw });
  }
  return lines;
}

/** So that no node can fill the screen. */
const MAX_DOCUMENT_LINES = 500;
const DEEPEST = 20;

interface MemberPosition {
  readonly name: string;
  readonly path: string;
  readonly depth: number;
}

/** Members that have none themselves, in the order of the document. */
function* scalarMembers(
  value: Json,
  { name, path, depth }: MemberPosition,
): Generator<{ readonly name: string; readonly path: string; readonly value: Json }> {
  const members = isJsonArray(value)
    ? value.map((item, index) => ['', `${path}[${index}]`, item] as const)
    : isJsonObject(value)
      ? Object.entries(value).map(([own, item]) => [own, path === '' ? own : `${path}.${own}`, item] as const)
      : [];
  if (members.length === 0 || depth === DEEPEST) {
    if (path !== '') yield { name, path, value };
    return;
  }
  for (const [own, inner, item] of members) yield* scalarMembers(item, { name: own, path: inner, depth: depth + 1 });
}

function memberWords(name: string, text: string): string {
  const unit = memberUnit(name);
  if (unit === undefined) return '';
  return unit === 'seconds' ? secondsInWords(text) : (valueInUnit(unit, text, undefined)?.words ?? '');
}
