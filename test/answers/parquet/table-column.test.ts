import { expect, test } from 'vitest';
import { columnRecord, readColumnType, usualColumn } from '../../../src/answers/parquet/table-column.ts';

const column = usualColumn('positions', 'realised_pnl', false);

test.each(['DECIMAL(38,16)', 'DECIMAL(38,18)', 'DECIMAL(38,11)', 'VARCHAR'])(
  'A Parquet column of type %s keeps that type when a month is added',
  type => {
    const known = { name: column.name, type, ...(type === 'VARCHAR' && { note: 'as the node wrote it' }) };
    expect(columnRecord({ ...column, columnType: readColumnType(column, known) }).type).toBe(type);
  },
);

test('The type of an average has room for smallest units and for a fraction', () =>
  expect(columnRecord(column).type).toBe('DECIMAL(38,10)'));
