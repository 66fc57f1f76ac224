import type { DescribedTable } from './table-schema.ts';

export const balancesTable: DescribedTable = {
  name: 'balances',
  about: 'Balance of every account each time it changed.',
  row: 'one account at one block: last balance of that block (vega_time, account_id)',
  time: 'vega_time',
  columns: [
    { name: 'account_id', kind: 'account-id', about: 'account (computed id)' },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    {
      name: 'balance',
      kind: 'amount',
      about: 'balance after the last change in this block',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
  ],
};
