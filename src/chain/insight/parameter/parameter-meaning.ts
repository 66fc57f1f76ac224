import { anyJson } from '../../../base/text/any-json.ts';
import { readDuration } from '../../../base/text/duration.ts';
import { countOf } from '../count-of.ts';
import { compareDecimals, plainDecimal, toWholeUnits } from '../decimal.ts';
import {
  type Bounds,
  describeUnknownKey,
  FACTS_VERSION,
  knownParameter,
  type ParameterFact,
} from './known-parameter.ts';
import {
  type AmountUnit,
  guessUnit,
  type ParameterUnit,
  parameterType,
  type ValueInUnit,
  valueInUnit,
} from './parameter-unit.ts';

/** What a parameter and its value mean. */
export interface ParameterMeaning {
  /** Undefined for a key in no public release. */
  readonly fact: ParameterFact | undefined;
  readonly unit: ParameterUnit;
  /** The source of the unit: the node's releases, the name of an unknown key (a guess), or the text of the value. */
  readonly basis: 'release' | 'name' | 'text';
  /** Undefined if the value is not a quantity. */
  readonly inUnit: ValueInUnit | undefined;
  /** The value for people; '' if the same as its text. */
  readonly words: string;
}

/** The meaning of a parameter as sent; `asset` is the unit of the asset in reward.asset, if known. */
export function parameterMeaning(key: string, value: string, asset?: AmountUnit): ParameterMeaning {
  const fact = knownParameter(key);
  const known = fact && readInUnit(fact.unit, value, asset);
  if (known !== undefined) return { fact, basis: 'release', ...known };
  return { fact, ...guessed(fact === undefined ? key : '', value, asset) };
}

type Reading = Pick<ParameterMeaning, 'unit' | 'inUnit' | 'words'>;

// The text of the value wins over the name of the key.
function guessed(key: string, value: string, asset: AmountUnit | undefined): Reading & Pick<ParameterMeaning, 'basis'> {
  const type = parameterType(value);
  const unit = guessUnit(key);
  const byText = type === 'json' || type === 'duration' ? readInUnit(type, value, asset) : undefined;
  if (byText !== undefined) return { basis: 'text', ...byText };
  const byName = unit && readInUnit(unit, value, asset);
  if (byName !== undefined) return { basis: 'name', ...byName };
  const isNumber = type === 'integer' || type === 'decimal';
  return { basis: 'text', ...((isNumber && readInUnit('none', value, asset)) || TEXT) };
}

const TEXT: Reading = { unit: 'text', inUnit: undefined, words: '' };

/** The value in that unit; undefined if its text does not fit. */
function readInUnit(unit: ParameterUnit, value: string, asset: AmountUnit | undefined): Reading | undefined {
  switch (unit) {
    case 'id':
    case 'text':
      return { unit, inUnit: undefined, words: '' };
    case 'json':
      return parameterType(value) === 'json' ? { unit, inUnit: undefined, words: jsonInWords(value) } : undefined;
    case 'duration':
    case 'fraction':
    case 'factor':
    case 'asset-amount':
    case 'quantum':
    case 'boolean-int':
    case 'count':
    case 'blocks':
    case 'epochs':
    case 'levels':
    case 'none': {
      const inUnit = valueInUnit(unit, value, asset);
      return inUnit && { unit, inUnit, words: inUnit.words };
    }
  }
}

/** The meaning and bounds of a parameter in a line or two: `length: Length of an epoch. 1 s to 10 d 15 h.` */
export function parameterSummary(key: string, value: string): string {
  const meaning = parameterMeaning(key, value);
  const { fact, basis } = meaning;
  const { name: whole } = parameterGroup(key);
  const name = whole.length > MAX_NAME_LENGTH ? `${whole.slice(0, MAX_NAME_LENGTH)}\u2026` : whole;
  if (fact === undefined) {
    const guess = basis === 'name' ? '; its unit is guessed from its name' : '';
    return `${name}: ${describeUnknownKey(key)}${guess}`;
  }
  const bounds = boundsInWords(fact);
  const rest =
    boundsWarning(meaning, value) !== ''
      ? `Outside what a vote may set in ${FACTS_VERSION}: ${bounds}.`
      : capital(bounds);
  return `${name}: ${fact.meaning}${rest === '' ? '' : ` ${rest}`}`;
}

const MAX_NAME_LENGTH = 100;

const capital = (text: string): string => (text === '' ? '' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);

/** What a vote may set, in words: `1 s to 365 d`, `more than 0 %, at most 100 %`, `at least 1`; '' without bounds. */
export function boundsInWords({ unit, bounds }: ParameterFact, asset?: AmountUnit): string {
  const { least, most, isAboveLeast, isBelowMost } = bounds;
  const words = (bound: string): string => boundInWords(unit, bound, asset);
  if (least !== '' && most !== '' && !isAboveLeast && !isBelowMost) return `${words(least)} to ${words(most)}`;
  return [
    least === '' ? '' : `${isAboveLeast ? 'more than' : 'at least'} ${words(least)}`,
    most === '' ? '' : `${isBelowMost ? 'less than' : 'at most'} ${words(most)}`,
  ]
    .filter(text => text !== '')
    .join(', ');
}

/** Warns that no vote could have set the value; '' if one could. A chain may start with values that are not checked. */
export function boundsWarning({ fact, basis }: ParameterMeaning, value: string, asset?: AmountUnit): string {
  if (fact === undefined || basis !== 'release' || !isOutside(fact.unit, fact.bounds, value)) return '';
  const bounds = boundsInWords(fact, asset);
  return `outside what a vote may set in ${FACTS_VERSION}: ${bounds}; the chain may have started with it, or its node has other bounds`;
}

// `at least 0.000000000000000001` would make the reader count zeros.
function boundInWords(unit: ParameterUnit, bound: string, asset: AmountUnit | undefined): string {
  const isSmall = unit === 'asset-amount' && compareDecimals(bound, '1000000') < 0;
  return valueInUnit(unit, bound, isSmall ? undefined : asset)?.words ?? bound;
}

function isOutside(unit: ParameterUnit, { least, most, isAboveLeast, isBelowMost }: Bounds, text: string): boolean {
  const value = comparable(unit, text);
  if (value === undefined) return false;
  const order = (bound: string): number => compareDecimals(value, comparable(unit, bound) ?? '0');
  const isTooLittle = least !== '' && (isAboveLeast ? order(least) <= 0 : order(least) < 0);
  return isTooLittle || (most !== '' && (isBelowMost ? order(most) >= 0 : order(most) > 0));
}

function comparable(unit: ParameterUnit, text: string): string | undefined {
  if (unit !== 'duration') return plainDecimal(text);
  const ns = readDuration(text);
  return ns === undefined ? undefined : toWholeUnits(String(ns), 0);
}

/**
 * The group of a parameter, from the prefix of its key, and its name in the group. Below `governance.proposal` each kind of
 * proposal is a group. A prefix of only a few keys is not a group, to save the room of its heading.
 */
export function parameterGroup(key: string): { readonly title: string; readonly name: string } {
  if (key.length > MAX_KEY_LENGTH) return { title: '', name: key };
  const [, title = ''] = LARGE.exec(key) ?? /^([^.]+)\../.exec(key) ?? [];
  return title === '' ? { title: '', name: key } : { title, name: key.slice(title.length + 1) };
}

// A longer key does not fit in a heading.
const MAX_KEY_LENGTH = 200;

const LARGE =
  /^(governance\.proposal\.[^.]+|market\.fee\.factors|market\.liquidity|network\.validators|reward\.staking\.delegation|spam\.(?:pow|protection))\../;

/** A document in a few words: the name and length of its only list, or the number of its members. */
function jsonInWords(text: string): string {
  if (text.length > MAX_DOCUMENT_LENGTH) return '';
  const document = anyJson(text);
  if (Array.isArray(document)) return countOf(document.length, 'element');
  if (typeof document !== 'object' || document === null) return '';
  const members = Object.entries(document);
  const [first] = members;
  if (members.length === 1 && first !== undefined && Array.isArray(first[1])) return `${first[0]}: ${first[1].length}`;
  return countOf(members.length, 'member');
}

// Runs for a cell at every key press.
const MAX_DOCUMENT_LENGTH = 100_000;
