/**
 * Columns that may be NULL at schema 93, and those added after it, of which that is not known. Every other column of
 * an exportable table is NOT NULL in a node's database, so an unquoted empty field there is no row that a node wrote.
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
