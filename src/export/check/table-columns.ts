/**
 * Columns of the exportable tables by schema version (1 to 123), in file order (export-behaviour.md section 3.1). All
 * changes append columns, except one rename in `orders`.
 */
export const NEWEST_KNOWN_SCHEMA_VERSION = 123;

/** Columns of `table` at `schemaVersion`; undefined when the table is not known. */
export function columnsAt(table: string, schemaVersion: number): readonly string[] | undefined {
  const changes = COLUMN_CHANGES.get(table);
  if (!changes) return undefined;
  let columns: readonly string[] = [];
  for (const change of changes) if (change.from <= schemaVersion) columns = changed(columns, change);
  return columns;
}

/** The schema versions at which the columns of `table` changed, oldest first, from 1. */
export function columnVersions(table: string): readonly number[] {
  return (COLUMN_CHANGES.get(table) ?? []).map(change => change.from);
}

type ColumnChange =
  | { readonly from: number; readonly add: string }
  | { readonly from: number; readonly rename: Readonly<Record<string, string>> };

function changed(columns: readonly string[], change: ColumnChange): readonly string[] {
  if ('add' in change) return [...columns, ...change.add.split(/\s+/)];
  return columns.map(column => change.rename[column] ?? column);
}

const CHANGES_BY_TABLE = {
  balances: [{ from: 1, add: `account_id vega_time tx_hash balance` }],
  blocks: [{ from: 1, add: `vega_time height hash` }],
  checkpoints: [{ from: 1, add: `hash block_hash block_height tx_hash vega_time seq_num` }],
  delegations: [{ from: 1, add: `party_id node_id epoch_id amount tx_hash vega_time seq_num` }],
  deposits: [
    {
      from: 1,
      add: `id status party_id asset amount foreign_tx_hash credited_timestamp created_timestamp tx_hash
      vega_time`,
    },
  ],
  ledger: [
    {
      from: 1,
      add: `ledger_entry_time account_from_id account_to_id quantity tx_hash vega_time transfer_time
      account_from_balance account_to_balance type`,
    },
    { from: 69, add: `transfer_id` },
  ],
  liquidity_provisions: [
    {
      from: 1,
      add: `id party_id created_at updated_at market_id commitment_amount fee sells buys version status
      reference tx_hash vega_time`,
    },
  ],
  margin_levels: [
    {
      from: 1,
      add: `account_id timestamp maintenance_margin search_level initial_margin collateral_release_level
      tx_hash vega_time`,
    },
    { from: 77, add: `margin_mode margin_factor order_margin order_margin_account_id` },
  ],
  market_data: [
    {
      from: 1,
      add: `synthetic_time tx_hash vega_time seq_num market mark_price best_bid_price best_bid_volume
      best_offer_price best_offer_volume best_static_bid_price best_static_bid_volume
      best_static_offer_price best_static_offer_volume mid_price static_mid_price open_interest
      auction_end auction_start indicative_price indicative_volume market_trading_mode
      auction_trigger extension_trigger target_stake supplied_stake price_monitoring_bounds
      market_value_proxy liquidity_provider_fee_shares market_state next_mark_to_market`,
    },
    { from: 7, add: `market_growth` },
    { from: 9, add: `last_traded_price` },
    { from: 28, add: `product_data` },
    { from: 39, add: `liquidity_provider_sla` },
    { from: 78, add: `next_network_closeout` },
    { from: 83, add: `mark_price_type` },
    { from: 89, add: `mark_price_state` },
    { from: 121, add: `active_protocol_automated_purchase` },
  ],
  markets: [
    {
      from: 1,
      add: `id tx_hash vega_time instrument_id tradable_instrument decimal_places fees opening_auction
      price_monitoring_settings liquidity_monitoring_parameters trading_mode state
      market_timestamps position_decimal_places lp_price_range quadratic_slippage_factor
      linear_slippage_factor`,
    },
    { from: 3, add: `parent_market_id insurance_pool_fraction` },
    { from: 29, add: `liquidity_sla_parameters` },
    { from: 70, add: `liquidation_strategy` },
    { from: 84, add: `mark_price_configuration` },
    { from: 94, add: `tick_size` },
    { from: 111, add: `enable_tx_reordering` },
    { from: 119, add: `allowed_empty_amm_levels` },
    { from: 122, add: `allowed_sellers` },
  ],
  orders: [
    {
      from: 1,
      add: `id market_id party_id side price size remaining time_in_force type status reference reason
      version batch_id pegged_offset pegged_reference lp_id created_at updated_at expires_at
      tx_hash vega_time seq_num post_only reduce_only`,
    },
    { from: 2, add: `reserved_remaining initial_peak_size minimum_peak_size` },
    { from: 6, rename: { initial_peak_size: 'peak_size', minimum_peak_size: 'minimum_visible_size' } },
  ],
  positions: [
    {
      from: 1,
      add: `market_id party_id open_volume realised_pnl unrealised_pnl average_entry_price
      average_entry_market_price loss adjustment tx_hash vega_time pending_open_volume
      pending_realised_pnl pending_unrealised_pnl pending_average_entry_price
      pending_average_entry_market_price loss_socialisation_amount distressed_status`,
    },
    {
      from: 118,
      add: `taker_fees_paid maker_fees_received fees_paid taker_fees_paid_since
      maker_fees_received_since fees_paid_since funding_payment_amount
      funding_payment_amount_since`,
    },
  ],
  rewards: [
    {
      from: 1,
      add: `party_id asset_id market_id reward_type epoch_id amount percent_of_total timestamp tx_hash
      vega_time seq_num`,
    },
    { from: 51, add: `locked_until_epoch_id` },
    { from: 73, add: `quantum_amount` },
    { from: 74, add: `game_id` },
  ],
  trades: [
    {
      from: 1,
      add: `synthetic_time tx_hash vega_time seq_num id market_id price size buyer seller aggressor
      buy_order sell_order type buyer_maker_fee buyer_infrastructure_fee buyer_liquidity_fee
      seller_maker_fee seller_infrastructure_fee seller_liquidity_fee buyer_auction_batch
      seller_auction_batch`,
    },
    {
      from: 31,
      add: `buyer_maker_fee_referral_discount buyer_infrastructure_fee_referral_discount
      buyer_liquidity_fee_referral_discount buyer_maker_fee_volume_discount
      buyer_infrastructure_fee_volume_discount buyer_liquidity_fee_volume_discount
      seller_maker_fee_referral_discount seller_infrastructure_fee_referral_discount
      seller_liquidity_fee_referral_discount seller_maker_fee_volume_discount
      seller_infrastructure_fee_volume_discount seller_liquidity_fee_volume_discount`,
    },
    {
      from: 116,
      add: `buyer_buy_back_fee buyer_treasury_fee buyer_high_volume_maker_fee seller_buy_back_fee
      seller_treasury_fee seller_high_volume_maker_fee`,
    },
  ],
  withdrawals: [
    {
      from: 1,
      add: `id party_id amount asset status ref foreign_tx_hash created_timestamp withdrawn_timestamp
      ext tx_hash vega_time`,
    },
  ],
} satisfies Readonly<Record<string, readonly ColumnChange[]>>;

const COLUMN_CHANGES: ReadonlyMap<string, readonly ColumnChange[]> = new Map(Object.entries(CHANGES_BY_TABLE));

/** The tables that nodes export, as in file names. */
export const exportTables: readonly string[] = Object.keys(CHANGES_BY_TABLE);

/**
 * Whether a column may be NULL: those nullable at schema 93, and all added later, for which it is not known. All others are
 * NOT NULL in the database, so no node writes an empty field there.
 */
export function mayBeNull(table: string, column: string): boolean {
  return NULLABLE.get(table)?.has(column) ?? true;
}

const NULLABLE_BY_TABLE = {
  balances: ``,
  blocks: ``,
  checkpoints: ``,
  delegations: `amount`,
  deposits: `amount`,
  ledger: `type transfer_id`,
  liquidity_provisions: `party_id market_id commitment_amount fee sells buys version reference`,
  margin_levels: `maintenance_margin search_level initial_margin collateral_release_level
    order_margin_account_id`,
  market_data: `mark_price best_bid_price best_bid_volume best_offer_price best_offer_volume
    best_static_bid_price best_static_bid_volume best_static_offer_price best_static_offer_volume mid_price
    static_mid_price open_interest auction_end auction_start indicative_price indicative_volume
    market_trading_mode auction_trigger extension_trigger target_stake supplied_stake
    price_monitoring_bounds market_value_proxy liquidity_provider_fee_shares market_state
    next_mark_to_market market_growth last_traded_price product_data liquidity_provider_sla
    mark_price_state active_protocol_automated_purchase`,
  markets: `instrument_id tradable_instrument decimal_places fees opening_auction price_monitoring_settings
    liquidity_monitoring_parameters trading_mode state market_timestamps position_decimal_places
    lp_price_range quadratic_slippage_factor linear_slippage_factor parent_market_id
    insurance_pool_fraction liquidity_sla_parameters liquidation_strategy mark_price_configuration tick_size
    enable_tx_reordering allowed_empty_amm_levels allowed_sellers`,
  orders: `reference reason pegged_offset pegged_reference lp_id updated_at expires_at reserved_remaining
    initial_peak_size minimum_peak_size peak_size minimum_visible_size`,
  positions: `taker_fees_paid maker_fees_received fees_paid taker_fees_paid_since maker_fees_received_since
    fees_paid_since funding_payment_amount funding_payment_amount_since`,
  rewards: `amount percent_of_total game_id`,
  trades: `aggressor buyer_maker_fee buyer_infrastructure_fee buyer_liquidity_fee seller_maker_fee
    seller_infrastructure_fee seller_liquidity_fee buyer_auction_batch seller_auction_batch
    buyer_buy_back_fee buyer_treasury_fee buyer_high_volume_maker_fee seller_buy_back_fee
    seller_treasury_fee seller_high_volume_maker_fee`,
  withdrawals: `amount`,
} satisfies Readonly<Record<string, string>>;

const NULLABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(NULLABLE_BY_TABLE).map(([table, columns]) => [table, new Set(columns.split(/\s+/))]),
);
