import type { DescribedTable } from './table-schema.ts';

export const delegationsTable: DescribedTable = {
  name: 'delegations',
  about: 'Stake a party delegates to a validator node, per epoch.',
  row: 'one delegation event (vega_time, seq_num); latest row per party, node, epoch is the state',
  time: 'vega_time',
  columns: [
    { name: 'party_id', kind: 'id', about: 'delegating party' },
    { name: 'node_id', kind: 'id', about: 'validator node' },
    { name: 'epoch_id', kind: 'count', about: 'epoch the amount applies to' },
    {
      name: 'amount',
      kind: 'amount',
      about: 'delegated stake as a level, not a change',
      unit: 'decimals of the staking token (asset named by network parameter reward.asset, 18 on mainnet)',
    },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    { name: 'seq_num', kind: 'count', about: 'event number inside the block' },
  ],
};
