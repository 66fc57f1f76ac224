import { MARKET_STATES, TRADING_MODES } from './market-labels.ts';
import type { DescribedTable } from './table-schema.ts';

export const marketsTable: DescribedTable = {
  name: 'markets',
  about: 'Definition and state of markets, a full row per change.',
  row: 'one state of one market at one block (id, vega_time)',
  time: 'vega_time',
  columns: [
    { name: 'id', kind: 'id', about: 'market' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    { name: 'instrument_id', kind: 'text', about: 'instrument id, often empty' },
    {
      name: 'tradable_instrument',
      kind: 'json',
      about: 'instrument, product with settlementAsset (future/perpetual) or base/quote asset (spot), risk model',
    },
    {
      name: 'decimal_places',
      kind: 'count',
      about: 'decimals of prices of this market',
    },
    {
      name: 'fees',
      kind: 'json',
      about: 'fee factors (maker, infrastructure, liquidity)',
    },
    {
      name: 'opening_auction',
      kind: 'json',
      about: 'opening auction: duration in seconds, volume',
    },
    {
      name: 'price_monitoring_settings',
      kind: 'json',
      about: 'price monitoring triggers',
    },
    {
      name: 'liquidity_monitoring_parameters',
      kind: 'json',
      about: 'target stake window and factor',
    },
    {
      name: 'trading_mode',
      kind: 'enum',
      about: 'trading mode',
      values: TRADING_MODES,
    },
    { name: 'state', kind: 'enum', about: 'state', values: MARKET_STATES },
    {
      name: 'market_timestamps',
      kind: 'json',
      about: 'proposed, pending, open, close in Unix nanoseconds',
    },
    {
      name: 'position_decimal_places',
      kind: 'count',
      about: 'decimals of sizes, may be negative',
    },
    {
      name: 'lp_price_range',
      kind: 'factor',
      about: 'old LP range, fraction as text',
    },
    {
      name: 'quadratic_slippage_factor',
      kind: 'factor',
      about: 'slippage factor',
    },
    { name: 'linear_slippage_factor', kind: 'factor', about: 'slippage factor' },
    {
      name: 'parent_market_id',
      kind: 'id',
      about: 'market this one succeeds, \\x if none',
    },
    {
      name: 'insurance_pool_fraction',
      kind: 'factor',
      about: 'share of the parent insurance pool taken',
    },
    {
      name: 'liquidity_sla_parameters',
      kind: 'json',
      about: 'liquidity SLA settings',
    },
    {
      name: 'liquidation_strategy',
      kind: 'json',
      about: 'network liquidation settings; disposalTimeStep in nanoseconds',
    },
    { name: 'mark_price_configuration', kind: 'json', about: 'mark price settings' },
  ],
};
