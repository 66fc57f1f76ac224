import { jsonInWords } from './json-value.ts';
import { knownParameter, type ParameterFact } from './known-parameter.ts';
import { parameterType } from './parameter-type.ts';
import { type ParameterUnit, unitGuessed } from './parameter-unit.ts';
import { type AmountUnit, type ValueInUnit, valueInUnit } from './value-in-unit.ts';

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
  const said = fact && inUnitOf(fact.unit, value, asset);
  if (said !== undefined) return { fact, basis: 'release', ...said };
  return { fact, ...guessed(fact === undefined ? key : '', value, asset) };
}

type Reading = Pick<ParameterMeaning, 'unit' | 'inUnit' | 'words'>;

// The text of the value wins over the name of the key.
function guessed(key: string, value: string, asset: AmountUnit | undefined): Reading & Pick<ParameterMeaning, 'basis'> {
  const type = parameterType(value);
  const unit = unitGuessed(key);
  const byText = type === 'json' || type === 'duration' ? inUnitOf(type, value, asset) : undefined;
  if (byText !== undefined) return { basis: 'text', ...byText };
  const byName = unit && inUnitOf(unit, value, asset);
  if (byName !== undefined) return { basis: 'name', ...byName };
  const isNumber = type === 'integer' || type === 'decimal';
  return { basis: 'text', ...((isNumber && inUnitOf('none', value, asset)) || TEXT) };
}

const TEXT: Reading = { unit: 'text', inUnit: undefined, words: '' };

/** The value in that unit; undefined if its text does not fit. */
function inUnitOf(unit: ParameterUnit, value: string, asset: AmountUnit | undefined): Reading | undefined {
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
