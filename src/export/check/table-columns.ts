/**
 * Columns of the exportable tables by schema version (1 to 123), in file order (export-behaviour.md section 3.1). All
 * changes append columns, except one rename in `orders`.
 */
export const NEWEST_KNOWN_SCHEMA_VERSION = 123;

/** How the database of a node stores a column, and so which values can stand in it (export-behaviour.md section 3.0). */
export type Stored =
  | 'bytea'
  | 'timestamp'
  /** An integer of up to 1000 digits. */
  | 'hugeint'
  /** A decimal of any length. */
  | 'numeric'
  /** The same, as a node computes it: an average, or a profit. */
  | 'average'
  /** The same, of whole smallest units. */
  | 'whole'
  /** Shortest form of a binary fraction. */
  | 'double'
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'boolean'
  | 'text'
  | 'jsonb'
  /** A text from a list that may grow. */
  | 'label';

export interface StoredType {
  readonly stored: Stored;
  /** Whether a number below 0 has a meaning in it. */
  readonly mayBeNegative: boolean;
}

/** The type of a column by any name it ever had; undefined if it is not known. */
export const columnType = (table: string, column: string): StoredType | undefined => TYPES.get(table)?.get(column);

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
  /** Columns with their types, and a `+` where a number is never negative. Types are known up to schema 93. */
  | { readonly from: number; readonly add: string }
  | { readonly from: number; readonly rename: Readonly<Record<string, string>> };

function changed(columns: readonly string[], change: ColumnChange): readonly string[] {
  if ('add' in change) return [...columns, ...added(change).map(([name]) => name)];
  return columns.map(column => change.rename[column] ?? column);
}

const CHANGES_BY_TABLE = {
  balances: [{ from: 1, add: `account_id:bytea vega_time:timestamp tx_hash:bytea balance:hugeint+` }],
  blocks: [{ from: 1, add: `vega_time:timestamp height:bigint+ hash:bytea` }],
  checkpoints: [
    {
      from: 1,
      add: `hash:text block_hash:text block_height:bigint+ tx_hash:bytea vega_time:timestamp seq_num:bigint+`,
    },
  ],
  delegations: [
    {
      from: 1,
      add: `party_id:bytea node_id:bytea epoch_id:bigint+ amount:hugeint+ tx_hash:bytea vega_time:timestamp
      seq_num:bigint+`,
    },
  ],
  deposits: [
    {
      from: 1,
      add: `id:bytea status:label party_id:bytea asset:bytea amount:hugeint+ foreign_tx_hash:text
      credited_timestamp:timestamp created_timestamp:timestamp tx_hash:bytea vega_time:timestamp`,
    },
  ],
  ledger: [
    {
      from: 1,
      add: `ledger_entry_time:timestamp account_from_id:bytea account_to_id:bytea quantity:hugeint+ tx_hash:bytea
      vega_time:timestamp transfer_time:timestamp account_from_balance:hugeint+ account_to_balance:hugeint+
      type:text`,
    },
    { from: 69, add: `transfer_id:bytea` },
  ],
  liquidity_provisions: [
    {
      from: 1,
      add: `id:bytea party_id:bytea created_at:timestamp updated_at:timestamp market_id:bytea
      commitment_amount:hugeint+ fee:numeric+ sells:jsonb buys:jsonb version:bigint+ status:label
      reference:text tx_hash:bytea vega_time:timestamp`,
    },
  ],
  margin_levels: [
    {
      from: 1,
      add: `account_id:bytea timestamp:timestamp maintenance_margin:hugeint+ search_level:hugeint+
      initial_margin:hugeint+ collateral_release_level:hugeint+ tx_hash:bytea vega_time:timestamp`,
    },
    { from: 77, add: `margin_mode:label margin_factor:numeric+ order_margin:hugeint+ order_margin_account_id:bytea` },
  ],
  market_data: [
    {
      from: 1,
      add: `synthetic_time:timestamp tx_hash:bytea vega_time:timestamp seq_num:bigint+ market:bytea
      mark_price:hugeint+ best_bid_price:hugeint+ best_bid_volume:hugeint+ best_offer_price:hugeint+
      best_offer_volume:hugeint+ best_static_bid_price:hugeint+ best_static_bid_volume:hugeint+
      best_static_offer_price:hugeint+ best_static_offer_volume:hugeint+ mid_price:hugeint+
      static_mid_price:hugeint+ open_interest:hugeint+ auction_end:bigint auction_start:bigint
      indicative_price:hugeint+ indicative_volume:hugeint+ market_trading_mode:label auction_trigger:label
      extension_trigger:label target_stake:hugeint+ supplied_stake:hugeint+ price_monitoring_bounds:jsonb
      market_value_proxy:text liquidity_provider_fee_shares:jsonb market_state:label
      next_mark_to_market:timestamp`,
    },
    { from: 7, add: `market_growth:hugeint` },
    { from: 9, add: `last_traded_price:hugeint+` },
    { from: 28, add: `product_data:jsonb` },
    { from: 39, add: `liquidity_provider_sla:jsonb` },
    { from: 78, add: `next_network_closeout:timestamp` },
    { from: 83, add: `mark_price_type:label` },
    { from: 89, add: `mark_price_state:jsonb` },
    { from: 121, add: `active_protocol_automated_purchase` },
  ],
  markets: [
    {
      from: 1,
      add: `id:bytea tx_hash:bytea vega_time:timestamp instrument_id:text tradable_instrument:jsonb
      decimal_places:integer fees:jsonb opening_auction:jsonb price_monitoring_settings:jsonb
      liquidity_monitoring_parameters:jsonb trading_mode:label state:label market_timestamps:jsonb
      position_decimal_places:integer lp_price_range:text quadratic_slippage_factor:numeric+
      linear_slippage_factor:numeric+`,
    },
    { from: 3, add: `parent_market_id:bytea insurance_pool_fraction:numeric+` },
    { from: 29, add: `liquidity_sla_parameters:jsonb` },
    { from: 70, add: `liquidation_strategy:jsonb` },
    { from: 84, add: `mark_price_configuration:jsonb` },
    { from: 94, add: `tick_size` },
    { from: 111, add: `enable_tx_reordering` },
    { from: 119, add: `allowed_empty_amm_levels` },
    { from: 122, add: `allowed_sellers` },
  ],
  orders: [
    {
      from: 1,
      add: `id:bytea market_id:bytea party_id:bytea side:smallint+ price:hugeint+ size:bigint+ remaining:bigint+
      time_in_force:smallint+ type:smallint+ status:smallint+ reference:text reason:smallint+ version:integer+
      batch_id:integer+ pegged_offset:hugeint+ pegged_reference:smallint+ lp_id:bytea created_at:timestamp
      updated_at:timestamp expires_at:timestamp tx_hash:bytea vega_time:timestamp seq_num:bigint+
      post_only:boolean reduce_only:boolean`,
    },
    { from: 2, add: `reserved_remaining:bigint+ initial_peak_size:bigint+ minimum_peak_size:bigint+` },
    { from: 6, rename: { initial_peak_size: 'peak_size', minimum_peak_size: 'minimum_visible_size' } },
  ],
  positions: [
    {
      from: 1,
      add: `market_id:bytea party_id:bytea open_volume:bigint realised_pnl:average unrealised_pnl:average
      average_entry_price:average average_entry_market_price:average loss:average adjustment:average
      tx_hash:bytea vega_time:timestamp pending_open_volume:bigint pending_realised_pnl:average
      pending_unrealised_pnl:average pending_average_entry_price:average
      pending_average_entry_market_price:average loss_socialisation_amount:average distressed_status:label`,
    },
    {
      from: 118,
      add: `taker_fees_paid maker_fees_received fees_paid taker_fees_paid_since maker_fees_received_since
      fees_paid_since funding_payment_amount funding_payment_amount_since`,
    },
  ],
  rewards: [
    {
      from: 1,
      add: `party_id:bytea asset_id:bytea market_id:bytea reward_type:text epoch_id:bigint+ amount:hugeint+
      percent_of_total:double+ timestamp:timestamp tx_hash:bytea vega_time:timestamp seq_num:bigint+`,
    },
    { from: 51, add: `locked_until_epoch_id:bigint` },
    { from: 73, add: `quantum_amount:hugeint+` },
    { from: 74, add: `game_id:bytea` },
  ],
  trades: [
    {
      from: 1,
      add: `synthetic_time:timestamp tx_hash:bytea vega_time:timestamp seq_num:bigint+ id:bytea market_id:bytea
      price:hugeint+ size:bigint+ buyer:bytea seller:bytea aggressor:smallint+ buy_order:bytea sell_order:bytea
      type:smallint+ buyer_maker_fee:hugeint+ buyer_infrastructure_fee:hugeint+ buyer_liquidity_fee:hugeint+
      seller_maker_fee:hugeint+ seller_infrastructure_fee:hugeint+ seller_liquidity_fee:hugeint+
      buyer_auction_batch:bigint+ seller_auction_batch:bigint+`,
    },
    {
      from: 31,
      add: `buyer_maker_fee_referral_discount:hugeint+ buyer_infrastructure_fee_referral_discount:hugeint+
      buyer_liquidity_fee_referral_discount:hugeint+ buyer_maker_fee_volume_discount:hugeint+
      buyer_infrastructure_fee_volume_discount:hugeint+ buyer_liquidity_fee_volume_discount:hugeint+
      seller_maker_fee_referral_discount:hugeint+ seller_infrastructure_fee_referral_discount:hugeint+
      seller_liquidity_fee_referral_discount:hugeint+ seller_maker_fee_volume_discount:hugeint+
      seller_infrastructure_fee_volume_discount:hugeint+ seller_liquidity_fee_volume_discount:hugeint+`,
    },
    {
      from: 116,
      add: `buyer_buy_back_fee buyer_treasury_fee buyer_high_volume_maker_fee seller_buy_back_fee seller_treasury_fee
      seller_high_volume_maker_fee`,
    },
  ],
  withdrawals: [
    {
      from: 1,
      add: `id:bytea party_id:bytea amount:whole+ asset:bytea status:label ref:text foreign_tx_hash:text
      created_timestamp:timestamp withdrawn_timestamp:timestamp ext:jsonb tx_hash:bytea vega_time:timestamp`,
    },
  ],
} satisfies Readonly<Record<string, readonly ColumnChange[]>>;

const COLUMN_CHANGES: ReadonlyMap<string, readonly ColumnChange[]> = new Map(Object.entries(CHANGES_BY_TABLE));

const STORED: { readonly [stored in Stored]: true } = {
  ...{
    bytea: true,
    timestamp: true,
    hugeint: true,
    numeric: true,
    average: true,
    whole: true,
    double: true,
    bigint: true,
  },
  ...{ integer: true, smallint: true, boolean: true, text: true, jsonb: true, label: true },
};

const isStored = (text: string): text is Stored => Object.hasOwn(STORED, text);

function added({ add }: { readonly add: string }): readonly (readonly [name: string, type: StoredType | undefined])[] {
  return add.split(/\s+/).map(text => {
    const [, name = '', stored = '', plus = ''] = /^(\w+)(?::(\w+))?(\+?)$/.exec(text) ?? [];
    return [name, isStored(stored) ? { stored, mayBeNegative: plus === '' } : undefined] as const;
  });
}

function typesIn(changes: readonly ColumnChange[]): ReadonlyMap<string, StoredType | undefined> {
  const types = new Map<string, StoredType | undefined>();
  for (const change of changes) {
    if ('add' in change) for (const [name, type] of added(change)) types.set(name, type);
    else for (const [before, now] of Object.entries(change.rename)) types.set(now, types.get(before));
  }
  return types;
}

const TYPES: ReadonlyMap<string, ReadonlyMap<string, StoredType | undefined>> = new Map(
  [...COLUMN_CHANGES].map(([table, changes]) => [table, typesIn(changes)]),
);

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
