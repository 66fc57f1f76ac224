import type { DescribedTable } from './table-schema.ts';

export const liquidityProvisionsTable: DescribedTable = {
  name: 'liquidity_provisions',
  about: 'Liquidity commitments of parties on markets.',
  row: 'one state of one commitment at one block (id, vega_time)',
  time: 'vega_time',
  columns: [
    { name: 'id', kind: 'id', about: 'commitment' },
    { name: 'party_id', kind: 'id', about: 'liquidity provider' },
    { name: 'created_at', kind: 'time', about: 'submission time' },
    { name: 'updated_at', kind: 'time', about: 'last change; 1970-01-01 if never' },
    { name: 'market_id', kind: 'id', about: 'market' },
    {
      name: 'commitment_amount',
      kind: 'amount',
      about: 'committed bond',
      unit: 'asset decimals of the settlement asset of market_id (quote asset on a spot market)',
    },
    { name: 'fee', kind: 'factor', about: 'fee bid, 0.001 = 0.1 %' },
    {
      name: 'sells',
      kind: 'json',
      about: 'old shape orders, [] in current versions',
    },
    {
      name: 'buys',
      kind: 'json',
      about: 'old shape orders, [] in current versions',
    },
    { name: 'version', kind: 'count', about: 'amendment number' },
    {
      name: 'status',
      kind: 'enum',
      about: 'state',
      values: {
        STATUS_UNSPECIFIED: 'unset',
        STATUS_ACTIVE: 'active',
        STATUS_STOPPED: 'stopped by the network',
        STATUS_CANCELLED: 'cancelled by the party',
        STATUS_REJECTED: 'rejected',
        STATUS_UNDEPLOYED: 'accepted, not deployed',
        STATUS_PENDING: 'change waits for next epoch or opening',
      },
    },
    { name: 'reference', kind: 'text', about: 'free text of the party' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
  ],
};
