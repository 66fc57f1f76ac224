import { bytea, type HistoryRow, jsonb, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, type Chain, txHash } from '../chain.ts';
import { type MarketStage, stagesOf } from '../market-stages.ts';
import type { Market } from '../markets.ts';
import type { TableRows } from './history-source.ts';

export const marketRows: TableRows = ({ chain }, { fromHeight, toHeight }) => {
  const markets = chain.markets.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return markets.flatMap(market =>
    stagesOf(market)
      .filter(({ height }) => height >= fromHeight && height <= toHeight)
      .map(stage => marketRow(chain, market, stage)),
  );
};

function marketRow(chain: Chain, market: Market, { height, state, mode }: MarketStage): HistoryRow {
  const instrumentId = `${market.code}.${market.id.slice(0, 6)}`;
  const proposedNs = `${blockTimeUs(chain, market.createdHeight)}000`;
  return {
    id: bytea(market.id),
    tx_hash: bytea(txHash(chain, height, 0)),
    vega_time: timestamptz(blockTimeUs(chain, height)),
    instrument_id: instrumentId,
    tradable_instrument: jsonb(tradableInstrument(market, instrumentId)),
    decimal_places: String(market.decimalPlaces),
    fees: jsonb({ factors: { makerFee: '0.0002', liquidityFee: '0.001', infrastructureFee: '0.0005' } }),
    opening_auction: jsonb({ volume: '0', duration: '300' }),
    price_monitoring_settings: jsonb({
      parameters: { triggers: [{ horizon: '4320', probability: '0.9999', auctionExtension: '300' }] },
    }),
    liquidity_monitoring_parameters: jsonb({
      triggeringRatio: '0',
      auctionExtension: '0',
      targetStakeParameters: { timeWindow: '3600', scalingFactor: 1 },
    }),
    trading_mode: mode,
    state,
    market_timestamps: jsonb({ open: '0', close: '0', pending: proposedNs, proposed: proposedNs }),
    position_decimal_places: String(market.positionDecimalPlaces),
    lp_price_range: '0.05',
    quadratic_slippage_factor: '0',
    linear_slippage_factor: '0.01',
    // A market that succeeds no other has the empty id.
    parent_market_id: bytea(''),
    insurance_pool_fraction: null,
    liquidity_sla_parameters: jsonb({
      priceRange: '0.05',
      commitmentMinTimeFraction: '0.6',
      slaCompetitionFactor: '0.8',
      performanceHysteresisEpochs: '1',
    }),
    liquidation_strategy: jsonb({
      disposalFraction: '1',
      disposalTimeStep: '1',
      fullDisposalSize: '18446744073709551615',
      maxFractionConsumed: '0.1',
    }),
    mark_price_configuration: jsonb({
      decayWeight: '1',
      decayPower: '1',
      compositePriceType: 'COMPOSITE_PRICE_TYPE_WEIGHTED',
    }),
  };
}

function tradableInstrument(market: Market, instrumentId: string) {
  const asset = market.settlementAsset.id;
  const dataSource = market.specs.settlement ?? '';
  const product = {
    future: {
      future: {
        quoteName: 'USD',
        settlementAsset: asset,
        dataSourceSpecForSettlementData: { id: dataSource },
        dataSourceSpecForTradingTermination: { id: market.specs.termination ?? '' },
      },
    },
    perpetual: {
      perpetual: {
        quoteName: 'USD',
        settlementAsset: asset,
        dataSourceSpecForSettlementData: { id: dataSource },
        dataSourceSpecForSettlementSchedule: { id: market.specs.schedule ?? '' },
      },
    },
    spot: { spot: { baseAsset: market.baseAsset.id, quoteAsset: asset } },
  }[market.kind];
  return {
    instrument: {
      id: instrumentId,
      code: market.code,
      name: market.name,
      metadata: { tags: [`class:${market.kind}`, `quote:${market.settlementAsset.symbol}`] },
      ...product,
    },
    marginCalculator: { scalingFactors: { searchLevel: 1.1, initialMargin: 1.5, collateralRelease: 1.7 } },
    logNormalRiskModel: {
      tau: 0.0000071,
      riskAversionParameter: 0.000001,
      params: { mu: 0, r: 0, sigma: 1.5 },
    },
  };
}
