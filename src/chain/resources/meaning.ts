import { readDuration } from '../../base/text/duration.ts';
import { isJsonArray, isJsonObject, isRawNumber, type Json, jsonText } from '../api/json.ts';
import { plainDecimal } from '../insight/decimal.ts';
import type { Kind } from '../insight/kind.ts';
import { memberUnit } from '../insight/parameter/parameter-unit.ts';
import { embeddedJson } from './tree.ts';

/** What decides the meaning of a record. */
export interface MeaningRules {
  readonly kinds: { readonly [path: string]: Kind };
  readonly unordered: { readonly [path: string]: unknown };
  readonly isLeftOut: (path: string) => boolean;
}

/** Below a document inside a text, where only member names identify the content. */
const IN_DOCUMENT = '*document*';

/**
 * A text that two values have in common exactly if they mean the same: 24h and 24h0m0s, 0.50 and 0.5, members in another
 * order, a list in another order where that means nothing. A member that is null or missing is the same.
 */
export function meaningKey(rules: MeaningRules, path: string, value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (isJsonArray(value)) {
    const items = value.map(item => meaningKey(rules, `${path}.*`, item));
    return `[${(Object.hasOwn(rules.unordered, path) ? items.toSorted() : items).join()}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter(name => value[name] !== null && !rules.isLeftOut(joinPattern(path, name)))
      .toSorted()
      .map(name => `${JSON.stringify(name)}:${meaningKey(rules, joinPattern(path, name), value[name])}`);
    return `{${members.join()}}`;
  }
  return scalarMeaning(rules, path, value);
}

/** Whether two values of a kind mean the same: 24h and 24h0m0s, 0.5 and 0.50, documents with the same content. */
export function isSameValue(kind: Kind, one: string, other: string): boolean {
  return one === other || valueMeaningKey(kind, one) === valueMeaningKey(kind, other);
}

/** A text that two values of a kind have in common exactly if they mean the same. */
export const valueMeaningKey = (kind: Kind, text: string): string =>
  meaningKey({ kinds: { '': kind }, unordered: {}, isLeftOut: () => false }, '', text);

/** Whether two records have the same members with the same values, in any order: null differs from missing. */
export function isSameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (isNumber(one) && isNumber(other)) return isSameNumber(jsonText(one), jsonText(other));
  if (isJsonArray(one) && isJsonArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index] ?? null));
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const members = Object.entries(one);
  if (members.length !== Object.keys(other).length) return false;
  return members.every(([name, item]) => Object.hasOwn(other, name) && isSameJson(item, other[name] ?? null));
}

/** The pattern of a member. A dot in its name must not look like a step. */
export const joinPattern = (path: string, name: string): string => {
  const step = /[.*"]/.test(name) ? JSON.stringify(name) : name;
  return path === '' ? step : `${path}.${step}`;
};

/** The document inside a text, and its path, if the kind of the text may be one. */
export function embeddedDocument(rules: MeaningRules, path: string, value: Json | undefined): Json | undefined {
  return typeof value === 'string' && ownKind(rules, path) === 'json' ? embeddedJson(value) : undefined;
}

export const documentPath = (path: string): string => `${path}.${IN_DOCUMENT}`;

function scalarMeaning(rules: MeaningRules, path: string, value: Json): string {
  const document = embeddedDocument(rules, path, value);
  if (document !== undefined) return `document ${meaningKey(rules, documentPath(path), document)}`;
  const text = jsonText(value);
  const isNumber = typeof value === 'number' || isRawNumber(value);
  const kind = ownKind(rules, path) ?? kindInDocument(path);
  return normalizeScalar(kind, text) ?? JSON.stringify((isNumber ? plainDecimal(text) : undefined) ?? text);
}

// A member may be called `constructor`.
const ownKind = ({ kinds }: MeaningRules, path: string): Kind | undefined =>
  Object.hasOwn(kinds, path) ? kinds[path] : undefined;

/** Of members of a parameter that are known by name. */
function kindInDocument(path: string): Kind | undefined {
  if (!path.includes(IN_DOCUMENT)) return undefined;
  const unit = memberUnit(path.slice(path.lastIndexOf('.') + 1));
  return unit === undefined ? undefined : unit === 'duration' ? 'json' : 'factor';
}

function normalizeScalar(kind: Kind | undefined, text: string): string | undefined {
  switch (kind) {
    case 'integer':
    case 'count':
    case 'ordinal':
    case 'amount':
    case 'factor':
    case 'share':
    case 'seconds':
    case 'time':
    case 'unix-time':
      return tagged('number', plainDecimal(text));
    case 'json':
      return tagged('number', plainDecimal(text)) ?? tagged('duration', readDuration(text)?.toString());
    // The case of an address is only its checksum.
    case 'address':
      return JSON.stringify(text.toLowerCase());
    default:
      return undefined;
  }
}

const tagged = (tag: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${tag} ${text}`;

const isNumber = (value: Json): boolean => typeof value === 'number' || isRawNumber(value);

const isSameNumber = (one: string, other: string): boolean =>
  one === other || isSame(plainDecimal(one), plainDecimal(other));

/** Whether both are readable and equal. */
const isSame = <Value extends string | bigint>(one: Value | undefined, other: Value | undefined): boolean =>
  one !== undefined && one === other;
