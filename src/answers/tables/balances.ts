import type { TableSchema } from './table-schema.ts';

export const balancesTable: TableSchema = {
  name: 'balances',
  about: 'Balance of every account each time it changed.',
  row: 'one account at one block: last balance of that block (vega_time, account_id)',
  time: 'vega_time',
  columns: [
    { name: 'account_id', stored: 'bytea', kind: 'account-id', about: 'account (computed id)' },
    { name: 'vega_time', stored: 'timestamp', kind: 'time', about: 'time of the block' },
    {
      name: 'tx_hash',
      stored: 'bytea',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    {
      name: 'balance',
      stored: 'hugeint',
      kind: 'amount',
      about: 'balance after the last change in this block',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
  ],
};
