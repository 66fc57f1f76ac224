import { isJsonObject, jsonText, member, parseJson } from '../../chain/api/json.ts';
import type { Kind } from '../../chain/insight/kind.ts';
import { createHistory, readSegments } from '../../chain/range/segment-history.ts';
import { liquidityProvisions } from '../../chain/resources/liquidity-provisions.ts';
import { markets } from '../../chain/resources/markets.ts';
import { networkParameters, parameterKind } from '../../chain/resources/network-parameters.ts';
import { oracleSpecs } from '../../chain/resources/oracle-specs.ts';
import { paidLiquidityFees } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Resource, Row } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { validators } from '../../chain/resources/validators.ts';

/** How the records of one list are compared. docs/guides/diff.md has the same in words. */
export interface ListRules {
  readonly id: string;
  /** The name of records in a sentence: `validators`. */
  readonly plural: string;
  /** Undefined for lists without a tab. */
  readonly resource?: Resource;
  /** Finds the same record on the other side. */
  readonly keyOf: (row: Row) => string;
  /** The key where the records of one side lack this member, which only newer versions have. */
  readonly olderKey?: { readonly lacks: string; readonly keyOf: (row: Row) => string };
  /** Of members by path, with `*` for each element; members without a kind are text. */
  readonly kindsOf: (row: Row) => { readonly [path: string]: Kind };
  /**
   * Lists within a record whose order is irrelevant, and the members that identify an element; none if only the whole
   * element does.
   */
  readonly unordered: { readonly [path: string]: readonly string[] };
  /** Members that change all the time. */
  readonly moving?: { readonly what: string; readonly isMoving: (path: string) => boolean };
  /**
   * Records that only one side has are not a change, since the list grows at one end and is cut at the other; except
   * those that fill a gap of the other side.
   */
  readonly isWindow?: {
    readonly what: string;
    /** Tells of a record whether it is in a gap of these. */
    readonly gapsIn: (rows: readonly Row[]) => (row: Row) => boolean;
  };
}

function historyGaps(rows: readonly Row[]): (row: Row) => boolean {
  const { gaps } = createHistory(readSegments({ segments: rows }) ?? []);
  return row =>
    (readSegments({ segments: [row] }) ?? []).some(({ fromHeight, toHeight }) =>
      gaps.some(({ from, to }) => fromHeight <= to && from <= toHeight),
    );
}

/** These members and those below them. */
const isAtOrBelow =
  (...paths: readonly string[]) =>
  (path: string): boolean =>
    paths.some(one => path === one || path.startsWith(`${one}.`));

const isNoneOf =
  (...paths: readonly string[]) =>
  (path: string): boolean =>
    !paths.includes(path);

const kinds = (kind: Kind, ...paths: readonly string[]): { readonly [path: string]: Kind } =>
  Object.fromEntries(paths.map(path => [path, kind]));

/** Made once, as there may be very many records. */
const constant =
  <Value>(value: Value) =>
  (): Value =>
    value;

const rulesForResource = (
  resource: Resource,
  more: ListRules['kindsOf'] extends (row: Row) => infer K ? K : never = {},
) => ({
  id: resource.id,
  plural: resource.id,
  resource,
  keyOf: resource.keyOf,
  kindsOf: constant({ ...more, ...resource.kinds }),
});

/** A list of one record. */
const singleRecordRules = (id: string, what: string, steady: readonly string[]): ListRules => ({
  id,
  plural: id,
  keyOf: () => id,
  kindsOf: constant({}),
  unordered: {},
  moving: { what, isMoving: isNoneOf(...steady) },
});

const SPEC = 'externalDataSourceSpec.spec';

/** Definitions of data sources: every filter and condition has to hold, in any order. */
const unorderedInDataSource = (path: string): ListRules['unordered'] => ({
  [`${path}.external.ethOracle.filters`]: [],
  [`${path}.external.ethOracle.filters.*.conditions`]: [],
  [`${path}.external.ethOracle.normalisers`]: ['name'],
  [`${path}.external.oracle.signers`]: [],
  [`${path}.external.oracle.filters`]: [],
  [`${path}.external.oracle.filters.*.conditions`]: [],
  [`${path}.internal.time.conditions`]: [],
  [`${path}.internal.timeTrigger.conditions`]: [],
  [`${path}.internal.timeTrigger.triggers`]: [],
});

const INSTRUMENT = 'tradableInstrument.instrument';
const SPECS_OF_MARKET = [
  `${INSTRUMENT}.future.dataSourceSpecForSettlementData`,
  `${INSTRUMENT}.future.dataSourceSpecForTradingTermination`,
  `${INSTRUMENT}.perpetual.dataSourceSpecForSettlementData`,
  `${INSTRUMENT}.perpetual.dataSourceSpecForSettlementSchedule`,
];

const PROVISION = ['', 'pending.'];

const joinMembers = (row: Row, ...names: readonly string[]): string =>
  names.map(name => jsonText(member(row, name))).join('/');

const TEXT_VALUE = kinds('text', 'value');
const SETTING_VALUE = kinds('json', 'value');

/** In the order in which changes are shown. */
export const LIST_RULES: readonly ListRules[] = [
  {
    ...rulesForResource(networkParameters),
    kindsOf: row => (parameterKind(jsonText(row.key)) === 'text' ? TEXT_VALUE : SETTING_VALUE),
    unordered: {},
  },
  {
    ...rulesForResource(signerBundles),
    olderKey: { lacks: 'chainId', keyOf: row => joinMembers(row, 'oldSigner', 'submitter', 'nonce') },
    unordered: {},
  },
  {
    ...rulesForResource(oracleSpecs),
    unordered: unorderedInDataSource(`${SPEC}.data`),
    moving: { what: 'the time of the last update', isMoving: isAtOrBelow(`${SPEC}.updatedAt`) },
  },
  {
    ...rulesForResource(markets, {
      ...kinds('factor', 'linearSlippageFactor', 'quadraticSlippageFactor', 'liquiditySlaParams.priceRange'),
      ...kinds('factor', 'liquiditySlaParams.commitmentMinTimeFraction', 'liquiditySlaParams.slaCompetitionFactor'),
      ...kinds('factor', 'liquidationStrategy.disposalFraction', 'liquidationStrategy.maxFractionConsumed'),
      ...kinds('factor', 'lpPriceRange', 'liquidationStrategy.disposalSlippageRange'),
      ...kinds('factor', 'liquidityMonitoringParameters.triggeringRatio'),
      ...kinds('integer', 'tickSize', 'markPriceConfiguration.sourceWeights.*'),
      ...kinds('factor', 'priceMonitoringSettings.parameters.triggers.*.probability'),
      ...kinds('integer', 'markPriceConfiguration.decayWeight', 'markPriceConfiguration.cashAmount'),
      ...kinds('seconds', 'liquidityMonitoringParameters.auctionExtension'),
      ...kinds('address', ...SPECS_OF_MARKET.map(path => `${path}.data.external.ethOracle.address`)),
      ...kinds('json', ...SPECS_OF_MARKET.map(path => `${path}.data.external.ethOracle.abi`)),
    }),
    unordered: {
      [`${INSTRUMENT}.metadata.tags`]: [],
      'priceMonitoringSettings.parameters.triggers': [],
      ...Object.assign({}, ...SPECS_OF_MARKET.map(path => unorderedInDataSource(`${path}.data`))),
    },
    moving: {
      what: 'the time of the last update of their oracle specs',
      isMoving: isAtOrBelow(...SPECS_OF_MARKET.map(path => `${path}.updatedAt`)),
    },
  },
  {
    id: 'assets',
    plural: 'assets',
    keyOf: row => jsonText(row.id),
    kindsOf: constant({
      ...kinds('id', 'id'),
      ...kinds('amount', 'details.quantum', 'details.erc20.lifetimeLimit', 'details.erc20.withdrawThreshold'),
      ...kinds('count', 'details.decimals'),
      ...kinds('address', 'details.erc20.contractAddress'),
    }),
    unordered: {},
  },
  {
    ...rulesForResource(
      validators,
      kinds(
        'integer',
        ...['rawValidatorScore', 'performanceScore', 'multisigScore', 'validatorScore', 'normalisedScore'].map(
          name => `rewardScore.${name}`,
        ),
        ...['stakeScore', 'performanceScore', 'rankingScore'].map(name => `rankingScore.${name}`),
      ),
    ),
    unordered: { delegations: ['party', 'nodeId'] },
    moving: {
      what: 'scores and voting power, which change at every epoch',
      isMoving: isAtOrBelow(
        ...['epochData', 'delegations.*.epochSeq', 'rankingScore.votingPower'],
        ...['rawValidatorScore', 'performanceScore', 'validatorScore', 'normalisedScore'].map(
          name => `rewardScore.${name}`,
        ),
        ...['stakeScore', 'performanceScore', 'rankingScore'].map(name => `rankingScore.${name}`),
      ),
    },
  },
  {
    ...rulesForResource(liquidityProvisions),
    unordered: Object.fromEntries(
      PROVISION.flatMap(prefix => ['buys', 'sells'].map(side => [`${prefix}${side}`, ['orderId']])),
    ),
    moving: {
      what: 'the time of the last update',
      isMoving: path => PROVISION.some(prefix => path === `${prefix}updatedAt`),
    },
  },
  {
    id: 'providers',
    plural: 'providers',
    keyOf: row => joinMembers(row, 'marketId', 'partyId'),
    kindsOf: constant({
      ...kinds('factor', 'feeShare.equityLikeShare', 'feeShare.averageScore', 'sla.hysteresisPeriodFeePenalties.*'),
      ...kinds('factor', 'sla.currentEpochFractionOfTimeOnBook', 'sla.lastEpochFractionOfTimeOnBook'),
      ...kinds('factor', 'sla.lastEpochFeePenalty', 'sla.lastEpochBondPenalty'),
      ...kinds('amount', 'feeShare.averageEntryValuation', 'feeShare.virtualStake', 'sla.requiredLiquidity'),
      ...kinds('amount', 'sla.notionalVolumeBuys', 'sla.notionalVolumeSells'),
    }),
    unordered: {},
    moving: { what: 'shares, scores and time on the book', isMoving: isAtOrBelow('feeShare', 'sla') },
  },
  { ...rulesForResource(paidLiquidityFees), unordered: { feesPaidPerParty: ['party'] } },
  {
    id: 'segments',
    plural: 'history segments',
    keyOf: row => `${jsonText(row.fromHeight)}-${jsonText(row.toHeight)}`,
    kindsOf: constant({}),
    unordered: {},
    isWindow: { what: 'that only one side has', gapsIn: historyGaps },
  },
  singleRecordRules('status', 'block, epoch, times and traffic', [
    ...['chainId', 'chainVersion', 'appVersion', 'appVersionHash', 'genesisTime', 'status'],
  ]),
  { ...singleRecordRules('info', '', []), moving: { what: 'nothing', isMoving: () => false } },
];

export const findListRules = (list: string): ListRules | undefined => LIST_RULES.find(({ id }) => id === list);

/** A stored record in the shape of its list: earlier releases stored provisions as pairs. Undefined if it cannot be read. */
export function parseStoredRow({ resource }: Pick<ListRules, 'resource'>, record: string): Row | undefined {
  try {
    const row = parseJson(record);
    return isJsonObject(row) ? (resource?.flat?.(row) ?? row) : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a record of a list, by which it is found on the other side; undefined if it cannot be read. */
export function recordKey(list: string, record: string): string | undefined {
  const rules = findListRules(list);
  const row = rules && parseStoredRow(rules, record);
  return row && rules.keyOf(row);
}
