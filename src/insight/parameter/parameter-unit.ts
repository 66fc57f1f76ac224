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

export const unitNamed = (name: string): ParameterUnit => UNITS.find(unit => unit === name) ?? 'none';

/** The unit guessed from the key of an unknown parameter, by the pattern of known ones; undefined if none fits. */
export function unitGuessed(key: string): ParameterUnit | undefined {
  if (key.length > LONGEST_KEY) return undefined;
  return GUESSES.find(([, pattern]) => pattern.test(key))?.[0];
}

// Some of the patterns are slow on very long keys.
const LONGEST_KEY = 200;

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
export const unitOfMember = (name: string): ParameterUnit | 'seconds' | undefined => MEMBERS.get(name);

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
