import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import { blockTimeUs, type Chain, topOfHistory } from './chain.ts';
import { nanoseconds } from './liquidity-provisions.ts';
import { type MarketStage, stagesOf } from './market-stages.ts';
import type { Market } from './markets.ts';
import { hexOf } from './seeded.ts';

/** The table behind `markets`: what each market is now, and those that were settled before the recorded history begins. */
export function marketsTable(chain: Chain): DemoTable {
  return {
    name: 'markets',
    columns: ['id TEXT NOT NULL', 'vega_us INTEGER NOT NULL', 'state TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id',
    indices: ['vega_us'],
    rows: () => [...settledMarkets(chain), ...chain.markets.flatMap(market => currentRow(chain, market))],
  };
}

type MarketRow = readonly [id: string, vegaUs: number, state: string, body: string];

function currentRow(chain: Chain, market: Market): readonly MarketRow[] {
  const stages = stagesOf(market).filter(({ height }) => height <= topOfHistory(chain));
  const now = stages.at(-1);
  if (now === undefined) return [];
  const timeOf = (state: string): string => {
    const first = stages.find(stage => stage.state === state);
    return first === undefined ? '0' : nanoseconds(blockTimeUs(chain, first.height));
  };
  const times = { proposed: timeOf('STATE_PROPOSED'), pending: timeOf('STATE_PENDING'), open: timeOf('STATE_ACTIVE') };
  const body = { ...record(market, now), marketTimestamps: { ...times, close: '0' } };
  return [[market.id, blockTimeUs(chain, now.height), now.state, goJson(body)]];
}

const DAY_SECONDS = 86_400;
const SETTLED = { state: 'STATE_SETTLED', mode: 'TRADING_MODE_NO_TRADING' } as const;

/** A future of the month before last, and the one that took its place and its insurance pool. */
export const settledMarketsOf = (chain: Chain): readonly Market[] =>
  ['BTC/USDT-JUL', 'BTC/USDT-AUG'].map(code => ({
    ...chain.markets[0],
    code,
    id: hexOf(`${chain.seed}/market/${code}`),
    name: 'Bitcoin / Tether USD (Futures)',
    kind: 'future' as const,
    specs: { settlement: hexOf(`${chain.seed}/${code}/settlement`), termination: hexOf(`${chain.seed}/${code}/end`) },
  }));

function settledMarkets(chain: Chain): readonly MarketRow[] {
  const [first, second] = settledMarketsOf(chain);
  if (first === undefined || second === undefined) return [];
  return [
    settledRow(chain, first, 45, { successorMarketId: second.id }),
    settledRow(chain, second, 14, { parentMarketId: first.id, insurancePoolFraction: '0.5' }),
  ];
}

function settledRow(chain: Chain, market: Market, daysAgo: number, succession: object): MarketRow {
  const closeUs = chain.genesisUs - daysAgo * DAY_SECONDS * 1e6;
  const proposed = nanoseconds(closeUs - 30 * DAY_SECONDS * 1e6);
  const times = { proposed, pending: proposed, open: proposed, close: nanoseconds(closeUs) };
  const body = { ...record(market, SETTLED), ...succession, marketTimestamps: times };
  return [market.id, closeUs, SETTLED.state, goJson(body)];
}

/** A market as the list has it, but for its times and its family. */
function record(market: Market, { state, mode }: Pick<MarketStage, 'state' | 'mode'>) {
  return {
    id: market.id,
    tradableInstrument: {
      instrument: {
        id: `${market.code}.${market.id.slice(0, 6)}`,
        code: market.code,
        name: market.name,
        metadata: { tags: [`class:${market.kind}`, `quote:${market.settlementAsset.symbol}`] },
        ...productOf(market),
      },
      marginCalculator: { scalingFactors: { searchLevel: 1.1, initialMargin: 1.5, collateralRelease: 1.7 } },
      logNormalRiskModel: { riskAversionParameter: 0.000001, tau: 0.0000071, params: { mu: 0, r: 0, sigma: 1.5 } },
    },
    decimalPlaces: String(market.decimalPlaces),
    fees: { factors: { makerFee: '0.0002', infrastructureFee: '0.0005', liquidityFee: '0.001' } },
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
    markPriceConfiguration: {
      decayWeight: '1',
      decayPower: '1',
      compositePriceType: 'COMPOSITE_PRICE_TYPE_WEIGHTED',
    },
    tickSize: '1',
  };
}

function productOf({ kind, specs, settlementAsset: { id: settlementAsset }, baseAsset }: Market) {
  const dataSourceSpecForSettlementData = reference(specs.settlement);
  switch (kind) {
    case 'future':
      return {
        future: {
          settlementAsset,
          quoteName: 'USD',
          dataSourceSpecForSettlementData,
          dataSourceSpecForTradingTermination: reference(specs.termination),
        },
      };
    case 'perpetual':
      return {
        perpetual: {
          settlementAsset,
          quoteName: 'USD',
          marginFundingFactor: '0.9',
          interestRate: '0.1095',
          clampLowerBound: '-0.0005',
          clampUpperBound: '0.0005',
          dataSourceSpecForSettlementData,
          dataSourceSpecForSettlementSchedule: reference(specs.schedule),
        },
      };
    case 'spot':
      return { spot: { baseAsset: baseAsset.id, quoteAsset: settlementAsset } };
  }
}

/** A spec as a market names it. */
const reference = (id = '') => ({ id, createdAt: '0', updatedAt: '0', data: null, status: 'STATUS_UNSPECIFIED' });
