import { outsideOfBounds } from './bounds.ts';
import { jsonInWords } from './json-value.ts';
import { knownParameter, type ParameterFact } from './known-parameter.ts';
import { type ParameterType, parameterType } from './parameter-type.ts';
import { type ParameterUnit, unitGuessed } from './parameter-unit.ts';
import { type AmountUnit, type ValueInUnit, valueInUnit } from './value-in-unit.ts';

/** What a parameter and its value mean. */
export interface ParameterMeaning {
  /** Undefined for a key that no public release has. */
  readonly fact: ParameterFact | undefined;
  readonly unit: ParameterUnit;
  /** What says so: the node's releases, the name of an unknown key (a guess), or nothing but the text of the value. */
  readonly basis: 'release' | 'name' | 'text';
  readonly type: ParameterType;
  /** Undefined where the value is no number of anything. */
  readonly inUnit: ValueInUnit | undefined;
  /** The value for people; '' where it says no more than its text. */
  readonly words: string;
  /** A sentence when the value is none that a vote may set; '' otherwise. */
  readonly problem: string;
}

/** Of a parameter as the node sent it; `asset` is the unit of the asset that reward.asset names, as far as it is known. */
export function parameterMeaning(key: string, value: string, asset?: AmountUnit): ParameterMeaning {
  const fact = knownParameter(key);
  const type = parameterType(value);
  const { unit, basis } = unitOf(fact, key, value, type);
  const inUnit = valueInUnit(unit, value, asset);
  return {
    fact,
    unit,
    basis,
    type,
    inUnit,
    words: inUnit?.words ?? (unit === 'json' ? jsonInWords(value) : ''),
    problem: fact === undefined || unit !== fact.unit ? '' : outsideOfBounds(fact, value, asset),
  };
}

// The text overrules the name, and what it does not fit, it is not.
function unitOf(
  fact: ParameterFact | undefined,
  key: string,
  value: string,
  type: ParameterType,
): Pick<ParameterMeaning, 'unit' | 'basis'> {
  if (fact !== undefined && fits(fact.unit, value, type)) return { unit: fact.unit, basis: 'release' };
  if (type === 'json' || type === 'duration') return { unit: type, basis: 'text' };
  const guessed = unitGuessed(key);
  if (fact === undefined && guessed !== undefined && fits(guessed, value, type))
    return { unit: guessed, basis: 'name' };
  return { unit: type === 'integer' || type === 'decimal' ? 'none' : 'text', basis: 'text' };
}

function fits(unit: ParameterUnit, value: string, type: ParameterType): boolean {
  switch (unit) {
    case 'json':
      return type === 'json';
    case 'id':
    case 'text':
      return true;
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
    case 'none':
      return valueInUnit(unit, value, undefined) !== undefined;
  }
}
