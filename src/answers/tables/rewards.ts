import type { DescribedTable } from './table-schema.ts';

export const rewardsTable: DescribedTable = {
  name: 'rewards',
  about: 'Reward payouts to parties at epoch ends.',
  row: 'one payout to one party (vega_time, seq_num)',
  time: 'vega_time',
  columns: [
    { name: 'party_id', kind: 'id', about: 'receiving party' },
    { name: 'asset_id', kind: 'id', about: 'asset paid' },
    {
      name: 'market_id',
      kind: 'id',
      about: 'empty \\x in all v0.74 rows; old rows may hold a market',
    },
    {
      name: 'reward_type',
      kind: 'enum',
      about: 'reward pool, by what it rewards',
      values: {
        ACCOUNT_TYPE_FEES_INFRASTRUCTURE: 'share of infrastructure fees',
        ACCOUNT_TYPE_GLOBAL_REWARD: 'staking',
        ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES: 'maker fees paid',
        ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES: 'maker fees received',
        ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES: 'liquidity fees received',
        ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS: 'market proposed',
        ACCOUNT_TYPE_REWARD_AVERAGE_POSITION: 'average position',
        ACCOUNT_TYPE_REWARD_RELATIVE_RETURN: 'relative return',
        ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY: 'steady returns',
        ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING: 'validator ranking',
        ACCOUNT_TYPE_REWARD_REALISED_RETURN: 'realised return',
        ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL: 'average notional',
        ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES: 'eligible parties',
      },
    },
    { name: 'epoch_id', kind: 'count', about: 'epoch rewarded' },
    {
      name: 'amount',
      kind: 'amount',
      about: 'amount paid',
      unit: 'asset decimals of asset_id',
    },
    {
      name: 'percent_of_total',
      kind: 'factor',
      about: 'share of that payout in percent (0..100), a double',
    },
    { name: 'timestamp', kind: 'time', about: 'time of the payout, the block time' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    { name: 'seq_num', kind: 'count', about: 'event number inside the block' },
    {
      name: 'locked_until_epoch_id',
      kind: 'count',
      about: 'epoch until which it stays locked; equals epoch_id when not locked',
    },
    {
      name: 'quantum_amount',
      kind: 'decimal',
      about: 'amount divided by the asset quantum, rounded to a whole number by the column type',
    },
    {
      name: 'game_id',
      kind: 'id',
      about: 'dispatch strategy hash (reward pool), NULL for the general pool',
    },
  ],
};
