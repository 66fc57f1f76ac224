export const TRADING_MODES = {
  TRADING_MODE_UNSPECIFIED: 'unset',
  TRADING_MODE_CONTINUOUS: 'continuous',
  TRADING_MODE_BATCH_AUCTION: 'batch auction',
  TRADING_MODE_OPENING_AUCTION: 'opening auction',
  TRADING_MODE_MONITORING_AUCTION: 'monitoring auction',
  TRADING_MODE_NO_TRADING: 'no trading',
  TRADING_MODE_SUSPENDED_VIA_GOVERNANCE: 'suspended by vote',
  TRADING_MODE_LONG_BLOCK_AUCTION: 'slow-block auction (v0.75+)',
  TRADING_MODE_PROTOCOL_AUTOMATED_PURCHASE_AUCTION: 'automated-purchase auction (v0.75+)',
} as const;

export const AUCTION_TRIGGERS = {
  AUCTION_TRIGGER_UNSPECIFIED: 'none',
  AUCTION_TRIGGER_BATCH: 'batch auction',
  AUCTION_TRIGGER_OPENING: 'opening auction',
  AUCTION_TRIGGER_PRICE: 'price monitoring',
  AUCTION_TRIGGER_LIQUIDITY: 'liquidity (old)',
  AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET: 'committed liquidity too low',
  AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS: 'LP orders not deployable (old)',
  AUCTION_TRIGGER_GOVERNANCE_SUSPENSION: 'suspended by vote',
  AUCTION_TRIGGER_LONG_BLOCK: 'slow block (v0.75+)',
  AUCTION_TRIGGER_PROTOCOL_AUTOMATED_PURCHASE: 'automated purchase (v0.75+)',
} as const;

export const MARKET_STATES = {
  STATE_UNSPECIFIED: 'unset',
  STATE_PROPOSED: 'proposed',
  STATE_REJECTED: 'rejected',
  STATE_PENDING: 'opening auction, not yet active',
  STATE_CANCELLED: 'cancelled before opening',
  STATE_ACTIVE: 'active',
  STATE_SUSPENDED: 'in a monitoring auction',
  STATE_CLOSED: 'closed by vote',
  STATE_TRADING_TERMINATED: 'trading ended, waiting for settlement',
  STATE_SETTLED: 'settled',
  STATE_SUSPENDED_VIA_GOVERNANCE: 'suspended by vote',
} as const;
