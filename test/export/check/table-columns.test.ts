import { expect, test } from 'vitest';
import { columnsAt, columnVersions, exportTables } from '../../../src/export/check/table-columns.ts';

test('the number of columns of every table grows as the migrations of deployed nodes say', () => {
  const counts = exportTables.map(table => {
    const versions = columnVersions(table).map(version => `${version}:${columnsAt(table, version)?.length}`);
    return `${table} ${versions.join(' ')}`;
  });
  expect(counts).toEqual([
    'balances 1:4',
    'blocks 1:3',
    'checkpoints 1:6',
    'delegations 1:7',
    'deposits 1:10',
    'ledger 1:10 69:11',
    'liquidity_provisions 1:14',
    'margin_levels 1:8 77:12',
    'market_data 1:31 7:32 9:33 28:34 39:35 78:36 83:37 89:38 121:39',
    'markets 1:17 3:19 29:20 70:21 84:22 94:23 111:24 119:25 122:26',
    'orders 1:25 2:28 6:28',
    'positions 1:18 118:26',
    'rewards 1:11 51:12 73:13 74:14',
    'trades 1:22 31:34 116:40',
    'withdrawals 1:12',
  ]);
});

test('columns between two changes are those of the earlier one', () => {
  expect(columnsAt('ledger', 68)).toEqual(columnsAt('ledger', 1));
  expect(columnsAt('ledger', 93)?.at(-1)).toBe('transfer_id');
});

test('the one rename is known', () => {
  expect(columnsAt('orders', 5)).toContain('initial_peak_size');
  expect(columnsAt('orders', 6)).toContain('peak_size');
  expect(columnsAt('orders', 6)).not.toContain('initial_peak_size');
});

test('a table that nobody exports has no columns', () => {
  expect(columnsAt('constructor', 93)).toBeUndefined();
});
