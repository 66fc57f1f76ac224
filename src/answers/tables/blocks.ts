import type { DescribedTable } from './table-schema.ts';

export const blocksTable: DescribedTable = {
  name: 'blocks',
  about: 'One row per block: height, time and hash.',
  row: 'one block (vega_time); heights are gapless',
  time: 'vega_time',
  columns: [
    { name: 'vega_time', kind: 'time', about: 'time of the block' },
    { name: 'height', kind: 'height', about: 'block height' },
    { name: 'hash', kind: 'hash', about: 'block hash' },
  ],
};
