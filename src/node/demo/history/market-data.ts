import { bytea, type HistoryRow, jsonb, timestamptz } from '../../history/copy-format.ts';
import type { Market } from '../markets.ts';
import type { Dice } from '../seeded-random.ts';
import { marketPriceAt } from '../trades.ts';
import { type DemoEvent, type HistorySource, type RowGenerator, spreadEvents } from './history-source.ts';

export const marketDataRows: RowGenerator = function* (source, segment) {
  for (const moment of spreadEvents(source, segment, 'market_data', 300)) yield marketDataRow(source, moment);
};

// A market that does not trade yet has a zero time, which overflows to this date in deployed databases
// (export-behaviour.md section 3.0).
const OVERFLOWED_TIME = '1754-08-30 22:43:41.128654+00';

function marketDataRow({ chain }: HistorySource, { height, timeUs, index, txHash, dice }: DemoEvent): HistoryRow {
  const open = chain.markets.filter(market => market.createdHeight <= height);
  const market = open[dice.below(open.length)] ?? chain.markets[0];
  const isTrading = height > market.createdHeight + 300;
  const time = timestamptz(timeUs);
  return {
    synthetic_time: timestamptz(timeUs + index),
    tx_hash: txHash,
    vega_time: time,
    seq_num: String(index),
    market: bytea(market.id),
    ...prices(market, { height, isTrading }, dice),
    ...auction(timeUs, isTrading),
    target_stake: quanta(market, dice.between(200_000, 400_000)),
    supplied_stake: quanta(market, dice.between(800_000, 2_500_000)),
    price_monitoring_bounds: jsonb(priceBounds(market)),
    market_value_proxy: `${quanta(market, dice.between(800_000, 2_500_000))}.${dice.digits(8)}`,
    liquidity_provider_fee_shares: jsonb(feeShares(chain.parties[dice.below(60)] ?? '', dice)),
    market_state: isTrading ? 'STATE_ACTIVE' : 'STATE_PENDING',
    next_mark_to_market: isTrading ? timestamptz(timeUs + 5_000_000) : OVERFLOWED_TIME,
    market_growth: isTrading ? dice.digits(dice.between(1, 6)) : '0',
    product_data: market.kind === 'perpetual' ? jsonb(fundingData(timeUs, dice)) : null,
    liquidity_provider_sla: jsonb([]),
    next_network_closeout: isTrading ? timestamptz(timeUs + 1_000_000) : OVERFLOWED_TIME,
    mark_price_type: 'COMPOSITE_PRICE_TYPE_WEIGHTED',
    mark_price_state: jsonb({
      priceSources: [{ price: String(market.typicalPrice), priceSource: 'priceFromLastTrade' }],
    }),
  };
}

const quanta = ({ settlementAsset: { quantum } }: Market, count: number): string =>
  String(BigInt(quantum) * BigInt(count));

interface MarketNow {
  readonly height: number;
  readonly isTrading: boolean;
}

function prices(market: Market, { height, isTrading }: MarketNow, dice: Dice) {
  const step = Math.max(1, Math.floor(market.typicalPrice / 10_000));
  const mid = marketPriceAt(market, height) + dice.between(-4, 4) * step;
  const book = (name: string, price: number) => ({
    [`${name}_price`]: String(isTrading ? price : 0),
    [`${name}_volume`]: String(isTrading ? dice.below(1_000_000) : 0),
  });
  return {
    mark_price: String(mid),
    ...book('best_bid', mid - step),
    ...book('best_offer', mid + step),
    ...book('best_static_bid', mid - step),
    ...book('best_static_offer', mid + step),
    mid_price: String(isTrading ? mid : 0),
    static_mid_price: String(isTrading ? mid : 0),
    open_interest: String(dice.below(5_000_000)),
    last_traded_price: String(mid),
  };
}

function auction(timeUs: number, isTrading: boolean) {
  return {
    // In this column a time is a number of nanoseconds, or 0.
    auction_end: isTrading ? '0' : `${timeUs + 300_000_000}000`,
    auction_start: isTrading ? '0' : `${timeUs}000`,
    indicative_price: '0',
    indicative_volume: '0',
    market_trading_mode: isTrading ? 'TRADING_MODE_CONTINUOUS' : 'TRADING_MODE_OPENING_AUCTION',
    auction_trigger: isTrading ? 'AUCTION_TRIGGER_UNSPECIFIED' : 'AUCTION_TRIGGER_OPENING',
    extension_trigger: 'AUCTION_TRIGGER_UNSPECIFIED',
  };
}

function priceBounds({ typicalPrice }: Market) {
  const bound = (horizon: number, share: number) => ({
    trigger: { horizon: String(horizon), probability: '0.9999', auction_extension: '120' },
    reference_price: String(typicalPrice),
    min_valid_price: String(Math.floor(typicalPrice * (1 - share))),
    max_valid_price: String(Math.ceil(typicalPrice * (1 + share))),
  });
  return [bound(360, 0.02), bound(4320, 0.06)];
}

function feeShares(party: string, dice: Dice) {
  return [
    {
      party,
      average_score: `0.${dice.digits(16)}`,
      virtual_stake: dice.digits(20),
      equity_like_share: `0.${dice.digits(16)}`,
      average_entry_valuation: dice.digits(22),
    },
  ];
}

function fundingData(timeUs: number, dice: Dice) {
  return {
    perpetualData: {
      startTime: `${timeUs - 3_600_000_000}000`,
      fundingRate: `-0.000${dice.digits(9)}`,
      externalTwap: dice.digits(11),
      internalTwap: dice.digits(11),
      fundingPayment: `-${dice.digits(7)}`,
      seqNum: String(dice.below(40)),
    },
  };
}
