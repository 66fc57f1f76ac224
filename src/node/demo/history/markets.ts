import { bytea, type HistoryRow, jsonb, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import { type MarketStage, marketStages } from '../market-stages.ts';
import type { Market } from '../markets.ts';
import { compositePrice, marketFees, tradableInstrument } from '../markets-table.ts';
import { createSpecBook, marketPriceSources, type SpecBook } from '../oracle-specs.ts';
import type { RowGenerator } from './history-source.ts';

export const marketRows: RowGenerator = ({ chain }, { fromHeight, toHeight }) => {
  const book = createSpecBook(chain);
  const markets = chain.markets.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return markets.flatMap(market =>
    marketStages(market)
      .filter(({ height }) => height >= fromHeight && height <= toHeight)
      .map(stage => marketRow(book, market, stage)),
  );
};

function marketRow(book: SpecBook, market: Market, { height, state, mode }: MarketStage): HistoryRow {
  const { chain } = book;
  const proposedNs = `${blockTimeUs(chain, market.createdHeight)}000`;
  return {
    id: bytea(market.id),
    tx_hash: bytea(txHash(chain, height, 0)),
    vega_time: timestamptz(blockTimeUs(chain, height)),
    instrument_id: `${market.code}.${market.id.slice(0, 6)}`,
    tradable_instrument: jsonb(tradableInstrument(book, market)),
    decimal_places: String(market.decimalPlaces),
    fees: jsonb(marketFees(market)),
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
    // Empty unless the market succeeds another one.
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
    mark_price_configuration: jsonb(compositePrice(market, marketPriceSources(book, market).markPrice)),
  };
}
