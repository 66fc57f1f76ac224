import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, lastHistoryBlock } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { type MarketStage, marketStages } from './market-stages.ts';
import type { Market } from './markets.ts';
import * as define from './oracle-definitions.ts';
import { demoSchedules } from './oracle-schedules.ts';
import { createSpecBook, marketPriceSources, type SpecBook } from './oracle-specs.ts';
import { seededHex } from './seeded-random.ts';

/**
 * The table behind `markets`: each market in its current state, and markets that were settled before the recorded
 * history.
 */
export function marketsTable(chain: Chain): DemoTable {
  return {
    name: 'markets',
    columns: ['id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'state TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id',
    indices: ['vega_us'],
    rows: () => {
      const book = createSpecBook(chain);
      return [...settledMarkets(book), ...chain.markets.flatMap(market => currentRow(book, market))];
    },
  };
}

type MarketRow = readonly [id: string, vegaUs: number, state: string, body: string];

function currentRow(book: SpecBook, market: Market): readonly MarketRow[] {
  const { chain } = book;
  const stages = marketStages(market).filter(({ height }) => height <= lastHistoryBlock(chain));
  const now = stages.at(-1);
  if (now === undefined) return [];
  const timeOf = (state: string): string => {
    const first = stages.find(stage => stage.state === state);
    return first === undefined ? '0' : nanoseconds(blockTimeUs(chain, first.height));
  };
  const times = { proposed: timeOf('STATE_PROPOSED'), pending: timeOf('STATE_PENDING'), open: timeOf('STATE_ACTIVE') };
  const body = { ...marketRecord(book, market, now), marketTimestamps: { ...times, close: '0' } };
  return [[market.id, blockTimeUs(chain, now.height), now.state, goJson(body)]];
}

const DAY_SECONDS = 86_400;
const SETTLED_STAGE = { state: 'STATE_SETTLED', mode: 'TRADING_MODE_NO_TRADING' } as const;

/** A settled future, and the one that succeeded it and took over its insurance pool. */
export const createSettledMarkets = (chain: Chain): readonly Market[] =>
  ['BTC/USDT-JUL', 'BTC/USDT-AUG'].map(code => ({
    ...chain.markets[0],
    code,
    id: seededHex(`${chain.seed}/market/${code}`),
    name: 'Bitcoin / Tether USD (Futures)',
    kind: 'future' as const,
    specs: {
      settlement: seededHex(`${chain.seed}/${code}/settlement`),
      termination: seededHex(`${chain.seed}/${code}/end`),
    },
  }));

function settledMarkets(book: SpecBook): readonly MarketRow[] {
  const [first, second] = createSettledMarkets(book.chain);
  if (first === undefined || second === undefined) return [];
  return [
    settledRow(book, first, 45, { successorMarketId: second.id }),
    settledRow(book, second, 14, { parentMarketId: first.id, insurancePoolFraction: '0.5' }),
  ];
}

function settledRow(book: SpecBook, market: Market, daysAgo: number, succession: object): MarketRow {
  const closeUs = book.chain.genesisUs - daysAgo * DAY_SECONDS * 1e6;
  const proposed = nanoseconds(closeUs - 30 * DAY_SECONDS * 1e6);
  const times = { proposed, pending: proposed, open: proposed, close: nanoseconds(closeUs) };
  const body = { ...marketRecord(book, market, SETTLED_STAGE), ...succession, marketTimestamps: times };
  return [market.id, closeUs, SETTLED_STAGE.state, goJson(body)];
}

/** A market as lists have it, but for its times and its predecessor or successor. */
export function marketRecord(book: SpecBook, market: Market, { state, mode }: Pick<MarketStage, 'state' | 'mode'>) {
  return {
    id: market.id,
    tradableInstrument: tradableInstrument(book, market),
    decimalPlaces: String(market.decimalPlaces),
    fees: marketFees(market),
    openingAuction: { duration: '300', volume: '0' },
    priceMonitoringSettings: {
      parameters: { triggers: [{ horizon: '4320', probability: '0.9999', auctionExtension: '300' }] },
    },
    liquidityMonitoringParameters: {
      targetStakeParameters: { timeWindow: '3600', scalingFactor: 1 },
      triggeringRatio: '0',
      auctionExtension: '0',
    },
    tradingMode: mode,
    state,
    positionDecimalPlaces: String(market.positionDecimalPlaces),
    lpPriceRange: '0.05',
    linearSlippageFactor: '0.01',
    quadraticSlippageFactor: '0',
    liquiditySlaParams: {
      priceRange: '0.05',
      commitmentMinTimeFraction: '0.6',
      performanceHysteresisEpochs: '1',
      slaCompetitionFactor: '0.8',
    },
    liquidationStrategy: {
      disposalTimeStep: '1',
      disposalFraction: '1',
      fullDisposalSize: '18446744073709551615',
      maxFractionConsumed: '0.1',
    },
    markPriceConfiguration: compositePrice(market, marketPriceSources(book, market).markPrice),
  };
}

function tradableInstrument(book: SpecBook, market: Market) {
  return {
    instrument: {
      id: `${market.code}.${market.id.slice(0, 6)}`,
      code: market.code,
      name: market.name,
      metadata: { tags: [`class:${market.kind}`, `quote:${market.settlementAsset.symbol}`] },
      ...marketProduct(book, market),
    },
    marginCalculator: { scalingFactors: { searchLevel: 1.1, initialMargin: 1.5, collateralRelease: 1.7 } },
    logNormalRiskModel: { riskAversionParameter: 0.000001, tau: 0.0000071, params: { mu: 0, r: 0, sigma: 1.5 } },
  };
}

const marketFees = ({ feeFactors }: Market) => ({
  factors: feeFactors,
  liquidityFeeSettings: { method: 'METHOD_MARGINAL_COST' },
});

const MINUTE = '1m0s';

/** Weights for last trade, orders and oracles; the last weight and staleness are for the median. */
function compositePrice({ settlementAsset }: Market, dataSourcesSpec: readonly unknown[]) {
  const sources = [0, 0, ...dataSourcesSpec, 0];
  return {
    decayWeight: '1',
    decayPower: '1',
    cashAmount: `${settlementAsset.quantum}00`,
    sourceWeights: sources.map((_, index) => (index < 2 ? '0.25' : '1')),
    sourceStalenessTolerance: sources.map(() => MINUTE),
    compositePriceType: 'COMPOSITE_PRICE_TYPE_WEIGHTED',
    dataSourcesSpec,
    dataSourcesSpecBinding: dataSourcesSpec.map(data => ({ priceSourceProperty: firstProperty(data) })),
  };
}

function marketProduct(book: SpecBook, market: Market) {
  const { kind, name, specs, baseAsset } = market;
  const settlementAsset = market.settlementAsset.id;
  const settlement = specReference(book, market, specs.settlement);
  const settlementDataProperty = firstProperty(settlement.data);
  switch (kind) {
    case 'future': {
      const termination = specReference(book, market, specs.termination);
      const tradingTerminationProperty = firstProperty(termination.data);
      return {
        future: {
          settlementAsset,
          quoteName: 'USD',
          dataSourceSpecForSettlementData: settlement,
          dataSourceSpecForTradingTermination: termination,
          dataSourceSpecBinding: { settlementDataProperty, tradingTerminationProperty },
        },
      };
    }
    case 'perpetual': {
      const schedule = specReference(book, market, specs.schedule);
      const settlementScheduleProperty = firstProperty(schedule.data);
      const { funding } = marketPriceSources(book, market);
      return {
        perpetual: {
          settlementAsset,
          quoteName: 'USD',
          marginFundingFactor: '0.9',
          interestRate: '0.1095',
          clampLowerBound: '-0.0005',
          clampUpperBound: '0.0005',
          dataSourceSpecForSettlementData: settlement,
          dataSourceSpecForSettlementSchedule: schedule,
          dataSourceSpecBinding: { settlementDataProperty, settlementScheduleProperty },
          ...(funding.length > 0 && { internalCompositePriceConfig: compositePrice(market, funding) }),
        },
      };
    }
    case 'spot':
      return { spot: { baseAsset: baseAsset.id, quoteAsset: settlementAsset, name } };
  }
}

/** A spec as a market refers to it, with its whole definition. */
function specReference({ chain, specs }: SpecBook, market: Market, id = '') {
  const spec = specs.get(id);
  if (spec !== undefined) {
    const createdAt = nanoseconds(blockTimeUs(chain, market.createdHeight));
    return { id, createdAt, updatedAt: '0', data: spec.definition.data, status: 'STATUS_ACTIVE' };
  }
  // The market was settled before the recorded history: its specs are no longer in any list.
  const { once } = demoSchedules(Math.floor(chain.genesisUs / 1e6) - 60 * DAY_SECONDS);
  const isPrice = id === market.specs.settlement;
  const { data } = (isPrice ? define.signedByKey : define.internalTime)({ market, label: id, schedule: once });
  return { id, createdAt: '0', updatedAt: '0', data, status: 'STATUS_DEACTIVATED' };
}

/** The property that a market reads from a spec: the first filter, or the time of the chain. */
function firstProperty(data: unknown): string {
  const found = /"key":\{"name":"([^"]+)"/.exec(JSON.stringify(data))?.[1];
  if (found !== undefined) return found;
  return JSON.stringify(data).includes('timeTrigger')
    ? 'vegaprotocol.builtin.timetrigger'
    : 'vegaprotocol.builtin.timestamp';
}
