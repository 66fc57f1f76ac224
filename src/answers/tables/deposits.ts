import type { DescribedTable } from './table-schema.ts';

export const depositsTable: DescribedTable = {
  name: 'deposits',
  about: 'Deposits from outside chains and their status changes.',
  row: 'one state of one deposit at one block (id, party_id, vega_time)',
  time: 'vega_time',
  columns: [
    { name: 'id', kind: 'id', about: 'deposit' },
    {
      name: 'status',
      kind: 'enum',
      about: 'state of the deposit',
      values: {
        STATUS_UNSPECIFIED: 'unset',
        STATUS_OPEN: 'seen, not yet credited',
        STATUS_CANCELLED: 'not credited',
        STATUS_FINALIZED: 'credited to the party',
        STATUS_DUPLICATE_REJECTED: 'duplicate refused (v0.75+)',
      },
    },
    { name: 'party_id', kind: 'id', about: 'receiving party' },
    { name: 'asset', kind: 'id', about: 'asset' },
    {
      name: 'amount',
      kind: 'amount',
      about: 'amount deposited',
      unit: 'asset decimals of column asset',
    },
    {
      name: 'foreign_tx_hash',
      kind: 'hash',
      about: 'transaction on the outside chain as text (0x...), may be empty',
    },
    {
      name: 'credited_timestamp',
      kind: 'time',
      about: 'time of crediting; 1970-01-01 while open',
    },
    { name: 'created_timestamp', kind: 'time', about: 'time first seen' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
  ],
};
