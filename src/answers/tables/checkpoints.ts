import type { DescribedTable } from './table-schema.ts';

export const checkpointsTable: DescribedTable = {
  name: 'checkpoints',
  about: 'Network checkpoints taken by the chain.',
  row: 'one checkpoint event (vega_time, seq_num)',
  time: 'vega_time',
  columns: [
    { name: 'hash', kind: 'hash', about: 'checkpoint hash, hex text without \\x' },
    { name: 'block_hash', kind: 'hash', about: 'hash of the block, hex text without \\x' },
    { name: 'block_height', kind: 'height', about: 'height of the checkpoint' },
    {
      name: 'tx_hash',
      kind: 'hash',
      about: 'hash stamped on the event; rows made by block processing name no user transaction',
    },
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    { name: 'seq_num', kind: 'count', about: 'event number inside the block' },
  ],
};
