import { columnType } from '../../export/check/table-columns.ts';
import { balancesTable } from './balances.ts';
import { blocksTable } from './blocks.ts';
import { checkpointsTable } from './checkpoints.ts';
import { delegationsTable } from './delegations.ts';
import { depositsTable } from './deposits.ts';
import { ledgerTable } from './ledger.ts';
import { liquidityProvisionsTable } from './liquidity-provisions.ts';
import { marginLevelsTable } from './margin-levels.ts';
import { marketDataTable } from './market-data.ts';
import { marketsTable } from './markets.ts';
import { ordersTable } from './orders.ts';
import { positionsTable } from './positions.ts';
import { rewardsTable } from './rewards.ts';
import type { ColumnSchema, DescribedTable, TableSchema } from './table-schema.ts';
import { tradesTable } from './trades.ts';
import { withdrawalsTable } from './withdrawals.ts';

/** The exported tables by name. */
export const SCHEMAS: ReadonlyMap<string, TableSchema> = new Map(
  [
    balancesTable,
    blocksTable,
    checkpointsTable,
    delegationsTable,
    depositsTable,
    ledgerTable,
    liquidityProvisionsTable,
    marginLevelsTable,
    marketDataTable,
    marketsTable,
    ordersTable,
    positionsTable,
    rewardsTable,
    tradesTable,
    withdrawalsTable,
  ].map(table => [table.name, withTypes(table)]),
);

/** The types are those that a check of an export holds its values against. */
function withTypes(table: DescribedTable): TableSchema {
  const columns = table.columns.map((column): ColumnSchema => {
    const type = columnType(table.name, column.name);
    if (type === undefined) throw new Error(`${table.name}.${column.name} has no type`);
    return { ...column, stored: type.stored };
  });
  return { ...table, columns };
}

/** The schema of a column; undefined for an unknown column or table, such as a newer one. */
export function columnSchema(table: string, column: string): ColumnSchema | undefined {
  return SCHEMAS.get(table)?.columns.find(({ name }) => name === (FORMER_NAMES[table]?.[column] ?? column));
}

/** The current names of columns with other names at older schemas (export-behaviour.md section 3). */
export const FORMER_NAMES: { readonly [table: string]: { readonly [column: string]: string } } = {
  orders: { initial_peak_size: 'peak_size', minimum_peak_size: 'minimum_visible_size' },
};
