import type { DescribedTable } from './table-schema.ts';

export const positionsTable: DescribedTable = {
  name: 'positions',
  about: 'Position and profit of a party on a market each time it changed.',
  row: 'one party and market at one block, last state (vega_time, party_id, market_id)',
  time: 'vega_time',
  columns: [
    { name: 'market_id', kind: 'id', about: 'market' },
    { name: 'party_id', kind: 'id', about: 'party; network has its own rows' },
    {
      name: 'open_volume',
      kind: 'size',
      about: 'settled position, negative = short',
      unit: 'position decimals (markets.position_decimal_places)',
    },
    {
      name: 'realised_pnl',
      kind: 'amount',
      about: 'realised profit since first trade, signed, with fraction',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'unrealised_pnl',
      kind: 'amount',
      about: 'open profit at last mark, signed, with fraction',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'average_entry_price',
      kind: 'price',
      about: 'mean entry price, with fraction',
      unit: 'asset decimals of the settlement asset, NOT market decimals',
    },
    {
      name: 'average_entry_market_price',
      kind: 'price',
      about: 'mean entry price, with fraction',
      unit: 'market decimals (markets.decimal_places)',
    },
    {
      name: 'loss',
      kind: 'amount',
      about: 'total taken by loss socialisation, zero or negative',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'adjustment',
      kind: 'amount',
      about: 'total positive loss-socialisation adjustments',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    {
      name: 'pending_open_volume',
      kind: 'size',
      about: 'position including trades not yet marked; the REST openVolume',
      unit: 'position decimals (markets.position_decimal_places)',
    },
    {
      name: 'pending_realised_pnl',
      kind: 'amount',
      about: 'realised profit including those trades; the REST value',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'pending_unrealised_pnl',
      kind: 'amount',
      about: 'open profit including those trades; the REST value',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'pending_average_entry_price',
      kind: 'price',
      about: 'mean entry including those trades',
      unit: 'asset decimals of the settlement asset, NOT market decimals',
    },
    {
      name: 'pending_average_entry_market_price',
      kind: 'price',
      about: 'mean entry including those trades; the REST averageEntryPrice',
      unit: 'market decimals (markets.decimal_places)',
    },
    {
      name: 'loss_socialisation_amount',
      kind: 'amount',
      about: 'sum of absolute loss-socialisation amounts',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    {
      name: 'distressed_status',
      kind: 'enum',
      about: 'distress state',
      values: {
        POSITION_STATUS_UNSPECIFIED: 'normal',
        POSITION_STATUS_ORDERS_CLOSED: 'orders cancelled to save margin',
        POSITION_STATUS_CLOSED_OUT: 'closed out',
        POSITION_STATUS_DISTRESSED: 'distressed, cannot be closed yet',
      },
    },
  ],
};
