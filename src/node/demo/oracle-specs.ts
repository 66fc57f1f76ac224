import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, lastHistoryBlock, startHeight } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { deactivationHeight, deactivationInterval } from './live-events.ts';
import type { Market } from './markets.ts';
import * as define from './oracle-definitions.ts';
import { demoSchedules, type SpecSchedule } from './oracle-schedules.ts';
import { Dice, seededHex } from './seeded-random.ts';

type ScheduleName = keyof ReturnType<typeof demoSchedules>;
type SpecPlan = readonly [define.Definition, ScheduleName];

/** A spec of the demo chain and the values that arrive for it. */
export interface PlannedSpec {
  readonly id: string;
  readonly definition: define.SpecDefinition;
  readonly schedule: SpecSchedule;
  /** The market that uses the spec, if any: the spec is active for as long. */
  readonly market: Market | undefined;
}

/** The specs of each market that is not a spot market: a price, and a termination or funding schedule. */
const MARKET_SPEC_PLANS: readonly (readonly [settlement: SpecPlan, other: SpecPlan])[] = [
  [
    [define.ethereumPriceCall, 'eachMinute'],
    [define.internalTimeTrigger, 'eachEightHours'],
  ],
  [
    [define.ethereumPriceCall, 'eachFiveMinutes'],
    [define.internalTimeTrigger, 'soon'],
  ],
  [
    [define.signedByKey, 'eachFiveMinutes'],
    [define.internalTimeTrigger, 'eachHour'],
  ],
  [
    [define.ethereumStructCall, 'forAYear'],
    [define.internalTimeTrigger, 'eachEightHours'],
  ],
  [
    [define.ethereumPriceCall, 'overdue'],
    [define.internalTimeTrigger, 'eachHour'],
  ],
  [
    [define.ethereumSettlementCall, 'once'],
    [define.internalTime, 'once'],
  ],
  [
    [define.signedByKey, 'never'],
    [define.internalTime, 'once'],
  ],
  [
    [define.signedByEthereum, 'eachHour'],
    [define.internalTimeTrigger, 'eachHour'],
  ],
  [
    [define.ethereumPriceCall, 'soon'],
    [define.internalTimeTrigger, 'eachEightHours'],
  ],
  [
    [define.ethereumSettlementCall, 'onceOverdue'],
    [define.signedByEthereum, 'never'],
  ],
];

/** Specs that markets no longer use, or do not use yet. */
const OTHER_SPEC_PLANS: readonly SpecPlan[] = [
  [define.ethereumPriceCall, 'over'],
  [define.signedByKey, 'eachFiveMinutes'],
  [define.internalTime, 'onceOver'],
  [define.ethereumOddCall, 'forAYear'],
  [define.internalTimeTrigger, 'soon'],
  [define.signedByEthereum, 'eachHour'],
  [define.ethereumPriceCall, 'eachHour'],
  [define.ethereumSettlementCall, 'onceOver'],
  [define.signedByKey, 'eachHour'],
  [define.internalTimeTrigger, 'notBegun'],
  [define.ethereumPriceCall, 'notBegun'],
  [define.internalTime, 'once'],
  [define.emptyDefinition, 'never'],
  [define.ethereumPriceCall, 'never'],
  [define.ethereumStructCall, 'onceOver'],
  [define.ethereumSettlementCall, 'onceOverdue'],
  [define.signedByEthereum, 'eachFiveMinutes'],
  [define.internalTime, 'onceOver'],
  [define.ethereumStructCall, 'over'],
];

/**
 * The specs that a market uses for its mark price and its funding price, referred to by definition without an id
 * (protocol.md section 5.3).
 */
const MARKET_PRICE_SOURCES: readonly PriceSourceIndices[] = [
  { market: 0, markPrice: [6, 1], funding: [] },
  { market: 1, markPrice: [], funding: [8] },
  { market: 2, markPrice: [16], funding: [16] },
];

interface PriceSourceIndices {
  /** The index of the market; the other members are indices into `OTHERS`. */
  readonly market: number;
  readonly markPrice: readonly number[];
  readonly funding: readonly number[];
}

/** The price sources of a market, apart from its own trades and orders. */
export function marketPriceSources({ chain, specs }: SpecBook, { id }: Market): Prices {
  const named = MARKET_PRICE_SOURCES.find(({ market }) => chain.markets[market]?.id === id);
  const data = (places: readonly number[] = []) =>
    places.map(place => specs.get(otherSpecId(chain, place))?.definition.data);
  return { markPrice: data(named?.markPrice), funding: data(named?.funding) };
}

type Prices = Readonly<Record<'markPrice' | 'funding', readonly unknown[]>>;

/** A chain and its specs by id, to be made once for many markets. */
export interface SpecBook {
  readonly chain: Chain;
  readonly specs: ReadonlyMap<string, PlannedSpec>;
}

export const createSpecBook = (chain: Chain): SpecBook => ({
  chain,
  specs: new Map(planSpecs(chain).map(spec => [spec.id, spec])),
});

const otherSpecId = ({ seed }: Chain, place: number): string => seededHex(`${seed}/oracle-spec/${place}`);

/** A spec whose definition could not be stored (node-behaviour.md section 5). */
const LOST_SPEC_ID = seededHex('the lost spec');

export function planSpecs(chain: Chain): readonly PlannedSpec[] {
  const schedules = demoSchedules(Math.floor(blockTimeUs(chain, startHeight(chain)) / 1e6));
  const plan = (id: string, [definition, name]: SpecPlan, market: Market, isNamed: boolean): PlannedSpec => ({
    id,
    definition: definition({ market, label: id, schedule: schedules[name] }),
    schedule: schedules[name],
    market: isNamed ? market : undefined,
  });
  const waiting = chain.markets.filter(({ kind }) => kind !== 'spot');
  const ofMarkets = waiting.flatMap((market, index) => {
    const { settlement = '', termination, schedule = termination ?? '' } = market.specs;
    const [first, second] = MARKET_SPEC_PLANS[index % MARKET_SPEC_PLANS.length] ?? [];
    if (first === undefined || second === undefined) return [];
    return [plan(settlement, first, market, true), plan(schedule, second, market, true)];
  });
  const others = OTHER_SPEC_PLANS.map((planned, index) => {
    const user = MARKET_PRICE_SOURCES.find(({ markPrice, funding }) =>
      [...markPrice, ...funding].includes(index),
    )?.market;
    const market = chain.markets[user ?? index % chain.markets.length] ?? chain.markets[0];
    return plan(otherSpecId(chain, index), planned, market, user !== undefined);
  });
  return [...ofMarkets, ...others];
}

/** The table behind `oracle/specs`: a row per id and block, and another row each time a market stops using the spec. */
export function oracleSpecsTable(chain: Chain): DemoTable {
  return {
    name: 'oracle_specs',
    columns: ['id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id, vega_us',
    indices: [],
    rows: () => specRows(chain),
    ...(chain.isLive && { changedBy: createStatusChanges(chain) }),
  };
}

/** One spec of a live chain ends, and one of a market is off for a time. */
function createStatusChanges(chain: Chain) {
  let known = startHeight(chain);
  return (height: number) => {
    const changes = specStatusChanges(chain).filter(change => change.height > known && change.height <= height);
    known = Math.max(known, height);
    return changes.map(change => statusRow(chain, change));
  };
}

interface StatusChange {
  readonly spec: PlannedSpec | undefined;
  readonly height: number;
  readonly status: 'STATUS_ACTIVE' | 'STATUS_DEACTIVATED';
}

function specStatusChanges(chain: Chain): readonly StatusChange[] {
  const specs = planSpecs(chain);
  const { from, to } = deactivationInterval(chain);
  const spec = specs.find(({ id }) => id === chain.markets[1]?.specs.settlement);
  return [
    { spec, height: from, status: 'STATUS_DEACTIVATED' },
    // A spec that is subscribed to again is a row more.
    { spec, height: to, status: 'STATUS_ACTIVE' },
    {
      spec: specs.find(one => canEndLater(chain, one)),
      height: deactivationHeight(chain),
      status: 'STATUS_DEACTIVATED',
    },
  ];
}

function statusRow(chain: Chain, { spec: changed, height, status }: StatusChange) {
  if (changed === undefined) throw new Error('a spec that does not exist cannot change');
  const { id, definition, market } = changed;
  const [createdHeight = 0] = specHeights(chain, market, new Dice(id));
  const createdAt = nanoseconds(blockTimeUs(chain, createdHeight));
  const spec = { id, createdAt, updatedAt: '0', data: definition.data, status };
  return [id, blockTimeUs(chain, height), goJson({ externalDataSourceSpec: { spec } })] as const;
}

/** No market uses it, and it has one version: a spec with several may be over already. */
const canEndLater = (chain: Chain, { id, market }: PlannedSpec): boolean =>
  market === undefined && specHeights(chain, undefined, new Dice(id)).length === 1;

function* specRows(chain: Chain) {
  for (const { id, definition, market } of planSpecs(chain)) {
    const dice = new Dice(id);
    const heights = specHeights(chain, market, dice);
    const createdAt = nanoseconds(blockTimeUs(chain, heights[0] ?? 0));
    for (const [version, height] of heights.entries()) {
      // The oldest version is always active; the last of several may be the end of the spec.
      const isOver = market === undefined && version > 0 && version === heights.length - 1 && dice.chance(70);
      const status = isOver ? 'STATUS_DEACTIVATED' : 'STATUS_ACTIVE';
      const spec = { id, createdAt, updatedAt: '0', data: definition.data, status };
      yield [id, blockTimeUs(chain, height), goJson({ externalDataSourceSpec: { spec } })] as const;
    }
  }
  yield [
    LOST_SPEC_ID,
    blockTimeUs(chain, lastHistoryBlock(chain)),
    goJson({ externalDataSourceSpec: { spec: LOST_SPEC } }),
  ] as const;
}

/** The spec of a market is as old as the market; others come and go at any time. */
function specHeights(chain: Chain, market: Market | undefined, dice: Dice): readonly number[] {
  if (market !== undefined) return [market.createdHeight];
  const heights = Array.from({ length: dice.between(1, 3) }, () => dice.between(100, lastHistoryBlock(chain)));
  return heights.toSorted((a, b) => a - b);
}

const LOST_SPEC = {
  id: '',
  createdAt: '0',
  updatedAt: '0',
  data: null,
  status: 'STATUS_UNSPECIFIED',
} as const;
