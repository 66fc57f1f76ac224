import type { DescribedTable } from './table-schema.ts';

export const marginLevelsTable: DescribedTable = {
  name: 'margin_levels',
  about: 'Margin requirements of a party on a market.',
  row: 'one margin account at one block, last value (vega_time, account_id)',
  time: 'vega_time',
  columns: [
    {
      name: 'account_id',
      kind: 'account-id',
      about: 'margin account of party+asset+market (ACCOUNT_TYPE_MARGIN)',
    },
    { name: 'timestamp', kind: 'time', about: 'same as vega_time' },
    {
      name: 'maintenance_margin',
      kind: 'amount',
      about: 'below this the party is closed out',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
    {
      name: 'search_level',
      kind: 'amount',
      about: 'below this more collateral is taken',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
    {
      name: 'initial_margin',
      kind: 'amount',
      about: 'needed to open',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
    {
      name: 'collateral_release_level',
      kind: 'amount',
      about: 'above this the surplus is released; 0 in isolated mode',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    {
      name: 'margin_mode',
      kind: 'enum',
      about: 'margin mode',
      values: {
        MARGIN_MODE_UNSPECIFIED: 'unset',
        MARGIN_MODE_CROSS_MARGIN: 'cross',
        MARGIN_MODE_ISOLATED_MARGIN: 'isolated',
      },
    },
    {
      name: 'margin_factor',
      kind: 'factor',
      about: 'isolated mode: margin per notional; 0 in cross mode',
    },
    {
      name: 'order_margin',
      kind: 'amount',
      about: 'isolated mode: margin needed for open orders',
      unit: 'asset decimals of the asset of account_id (asset known only through the account mapping)',
    },
    {
      name: 'order_margin_account_id',
      kind: 'account-id',
      about: 'order margin account of the same party and market, filled in both modes',
    },
  ],
};
