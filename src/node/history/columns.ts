/** The tables that can be exported, in the order of the enum; 0 is TABLE_UNSPECIFIED. */
export const HISTORY_TABLES = [
  'balances',
  'checkpoints',
  'delegations',
  'ledger',
  'orders',
  'trades',
  'market_data',
  'margin_levels',
  'positions',
  'liquidity_provisions',
  'markets',
  'deposits',
  'withdrawals',
  'blocks',
  'rewards',
] as const;

export type HistoryTable = (typeof HISTORY_TABLES)[number];

/** The header row of a table at a schema version (export-behaviour.md section 3). */
export function headerAt(table: HistoryTable, databaseVersion: number): readonly string[] {
  return COLUMNS_OF[table]
    .filter(({ since, until }) => since <= databaseVersion && databaseVersion < until)
    .map(({ name }) => name);
}

interface Column {
  readonly name: string;
  /** The schema version that added the column. */
  readonly since: number;
  /** The schema version that removed it, or Infinity. */
  readonly until: number;
}

/** Reads `name`, `name@since` and `name@since-until`. */
function columns(text: string): readonly Column[] {
  return text
    .trim()
    .split(/\s+/)
    .map(word => {
      const [name = '', life = '1'] = word.split('@');
      const [since, until = 'Infinity'] = life.split('-');
      return { name, since: Number(since), until: Number(until) };
    });
}

/** In the order of exports, up to schema 123 (v0.79.0). */
const COLUMNS_OF: Readonly<Record<HistoryTable, readonly Column[]>> = {
  balances: columns(`
    account_id vega_time tx_hash balance`),
  blocks: columns(`
    vega_time height hash`),
  checkpoints: columns(`
    hash block_hash block_height tx_hash vega_time seq_num`),
  delegations: columns(`
    party_id node_id epoch_id amount tx_hash vega_time seq_num`),
  deposits: columns(`
    id status party_id asset amount foreign_tx_hash credited_timestamp created_timestamp tx_hash
    vega_time`),
  ledger: columns(`
    ledger_entry_time account_from_id account_to_id quantity tx_hash vega_time transfer_time
    account_from_balance account_to_balance type transfer_id@69`),
  liquidity_provisions: columns(`
    id party_id created_at updated_at market_id commitment_amount fee sells buys version status
    reference tx_hash vega_time`),
  margin_levels: columns(`
    account_id timestamp maintenance_margin search_level initial_margin collateral_release_level
    tx_hash vega_time margin_mode@77 margin_factor@77 order_margin@77 order_margin_account_id@77`),
  market_data: columns(`
    synthetic_time tx_hash vega_time seq_num market mark_price best_bid_price best_bid_volume
    best_offer_price best_offer_volume best_static_bid_price best_static_bid_volume
    best_static_offer_price best_static_offer_volume mid_price static_mid_price open_interest
    auction_end auction_start indicative_price indicative_volume market_trading_mode auction_trigger
    extension_trigger target_stake supplied_stake price_monitoring_bounds market_value_proxy
    liquidity_provider_fee_shares market_state next_mark_to_market market_growth@7
    last_traded_price@9 product_data@28 liquidity_provider_sla@39 next_network_closeout@78
    mark_price_type@83 mark_price_state@89 active_protocol_automated_purchase@121`),
  markets: columns(`
    id tx_hash vega_time instrument_id tradable_instrument decimal_places fees opening_auction
    price_monitoring_settings liquidity_monitoring_parameters trading_mode state market_timestamps
    position_decimal_places lp_price_range quadratic_slippage_factor linear_slippage_factor
    parent_market_id@3 insurance_pool_fraction@3 liquidity_sla_parameters@29 liquidation_strategy@70
    mark_price_configuration@84 tick_size@94 enable_tx_reordering@111 allowed_empty_amm_levels@119
    allowed_sellers@122`),
  orders: columns(`
    id market_id party_id side price size remaining time_in_force type status reference reason
    version batch_id pegged_offset pegged_reference lp_id created_at updated_at expires_at tx_hash
    vega_time seq_num post_only reduce_only reserved_remaining@2 initial_peak_size@2-6
    minimum_peak_size@2-6 peak_size@6 minimum_visible_size@6`),
  positions: columns(`
    market_id party_id open_volume realised_pnl unrealised_pnl average_entry_price
    average_entry_market_price loss adjustment tx_hash vega_time pending_open_volume
    pending_realised_pnl pending_unrealised_pnl pending_average_entry_price
    pending_average_entry_market_price loss_socialisation_amount distressed_status
    taker_fees_paid@118 maker_fees_received@118 fees_paid@118 taker_fees_paid_since@118
    maker_fees_received_since@118 fees_paid_since@118 funding_payment_amount@118
    funding_payment_amount_since@118`),
  rewards: columns(`
    party_id asset_id market_id reward_type epoch_id amount percent_of_total timestamp tx_hash
    vega_time seq_num locked_until_epoch_id@51 quantum_amount@73 game_id@74`),
  trades: columns(`
    synthetic_time tx_hash vega_time seq_num id market_id price size buyer seller aggressor
    buy_order sell_order type buyer_maker_fee buyer_infrastructure_fee buyer_liquidity_fee
    seller_maker_fee seller_infrastructure_fee seller_liquidity_fee buyer_auction_batch
    seller_auction_batch buyer_maker_fee_referral_discount@31
    buyer_infrastructure_fee_referral_discount@31 buyer_liquidity_fee_referral_discount@31
    buyer_maker_fee_volume_discount@31 buyer_infrastructure_fee_volume_discount@31
    buyer_liquidity_fee_volume_discount@31 seller_maker_fee_referral_discount@31
    seller_infrastructure_fee_referral_discount@31 seller_liquidity_fee_referral_discount@31
    seller_maker_fee_volume_discount@31 seller_infrastructure_fee_volume_discount@31
    seller_liquidity_fee_volume_discount@31 buyer_buy_back_fee@116 buyer_treasury_fee@116
    buyer_high_volume_maker_fee@116 seller_buy_back_fee@116 seller_treasury_fee@116
    seller_high_volume_maker_fee@116`),
  withdrawals: columns(`
    id party_id amount asset status ref foreign_tx_hash created_timestamp withdrawn_timestamp ext
    tx_hash vega_time`),
};
