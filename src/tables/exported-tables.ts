import {
  AUCTION_TRIGGERS,
  DEPOSIT_STATES,
  DISTRESS_STATES,
  MARGIN_MODES,
  MARK_PRICE_TYPES,
  MARKET_STATES,
  ORDER_REASONS,
  ORDER_STATES,
  PROVISION_STATES,
  REWARD_POOLS,
  TIMES_IN_FORCE,
  TRADE_KINDS,
  TRADING_MODES,
  TRANSFER_TYPES,
  WITHDRAWAL_STATES,
} from './labels.ts';
import type { ColumnUnit, ExportedTable } from './table.ts';

/** The newest schema version whose columns are known (v0.79.0). */
export const NEWEST_KNOWN_SCHEMA_VERSION = 123;

// Amounts.
const OF_ASSET: ColumnUnit = { text: 'asset decimals of column asset', countedBy: 'asset' };
const OF_ASSET_ID: ColumnUnit = { text: 'asset decimals of asset_id', countedBy: 'asset' };
const OF_MARKET_ID: ColumnUnit = {
  text: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
  countedBy: 'market',
};
const OF_MARKET: ColumnUnit = {
  text: 'asset decimals of the settlement asset of market (quote asset on a spot market)',
  countedBy: 'market',
};
const OF_ACCOUNT: ColumnUnit = { text: 'asset decimals of the account asset', countedBy: 'account' };
const OF_BOTH_ACCOUNTS: ColumnUnit = {
  text: 'asset decimals of the account asset (both sides share it; no asset column)',
  countedBy: 'account',
};
const OF_ACCOUNT_ID: ColumnUnit = {
  text: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
  countedBy: 'account',
};
const OF_STAKE: ColumnUnit = {
  text: 'decimals of the staking token (asset named by network parameter reward.asset, 18 on mainnet)',
  countedBy: 'stake',
};

// Prices and sizes.
const PRICE: ColumnUnit = { text: 'market decimals (markets.decimal_places)', countedBy: 'price' };
const OF_SETTLEMENT_ASSET: ColumnUnit = {
  text: 'asset decimals of the settlement asset, NOT market decimals',
  countedBy: 'market',
};
const SIZE: ColumnUnit = { text: 'position decimals (markets.position_decimal_places)', countedBy: 'size' };

// Columns of many tables.
const TX_HASH = {
  name: 'tx_hash',
  type: 'bytea',
  kind: 'hash',
  about: 'hash stamped on the event; rows made by block processing have no user transaction',
} as const;
const VEGA_TIME = { name: 'vega_time', type: 'timestamp', kind: 'time', about: 'time of the block' } as const;
const SEQ_NUM = { name: 'seq_num', type: 'bigint+', kind: 'ordinal', about: 'event number inside the block' } as const;

/**
 * The tables that nodes export, with their columns in file order (export-behaviour.md section 3.1). Meaning and type are
 * those of schema 93 (v0.74.10); of later columns only the names are known.
 */
// biome-ignore format: a line a column
export const EXPORTED_TABLES = {
  // Balance of every account each time it changed.
  // A row is one account at one block: last balance of that block (vega_time, account_id).
  balances: {
    about: 'account balances, a row per change',
    columns: [
      { name: 'account_id', type: 'bytea', kind: 'account-id', about: 'account (computed id)' },
      VEGA_TIME,
      TX_HASH,
      { name: 'balance', type: 'hugeint+', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'balance after the last change in this block' },
    ],
  },
  // One row per block: height, time and hash.
  // A row is one block (vega_time); heights are gapless.
  blocks: {
    about: 'one row per block: time, height, hash',
    columns: [
      VEGA_TIME,
      { name: 'height', type: 'bigint+', kind: 'height', about: 'block height' },
      { name: 'hash', type: 'bytea', kind: 'hash', about: 'block hash' },
    ],
  },
  // Network checkpoints taken by the chain.
  // A row is one checkpoint event (vega_time, seq_num).
  checkpoints: {
    about: 'checkpoints of the chain state',
    columns: [
      { name: 'hash', type: 'text', kind: 'hash', about: 'checkpoint hash, hex text without \\x' },
      { name: 'block_hash', type: 'text', kind: 'hash', about: 'hash of the block, hex text without \\x' },
      { name: 'block_height', type: 'bigint+', kind: 'height', about: 'height of the checkpoint' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
    ],
  },
  // Stake a party delegates to a validator node, per epoch.
  // A row is one delegation event (vega_time, seq_num); latest row per party, node, epoch is the state.
  delegations: {
    about: 'stake delegated to validators, per epoch',
    columns: [
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'delegating party' },
      { name: 'node_id', type: 'bytea', kind: 'id', about: 'validator node' },
      { name: 'epoch_id', type: 'bigint+', kind: 'ordinal', about: 'epoch the amount applies to' },
      { name: 'amount', type: 'hugeint+?', kind: 'amount', unit: OF_STAKE, about: 'delegated stake as a level, not a change' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
    ],
  },
  // Deposits from outside chains and their status changes.
  // A row is one state of one deposit at one block (id, party_id, vega_time).
  deposits: {
    about: 'deposits, a row per change',
    columns: [
      { name: 'id', type: 'bytea', kind: 'id', about: 'deposit' },
      { name: 'status', type: 'label', kind: 'enum', about: 'state of the deposit', values: DEPOSIT_STATES },
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'receiving party' },
      { name: 'asset', type: 'bytea', kind: 'id', about: 'asset' },
      { name: 'amount', type: 'hugeint+?', kind: 'amount', unit: OF_ASSET, about: 'amount deposited' },
      { name: 'foreign_tx_hash', type: 'text', kind: 'hash', about: 'transaction on the outside chain as text (0x...), may be empty' },
      { name: 'credited_timestamp', type: 'timestamp', kind: 'time', about: 'time of crediting; 1970-01-01 while open' },
      { name: 'created_timestamp', type: 'timestamp', kind: 'time', about: 'time first seen' },
      TX_HASH,
      VEGA_TIME,
    ],
  },
  // Every movement of money between two accounts.
  // A row is one movement (ledger_entry_time, unique).
  ledger: {
    about: 'transfers between accounts: fees, rewards, settlements',
    columns: [
      { name: 'ledger_entry_time', type: 'timestamp', kind: 'time', about: 'block time plus index in block in microseconds; unique order of movements' },
      { name: 'account_from_id', type: 'bytea', kind: 'account-id', about: 'account that pays' },
      { name: 'account_to_id', type: 'bytea', kind: 'account-id', about: 'account that receives' },
      { name: 'quantity', type: 'hugeint+', kind: 'amount', unit: OF_BOTH_ACCOUNTS, about: 'amount moved, never negative' },
      TX_HASH,
      VEGA_TIME,
      { name: 'transfer_time', type: 'timestamp', kind: 'time', about: 'core clock of the movement, normally equal to vega_time' },
      { name: 'account_from_balance', type: 'hugeint+', kind: 'amount', unit: OF_ACCOUNT, about: 'payer balance after the movement' },
      { name: 'account_to_balance', type: 'hugeint+', kind: 'amount', unit: OF_ACCOUNT, about: 'receiver balance after the movement (a split remainder may be missing)' },
      { name: 'type', type: 'text?', kind: 'enum', about: 'why the money moved', values: TRANSFER_TYPES },
      { name: 'transfer_id', since: 69, type: 'bytea?', kind: 'id', about: 'transfer instruction, only on TRANSFER_FUNDS_* rows; empty \\x otherwise, NULL in old rows' },
    ],
  },
  // Liquidity commitments of parties on markets.
  // A row is one state of one commitment at one block (id, vega_time).
  liquidity_provisions: {
    about: 'commitments, a row per change',
    columns: [
      { name: 'id', type: 'bytea', kind: 'id', about: 'commitment' },
      { name: 'party_id', type: 'bytea?', kind: 'id', about: 'liquidity provider' },
      { name: 'created_at', type: 'timestamp', kind: 'time', about: 'submission time' },
      { name: 'updated_at', type: 'timestamp', kind: 'time', about: 'last change; 1970-01-01 if never' },
      { name: 'market_id', type: 'bytea?', kind: 'id', about: 'market' },
      { name: 'commitment_amount', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'committed bond' },
      { name: 'fee', type: 'numeric+?', kind: 'factor', about: 'fee bid, 0.001 = 0.1 %' },
      { name: 'sells', type: 'jsonb?', kind: 'json', about: 'old shape orders, [] in current versions' },
      { name: 'buys', type: 'jsonb?', kind: 'json', about: 'old shape orders, [] in current versions' },
      { name: 'version', type: 'bigint+?', kind: 'ordinal', about: 'amendment number' },
      { name: 'status', type: 'label', kind: 'enum', about: 'state', values: PROVISION_STATES },
      { name: 'reference', type: 'text?', kind: 'text', about: 'free text of the party' },
      TX_HASH,
      VEGA_TIME,
    ],
  },
  // Margin requirements of a party on a market.
  // A row is one margin account at one block, last value (vega_time, account_id).
  margin_levels: {
    about: 'margin levels of positions',
    columns: [
      { name: 'account_id', type: 'bytea', kind: 'account-id', about: 'margin account of party+asset+market (ACCOUNT_TYPE_MARGIN)' },
      { name: 'timestamp', type: 'timestamp', kind: 'time', about: 'same as vega_time' },
      { name: 'maintenance_margin', type: 'hugeint+?', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'below this the party is closed out' },
      { name: 'search_level', type: 'hugeint+?', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'below this more collateral is taken' },
      { name: 'initial_margin', type: 'hugeint+?', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'needed to open' },
      { name: 'collateral_release_level', type: 'hugeint+?', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'above this the surplus is released; 0 in isolated mode' },
      TX_HASH,
      VEGA_TIME,
      { name: 'margin_mode', since: 77, type: 'label', kind: 'enum', about: 'margin mode', values: MARGIN_MODES },
      { name: 'margin_factor', since: 77, type: 'numeric+', kind: 'factor', about: 'isolated mode: margin per notional; 0 in cross mode' },
      { name: 'order_margin', since: 77, type: 'hugeint+', kind: 'amount', unit: OF_ACCOUNT_ID, about: 'isolated mode: margin needed for open orders' },
      { name: 'order_margin_account_id', since: 77, type: 'bytea?', kind: 'account-id', about: 'order margin account of the same party and market, filled in both modes' },
    ],
  },
  // Snapshot of a market whenever its data changed, about one per market and block.
  // A row is one market data event (synthetic_time); last row per market and vega_time is the block state.
  market_data: {
    about: 'prices, open interest, auctions per market',
    columns: [
      { name: 'synthetic_time', type: 'timestamp', kind: 'time', about: 'block time plus event number in microseconds; unique' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
      { name: 'market', type: 'bytea', kind: 'id', about: 'market' },
      { name: 'mark_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'mark price' },
      { name: 'best_bid_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'best bid price, 0 if none' },
      { name: 'best_bid_volume', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'volume at the best bid' },
      { name: 'best_offer_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'best offer price, 0 if none' },
      { name: 'best_offer_volume', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'volume at the best offer' },
      { name: 'best_static_bid_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'best bid without pegged orders price, 0 if none' },
      { name: 'best_static_bid_volume', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'volume at the best bid without pegged orders' },
      { name: 'best_static_offer_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'best offer without pegged orders price, 0 if none' },
      { name: 'best_static_offer_volume', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'volume at the best offer without pegged orders' },
      { name: 'mid_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'mean of best bid and offer, 0 if one is missing' },
      { name: 'static_mid_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'the same without pegged orders' },
      { name: 'open_interest', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'sum of all long positions' },
      { name: 'auction_end', type: 'bigint?', kind: 'time', about: 'end of the running auction, Unix nanoseconds, 0 outside' },
      { name: 'auction_start', type: 'bigint?', kind: 'time', about: 'start of the running auction, Unix nanoseconds, 0 outside' },
      { name: 'indicative_price', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'uncrossing price in an auction, else 0' },
      { name: 'indicative_volume', type: 'hugeint+?', kind: 'size', unit: SIZE, about: 'uncrossing volume in an auction, else 0' },
      { name: 'market_trading_mode', type: 'label?', kind: 'enum', about: 'trading mode', values: TRADING_MODES },
      { name: 'auction_trigger', type: 'label?', kind: 'enum', about: 'why the auction began', values: AUCTION_TRIGGERS },
      { name: 'extension_trigger', type: 'label?', kind: 'enum', about: 'why it was extended', values: AUCTION_TRIGGERS },
      { name: 'target_stake', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET, about: 'liquidity wanted' },
      { name: 'supplied_stake', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET, about: 'liquidity committed' },
      { name: 'price_monitoring_bounds', type: 'jsonb?', kind: 'json', about: 'valid price range(s): min, max, reference in market decimals' },
      { name: 'market_value_proxy', type: 'text?', kind: 'amount', unit: OF_MARKET, about: 'market value estimate, integer as text' },
      { name: 'liquidity_provider_fee_shares', type: 'jsonb?', kind: 'json', about: 'equity-like share per provider' },
      { name: 'market_state', type: 'label?', kind: 'enum', about: 'market state', values: MARKET_STATES },
      { name: 'next_mark_to_market', type: 'timestamp?', kind: 'time', about: 'next mark to market; year 1754 when unset' },
      { name: 'market_growth', since: 7, type: 'hugeint?', kind: 'factor', about: 'growth factor, but the column type rounds it to a whole number' },
      { name: 'last_traded_price', since: 9, type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'price of the last trade' },
      { name: 'product_data', since: 28, type: 'jsonb?', kind: 'json', about: 'perpetual: rate, TWAPs, payment, index price in asset decimals; composite price market decimals' },
      { name: 'liquidity_provider_sla', since: 39, type: 'jsonb?', kind: 'json', about: 'SLA figures per provider' },
      { name: 'next_network_closeout', since: 78, type: 'timestamp', kind: 'time', about: 'next close-out of the network position' },
      { name: 'mark_price_type', since: 83, type: 'label', kind: 'enum', about: 'how the mark price is made', values: MARK_PRICE_TYPES },
      { name: 'mark_price_state', since: 89, type: 'jsonb?', kind: 'json', about: 'price sources with prices in asset decimals and update times in nanoseconds' },
      { name: 'active_protocol_automated_purchase', since: 121 },
    ],
  },
  // Definition and state of markets, a full row per change.
  // A row is one state of one market at one block (id, vega_time).
  markets: {
    about: 'market definitions, a row per change',
    columns: [
      { name: 'id', type: 'bytea', kind: 'id', about: 'market' },
      TX_HASH,
      VEGA_TIME,
      { name: 'instrument_id', type: 'text?', kind: 'text', about: 'instrument id, often empty' },
      { name: 'tradable_instrument', type: 'jsonb?', kind: 'json', about: 'instrument, product with settlementAsset (future/perpetual) or base/quote asset (spot), risk model' },
      { name: 'decimal_places', type: 'integer?', kind: 'ordinal', about: 'decimals of prices of this market' },
      { name: 'fees', type: 'jsonb?', kind: 'json', about: 'fee factors (maker, infrastructure, liquidity)' },
      { name: 'opening_auction', type: 'jsonb?', kind: 'json', about: 'opening auction: duration in seconds, volume' },
      { name: 'price_monitoring_settings', type: 'jsonb?', kind: 'json', about: 'price monitoring triggers' },
      { name: 'liquidity_monitoring_parameters', type: 'jsonb?', kind: 'json', about: 'target stake window and factor' },
      { name: 'trading_mode', type: 'label?', kind: 'enum', about: 'trading mode', values: TRADING_MODES },
      { name: 'state', type: 'label?', kind: 'enum', about: 'state', values: MARKET_STATES },
      { name: 'market_timestamps', type: 'jsonb?', kind: 'json', about: 'proposed, pending, open, close in Unix nanoseconds' },
      { name: 'position_decimal_places', type: 'integer?', kind: 'ordinal', about: 'decimals of sizes, may be negative' },
      { name: 'lp_price_range', type: 'text?', kind: 'factor', about: 'old LP range, fraction as text' },
      { name: 'quadratic_slippage_factor', type: 'numeric+?', kind: 'factor', about: 'slippage factor' },
      { name: 'linear_slippage_factor', type: 'numeric+?', kind: 'factor', about: 'slippage factor' },
      { name: 'parent_market_id', since: 3, type: 'bytea?', kind: 'id', about: 'market this one succeeds, \\x if none' },
      { name: 'insurance_pool_fraction', since: 3, type: 'numeric+?', kind: 'factor', about: 'share of the parent insurance pool taken' },
      { name: 'liquidity_sla_parameters', since: 29, type: 'jsonb?', kind: 'json', about: 'liquidity SLA settings' },
      { name: 'liquidation_strategy', since: 70, type: 'jsonb?', kind: 'json', about: 'network liquidation settings; disposalTimeStep in nanoseconds' },
      { name: 'mark_price_configuration', since: 84, type: 'jsonb?', kind: 'json', about: 'mark price settings' },
      { name: 'tick_size', since: 94 },
      { name: 'enable_tx_reordering', since: 111 },
      { name: 'allowed_empty_amm_levels', since: 119 },
      { name: 'allowed_sellers', since: 122 },
    ],
  },
  // Every state of every order.
  // A row is one state: last of (id, version, block); row key (vega_time, seq_num).
  orders: {
    about: 'orders, a row per change',
    columns: [
      { name: 'id', type: 'bytea', kind: 'id', about: 'order' },
      { name: 'market_id', type: 'bytea', kind: 'id', about: 'market' },
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'party; network for liquidation orders' },
      { name: 'side', type: 'smallint+', kind: 'enum', about: 'side', values: { 0: 'unset', 1: 'buy', 2: 'sell' } },
      { name: 'price', type: 'hugeint+', kind: 'price', unit: PRICE, about: 'limit price, 0 for market and parked orders' },
      { name: 'size', type: 'bigint+', kind: 'size', unit: SIZE, about: 'total size' },
      { name: 'remaining', type: 'bigint+', kind: 'size', unit: SIZE, about: 'size not yet filled' },
      { name: 'time_in_force', type: 'smallint+', kind: 'enum', about: 'time in force', values: TIMES_IN_FORCE },
      { name: 'type', type: 'smallint+', kind: 'enum', about: 'order type', values: { 0: 'unset', 1: 'limit', 2: 'market', 3: 'network (close-out)' } },
      { name: 'status', type: 'smallint+', kind: 'enum', about: 'state', values: ORDER_STATES },
      { name: 'reference', type: 'text?', kind: 'text', about: 'free text of the client' },
      { name: 'reason', type: 'smallint+?', kind: 'enum', about: 'reason of rejection or stop', values: ORDER_REASONS },
      { name: 'version', type: 'integer+', kind: 'ordinal', about: 'number of the amendment, from 1' },
      { name: 'batch_id', type: 'integer+', kind: 'ordinal', about: 'internal batch number' },
      { name: 'pegged_offset', type: 'hugeint+?', kind: 'price', unit: PRICE, about: 'distance to the peg, 0 if not pegged' },
      { name: 'pegged_reference', type: 'smallint+?', kind: 'enum', about: 'peg', values: { 0: 'not pegged', 1: 'mid', 2: 'best bid', 3: 'best ask' } },
      { name: 'lp_id', type: 'bytea?', kind: 'id', about: 'commitment that made the order (old); \\x in current versions' },
      { name: 'created_at', type: 'timestamp', kind: 'time', about: 'creation time' },
      { name: 'updated_at', type: 'timestamp?', kind: 'time', about: 'last amendment; 1970-01-01 if never' },
      { name: 'expires_at', type: 'timestamp?', kind: 'time', about: 'expiry; 1970-01-01 if none' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
      { name: 'post_only', type: 'boolean', kind: 'boolean', about: 'never takes liquidity' },
      { name: 'reduce_only', type: 'boolean', kind: 'boolean', about: 'may only reduce the position' },
      { name: 'reserved_remaining', since: 2, type: 'bigint+?', kind: 'size', unit: SIZE, about: 'iceberg: hidden rest; NULL if no iceberg' },
      { name: 'peak_size', since: 2, formerly: { name: 'initial_peak_size', until: 6 }, type: 'bigint+?', kind: 'size', unit: SIZE, about: 'iceberg: shown size; NULL if none' },
      { name: 'minimum_visible_size', since: 2, formerly: { name: 'minimum_peak_size', until: 6 }, type: 'bigint+?', kind: 'size', unit: SIZE, about: 'iceberg: refresh threshold; NULL if none' },
    ],
  },
  // Position and profit of a party on a market each time it changed.
  // A row is one party and market at one block, last state (vega_time, party_id, market_id).
  positions: {
    about: 'positions, a row per change',
    columns: [
      { name: 'market_id', type: 'bytea', kind: 'id', about: 'market' },
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'party; network has its own rows' },
      { name: 'open_volume', type: 'bigint', kind: 'size', unit: SIZE, about: 'settled position, negative = short' },
      { name: 'realised_pnl', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'realised profit since first trade, signed, with fraction' },
      { name: 'unrealised_pnl', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'open profit at last mark, signed, with fraction' },
      { name: 'average_entry_price', type: 'average', kind: 'price', unit: OF_SETTLEMENT_ASSET, about: 'mean entry price, with fraction' },
      { name: 'average_entry_market_price', type: 'average', kind: 'price', unit: PRICE, about: 'mean entry price, with fraction' },
      { name: 'loss', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'total taken by loss socialisation, zero or negative' },
      { name: 'adjustment', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'total positive loss-socialisation adjustments' },
      TX_HASH,
      VEGA_TIME,
      { name: 'pending_open_volume', type: 'bigint', kind: 'size', unit: SIZE, about: 'position including trades not yet marked; the REST openVolume' },
      { name: 'pending_realised_pnl', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'realised profit including those trades; the REST value' },
      { name: 'pending_unrealised_pnl', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'open profit including those trades; the REST value' },
      { name: 'pending_average_entry_price', type: 'average', kind: 'price', unit: OF_SETTLEMENT_ASSET, about: 'mean entry including those trades' },
      { name: 'pending_average_entry_market_price', type: 'average', kind: 'price', unit: PRICE, about: 'mean entry including those trades; the REST averageEntryPrice' },
      { name: 'loss_socialisation_amount', type: 'average', kind: 'amount', unit: OF_MARKET_ID, about: 'sum of absolute loss-socialisation amounts' },
      { name: 'distressed_status', type: 'label', kind: 'enum', about: 'distress state', values: DISTRESS_STATES },
      { name: 'taker_fees_paid', since: 118 },
      { name: 'maker_fees_received', since: 118 },
      { name: 'fees_paid', since: 118 },
      { name: 'taker_fees_paid_since', since: 118 },
      { name: 'maker_fees_received_since', since: 118 },
      { name: 'fees_paid_since', since: 118 },
      { name: 'funding_payment_amount', since: 118 },
      { name: 'funding_payment_amount_since', since: 118 },
    ],
  },
  // Reward payouts to parties at epoch ends.
  // A row is one payout to one party (vega_time, seq_num).
  rewards: {
    about: 'rewards paid, per epoch',
    columns: [
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'receiving party' },
      { name: 'asset_id', type: 'bytea', kind: 'id', about: 'asset paid' },
      { name: 'market_id', type: 'bytea', kind: 'id', about: 'empty \\x in all v0.74 rows; old rows may hold a market' },
      { name: 'reward_type', type: 'text', kind: 'enum', about: 'reward pool, by rewarded activity', values: REWARD_POOLS },
      { name: 'epoch_id', type: 'bigint+', kind: 'ordinal', about: 'epoch rewarded' },
      { name: 'amount', type: 'hugeint+?', kind: 'amount', unit: OF_ASSET_ID, about: 'amount paid' },
      { name: 'percent_of_total', type: 'double+?', kind: 'factor', about: 'share of that payout in percent (0..100), a double' },
      { name: 'timestamp', type: 'timestamp', kind: 'time', about: 'time of the payout, the block time' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
      { name: 'locked_until_epoch_id', since: 51, type: 'bigint', kind: 'ordinal', about: 'epoch until which it stays locked; equals epoch_id when not locked' },
      { name: 'quantum_amount', since: 73, type: 'hugeint+', kind: 'decimal', about: 'amount divided by the asset quantum, rounded to a whole number by the column type' },
      { name: 'game_id', since: 74, type: 'bytea?', kind: 'id', about: 'dispatch strategy hash (reward pool), NULL for the general pool' },
    ],
  },
  // All trades of all markets with fees of both sides.
  // A row is one trade (synthetic_time).
  trades: {
    about: 'trades with both sides and fees',
    columns: [
      { name: 'synthetic_time', type: 'timestamp', kind: 'time', about: 'block time plus event number in microseconds; unique' },
      TX_HASH,
      VEGA_TIME,
      SEQ_NUM,
      { name: 'id', type: 'bytea', kind: 'id', about: 'trade' },
      { name: 'market_id', type: 'bytea', kind: 'id', about: 'market' },
      { name: 'price', type: 'hugeint+', kind: 'price', unit: PRICE, about: 'trade price' },
      { name: 'size', type: 'bigint+', kind: 'size', unit: SIZE, about: 'trade size' },
      { name: 'buyer', type: 'bytea', kind: 'id', about: 'buying party; network in close-outs' },
      { name: 'seller', type: 'bytea', kind: 'id', about: 'selling party; network in close-outs' },
      { name: 'aggressor', type: 'smallint+?', kind: 'enum', about: 'side that took liquidity', values: { 0: 'none (auction uncrossing)', 1: 'buy', 2: 'sell' } },
      { name: 'buy_order', type: 'bytea', kind: 'id', about: 'order of the buyer' },
      { name: 'sell_order', type: 'bytea', kind: 'id', about: 'order of the seller' },
      { name: 'type', type: 'smallint+', kind: 'enum', about: 'trade kind', values: TRADE_KINDS },
      { name: 'buyer_maker_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'maker fee paid by the buyer, net of discounts and referrer reward' },
      { name: 'buyer_infrastructure_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'infrastructure fee paid by the buyer, net of discounts and referrer reward' },
      { name: 'buyer_liquidity_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'liquidity fee paid by the buyer, net of discounts and referrer reward' },
      { name: 'seller_maker_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'maker fee paid by the seller, net of discounts and referrer reward' },
      { name: 'seller_infrastructure_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'infrastructure fee paid by the seller, net of discounts and referrer reward' },
      { name: 'seller_liquidity_fee', type: 'hugeint+?', kind: 'amount', unit: OF_MARKET_ID, about: 'liquidity fee paid by the seller, net of discounts and referrer reward' },
      { name: 'buyer_auction_batch', type: 'bigint+?', kind: 'ordinal', about: 'batch auction number, normally 0' },
      { name: 'seller_auction_batch', type: 'bigint+?', kind: 'ordinal', about: 'batch auction number, normally 0' },
      { name: 'buyer_maker_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that maker fee' },
      { name: 'buyer_infrastructure_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that infrastructure fee' },
      { name: 'buyer_liquidity_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that liquidity fee' },
      { name: 'buyer_maker_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that maker fee' },
      { name: 'buyer_infrastructure_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that infrastructure fee' },
      { name: 'buyer_liquidity_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that liquidity fee' },
      { name: 'seller_maker_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that maker fee' },
      { name: 'seller_infrastructure_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that infrastructure fee' },
      { name: 'seller_liquidity_fee_referral_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'referral discount on that liquidity fee' },
      { name: 'seller_maker_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that maker fee' },
      { name: 'seller_infrastructure_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that infrastructure fee' },
      { name: 'seller_liquidity_fee_volume_discount', since: 31, type: 'hugeint+', kind: 'amount', unit: OF_MARKET_ID, about: 'volume discount on that liquidity fee' },
      { name: 'buyer_buy_back_fee', since: 116 },
      { name: 'buyer_treasury_fee', since: 116 },
      { name: 'buyer_high_volume_maker_fee', since: 116 },
      { name: 'seller_buy_back_fee', since: 116 },
      { name: 'seller_treasury_fee', since: 116 },
      { name: 'seller_high_volume_maker_fee', since: 116 },
    ],
  },
  // Withdrawals and their status changes.
  // A row is one state of one withdrawal at one block (id, party_id, vega_time).
  withdrawals: {
    about: 'withdrawals, a row per change',
    columns: [
      { name: 'id', type: 'bytea', kind: 'id', about: 'withdrawal' },
      { name: 'party_id', type: 'bytea', kind: 'id', about: 'party' },
      { name: 'amount', type: 'whole+?', kind: 'amount', unit: OF_ASSET, about: 'amount leaving' },
      { name: 'asset', type: 'bytea', kind: 'id', about: 'asset' },
      { name: 'status', type: 'label', kind: 'enum', about: 'state', values: WITHDRAWAL_STATES },
      { name: 'ref', type: 'text', kind: 'text', about: 'nonce of the withdrawal as text' },
      { name: 'foreign_tx_hash', type: 'text', kind: 'hash', about: 'transaction on the outside chain as text, empty until completed' },
      { name: 'created_timestamp', type: 'timestamp', kind: 'time', about: 'creation time' },
      { name: 'withdrawn_timestamp', type: 'timestamp', kind: 'time', about: 'completion time; 1970-01-01 until then' },
      { name: 'ext', type: 'jsonb', kind: 'json', about: 'receiver address (erc20.receiverAddress)' },
      TX_HASH,
      VEGA_TIME,
    ],
  },
} as const satisfies { readonly [table: string]: ExportedTable };

export type TableName = keyof typeof EXPORTED_TABLES;
