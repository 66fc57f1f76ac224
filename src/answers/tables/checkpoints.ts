import type { TableSchema } from './table-schema.ts';

export const checkpointsTable: TableSchema = {
  name: 'checkpoints',
  about: 'Network checkpoints taken by the chain.',
  row: 'one checkpoint event (vega_time, seq_num)',
  time: 'vega_time',
  columns: [
    { name: 'hash', stored: 'text', kind: 'hash', about: 'checkpoint hash, hex text without \\x' },
    { name: 'block_hash', stored: 'text', kind: 'hash', about: 'hash of the block, hex text without \\x' },
    { name: 'block_height', stored: 'bigint', kind: 'height', about: 'height of the checkpoint' },
    {
      name: 'tx_hash',
      stored: 'bytea',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', stored: 'timestamp', kind: 'time', about: 'time of the block' },
    { name: 'seq_num', stored: 'bigint', kind: 'count', about: 'event number inside the block' },
  ],
};
