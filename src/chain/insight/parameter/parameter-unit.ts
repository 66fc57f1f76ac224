import { anyJson } from '../../../base/text/any-json.ts';
import { durationInWords, readDuration } from '../../../base/text/duration.ts';
import { readAddress, readId } from '../../../base/text/ids.ts';
import { groupDigits, plainDecimal, toWholeUnits } from '../decimal.ts';

/** The unit of a parameter value. */
export type ParameterUnit =
  | 'duration'
  /** 1 is 100 %. */
  | 'fraction'
  /** A multiplier. */
  | 'factor'
  /** Smallest units of the asset in the parameter reward.asset. */
  | 'asset-amount'
  /** Multiples of an asset's quantum. */
  | 'quantum'
  /** 0 or 1. */
  | 'boolean-int'
  | 'count'
  | 'blocks'
  | 'epochs'
  | 'levels'
  | 'json'
  | 'id'
  | 'text'
  /** A plain number of unknown unit. */
  | 'none';

const UNITS: readonly ParameterUnit[] = [
  'duration',
  'fraction',
  'factor',
  'asset-amount',
  'quantum',
  'boolean-int',
  'count',
  'blocks',
  'epochs',
  'levels',
  'json',
  'id',
  'text',
];

export const parseUnit = (name: string): ParameterUnit => UNITS.find(unit => unit === name) ?? 'none';

/** The unit guessed from the key of an unknown parameter, by the pattern of known ones; undefined if none fits. */
export function guessUnit(key: string): ParameterUnit | undefined {
  if (key.length > MAX_KEY_LENGTH) return undefined;
  return GUESSES.find(([, pattern]) => pattern.test(key))?.[0];
}

// Some of the patterns are slow on very long keys.
const MAX_KEY_LENGTH = 200;

/** The first match wins. */
const GUESSES: readonly (readonly [ParameterUnit, RegExp])[] = [
  ['duration', /^governance\.proposal\..*\.(?:min|max)(?:Close|Enact)$/],
  ['fraction', /required(?:Participation|Majority)(?:LP)?$|EquityLikeShare$/],
  ['asset-amount', /\.min(?:Proposer|Voter)Balance$|\.min\.tokens$|minStakedVegaTokens$|minimumValidatorStake$/],
  ['asset-amount', /maxPayoutPer(?:Epoch|Participant)$|delegation\.minAmount$|minMultisigUpdates$/],
  ['quantum', /\.min\.funds$|Quantum|^governance\.proposal\..*\.maxAmount$|minimumTransfer$|MinimumTrackedAmount$/],
  ['boolean-int', /Enabled$|\.enabled$/],
  ['text', /EnabledFrom$/],
  ['blocks', /Blocks$|BlockDelay$|interval\.length$/],
  ['epochs', /minEpochs|inactivityLimit$/],
  [
    'duration',
    /Duration$|Frequency$|TimeStep$|timeWindow$|[wW]indowLength$|epoch\.length$|\.delay$|Delay$|timeElapsed/,
  ],
  ['count', /\.max\.\w+$|max.*(?:PerEpoch|Tiers|Orders|Updates)$|\.number$|numberOf\w+$|maxSize$/],
  ['levels', /[lL]evels$/],
  ['fraction', /fee\.factors\.\w+$|FeeFactorLevel$|[fF]raction$|Proportion$|Share$|[rR]atio$|Rate$|\.required$/],
  ['fraction', /^referralProgram\.max.*Factor$|DiscountFactor$|fee\.factor$|Bonus$|Penalty$|PenaltyMax$/],
  ['factor', /Factor$|scaling$|Multiplier$|Slope$/],
  ['json', /Configs?$|benefitTiers$|Parameters$|Factors$/],
  ['id', /\.asset$/],
];

/** The unit of a member in a JSON parameter, by its name; undefined if unknown. */
export const memberUnit = (name: string): ParameterUnit | 'seconds' | undefined => MEMBERS.get(name);

const MEMBERS: ReadonlyMap<string, ParameterUnit | 'seconds'> = new Map([
  ['threshold', 'duration'],
  ['duration', 'duration'],
  ['block_time', 'duration'],
  ['confirmations', 'blocks'],
  ['block_interval', 'blocks'],
  ['search_level', 'factor'],
  ['initial_margin', 'factor'],
  ['collateral_release', 'factor'],
  ['horizon', 'seconds'],
  ['auction_extension', 'seconds'],
  ['probability', 'fraction'],
  ['minimum_activity_streak', 'epochs'],
  ['reward_multiplier', 'factor'],
  ['vesting_multiplier', 'factor'],
  ['minimum_quantum_balance', 'quantum'],
]);

/** A value as an exact quantity. */
export interface ValueInUnit {
  /** A plain decimal number, ungrouped; `true` or `false` for a switch; '' for an amount with unknown decimals. */
  readonly value: string;
  /** `s`, `%`, `VEGA`, `blocks`; '' for plain numbers. */
  readonly symbol: string;
  /** For people: `365 d`, `66 %`, `10 000 VEGA`. */
  readonly words: string;
}

/** The unit of amounts of the reward asset. */
export interface AmountUnit {
  readonly symbol: string;
  readonly decimals: number;
}

/** A value in its unit; undefined if its text does not fit the unit or is not a number. */
export function valueInUnit(unit: ParameterUnit, text: string, asset: AmountUnit | undefined): ValueInUnit | undefined {
  switch (unit) {
    case 'duration':
      return durationOf(text);
    case 'fraction':
      return fractionOf(text);
    case 'asset-amount':
      return amountOf(text, asset);
    case 'boolean-int':
      return switchOf(text);
    case 'factor':
      return numberOf(text, 'x');
    case 'quantum':
      return numberOf(text, 'quantums');
    case 'blocks':
      return numberOf(text, 'blocks');
    case 'epochs':
      return numberOf(text, 'epochs');
    case 'levels':
      return numberOf(text, 'levels');
    case 'count':
    case 'none':
      return numberOf(text, '');
    case 'json':
    case 'id':
    case 'text':
      return undefined;
  }
}

function durationOf(text: string): ValueInUnit | undefined {
  const ns = readDuration(text);
  const seconds = ns === undefined ? undefined : toWholeUnits(String(ns), 9);
  return ns === undefined || seconds === undefined
    ? undefined
    : { value: seconds, symbol: 's', words: durationInWords(ns) };
}

function fractionOf(text: string): ValueInUnit | undefined {
  const percents = shiftDecimal(text, 2);
  return percents === undefined ? undefined : inWords(percents, '%');
}

// Amounts are whole: a fraction of a smallest unit is shown as sent.
function amountOf(text: string, asset: AmountUnit | undefined): ValueInUnit | undefined {
  const whole = plainDecimal(text);
  if (whole === undefined) return undefined;
  const value = asset === undefined ? undefined : toWholeUnits(whole, asset.decimals);
  if (asset === undefined || value === undefined) return { value: '', symbol: '', words: smallest(whole) };
  return inWords(value, asset.symbol);
}

function smallest(whole: string): string {
  const [, digits = '', zeros = ''] = (whole.length > MAX_GROUPED_LENGTH && /^(-?\d*[1-9])(0{4,})$/.exec(whole)) || [];
  // No one counts twenty zeros.
  const power = digits === '1' ? `10^${zeros.length}` : `${groupDigits(digits)} x 10^${zeros.length}`;
  const number = digits === '' ? groupDigits(whole) : power;
  return `${number} smallest ${whole === '1' ? 'unit' : 'units'}`;
}

const MAX_GROUPED_LENGTH = 9;

function switchOf(text: string): ValueInUnit | undefined {
  if (text !== '0' && text !== '1') return undefined;
  return { value: String(text === '1'), symbol: '', words: text === '1' ? 'yes' : 'no' };
}

function numberOf(text: string, plural: string): ValueInUnit | undefined {
  const value = plainDecimal(text);
  return value === undefined ? undefined : inWords(value, value === '1' ? plural.replace(/s$/, '') : plural);
}

const inWords = (value: string, symbol: string): ValueInUnit => ({
  value,
  symbol,
  words: symbol === '' ? groupDigits(value) : `${groupDigits(value)} ${symbol}`,
});

function shiftDecimal(text: string, power: number): string | undefined {
  const plain = plainDecimal(text);
  return plain === undefined ? undefined : plainDecimal(`${plain}e${power}`);
}

/** The type a parameter value looks like, since the node sends only text. */
export type ParameterType =
  | 'integer'
  | 'decimal'
  | 'duration'
  | 'time'
  | 'json'
  | 'boolean'
  | 'id'
  | 'address'
  | 'text'
  | 'empty';

export function parameterType(value: string): ParameterType {
  if (value === '') return 'empty';
  for (const [type, matches] of FORMS)
    if (matches(value)) return type === 'json' && anyJson(value) === undefined ? 'text' : type;
  return readDuration(value) === undefined ? 'text' : 'duration';
}

const FORMS: readonly (readonly [ParameterType, (value: string) => boolean])[] = [
  ['integer', value => /^-?\d+$/.test(value)],
  ['decimal', value => /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value)],
  ['boolean', value => /^(?:true|false)$/i.test(value)],
  ['address', value => readAddress(value) !== undefined],
  ['id', value => readId(value) !== undefined],
  ['time', value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)],
  ['json', value => /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(value)],
];
