import type { TableSchema } from './table-schema.ts';

export const withdrawalsTable: TableSchema = {
  name: 'withdrawals',
  about: 'Withdrawals and their status changes.',
  row: 'one state of one withdrawal at one block (id, party_id, vega_time)',
  time: 'vega_time',
  columns: [
    { name: 'id', stored: 'bytea', kind: 'id', about: 'withdrawal' },
    { name: 'party_id', stored: 'bytea', kind: 'id', about: 'party' },
    {
      name: 'amount',
      stored: 'numeric',
      kind: 'amount',
      about: 'amount leaving',
      isNullable: true,
      unit: 'asset decimals of column asset',
    },
    { name: 'asset', stored: 'bytea', kind: 'id', about: 'asset' },
    {
      name: 'status',
      stored: 'label',
      kind: 'enum',
      about: 'state',
      values: {
        STATUS_UNSPECIFIED: 'unset',
        STATUS_OPEN: 'debited on Vega, not yet completed outside',
        STATUS_REJECTED: 'rejected',
        STATUS_FINALIZED: 'completed on the outside chain',
      },
    },
    { name: 'ref', stored: 'text', kind: 'text', about: 'nonce of the withdrawal as text' },
    {
      name: 'foreign_tx_hash',
      stored: 'text',
      kind: 'hash',
      about: 'transaction on the outside chain as text, empty until completed',
    },
    { name: 'created_timestamp', stored: 'timestamp', kind: 'time', about: 'creation time' },
    { name: 'withdrawn_timestamp', stored: 'timestamp', kind: 'time', about: 'completion time; 1970-01-01 until then' },
    { name: 'ext', stored: 'jsonb', kind: 'json', about: 'receiver address (erc20.receiverAddress)' },
    {
      name: 'tx_hash',
      stored: 'bytea',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', stored: 'timestamp', kind: 'time', about: 'time of the block' },
  ],
};
