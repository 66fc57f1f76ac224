import type { TableSchema } from './table-schema.ts';

export const blocksTable: TableSchema = {
  name: 'blocks',
  about: 'One row per block: height, time and hash.',
  row: 'one block (vega_time); heights are gapless',
  time: 'vega_time',
  columns: [
    { name: 'vega_time', stored: 'timestamp', kind: 'time', about: 'time of the block' },
    { name: 'height', stored: 'bigint', kind: 'height', about: 'block height' },
    { name: 'hash', stored: 'bytea', kind: 'hash', about: 'block hash' },
  ],
};
