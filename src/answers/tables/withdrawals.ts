import type { DescribedTable } from './table-schema.ts';

export const withdrawalsTable: DescribedTable = {
  name: 'withdrawals',
  about: 'Withdrawals and their status changes.',
  row: 'one state of one withdrawal at one block (id, party_id, vega_time)',
  time: 'vega_time',
  columns: [
    { name: 'id', kind: 'id', about: 'withdrawal' },
    { name: 'party_id', kind: 'id', about: 'party' },
    {
      name: 'amount',
      kind: 'amount',
      about: 'amount leaving',
      unit: 'asset decimals of column asset',
    },
    { name: 'asset', kind: 'id', about: 'asset' },
    {
      name: 'status',
      kind: 'enum',
      about: 'state',
      values: {
        STATUS_UNSPECIFIED: 'unset',
        STATUS_OPEN: 'debited on Vega, not yet completed outside',
        STATUS_REJECTED: 'rejected',
        STATUS_FINALIZED: 'completed on the outside chain',
      },
    },
    { name: 'ref', kind: 'text', about: 'nonce of the withdrawal as text' },
    {
      name: 'foreign_tx_hash',
      kind: 'hash',
      about: 'transaction on the outside chain as text, empty until completed',
    },
    { name: 'created_timestamp', kind: 'time', about: 'creation time' },
    { name: 'withdrawn_timestamp', kind: 'time', about: 'completion time; 1970-01-01 until then' },
    { name: 'ext', kind: 'json', about: 'receiver address (erc20.receiverAddress)' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
  ],
};
