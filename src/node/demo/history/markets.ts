import { bytea, type HistoryRow, jsonb, timestamptz } from '../../history/copy-format.ts';
import { blockTimeUs, txHash } from '../chain.ts';
import { type MarketStage, marketStages } from '../market-stages.ts';
import type { Market } from '../markets.ts';
import { marketRecord } from '../markets-table.ts';
import { createSpecBook, type SpecBook } from '../oracle-specs.ts';
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

/** A market as lists have it, in columns. */
function marketRow(book: SpecBook, market: Market, { height, state, mode }: MarketStage): HistoryRow {
  const { chain } = book;
  const proposedNs = `${blockTimeUs(chain, market.createdHeight)}000`;
  const record = marketRecord(book, market, { state, mode });
  return {
    id: bytea(market.id),
    tx_hash: bytea(txHash(chain, height, 0)),
    vega_time: timestamptz(blockTimeUs(chain, height)),
    instrument_id: record.tradableInstrument.instrument.id,
    tradable_instrument: jsonb(record.tradableInstrument),
    decimal_places: record.decimalPlaces,
    fees: jsonb(record.fees),
    opening_auction: jsonb(record.openingAuction),
    price_monitoring_settings: jsonb(record.priceMonitoringSettings),
    liquidity_monitoring_parameters: jsonb(record.liquidityMonitoringParameters),
    trading_mode: mode,
    state,
    market_timestamps: jsonb({ open: '0', close: '0', pending: proposedNs, proposed: proposedNs }),
    position_decimal_places: record.positionDecimalPlaces,
    lp_price_range: record.lpPriceRange,
    quadratic_slippage_factor: record.quadraticSlippageFactor,
    linear_slippage_factor: record.linearSlippageFactor,
    // Empty unless the market succeeds another one.
    parent_market_id: bytea(''),
    insurance_pool_fraction: null,
    liquidity_sla_parameters: jsonb(record.liquiditySlaParams),
    liquidation_strategy: jsonb(record.liquidationStrategy),
    mark_price_configuration: jsonb(record.markPriceConfiguration),
  };
}
