import type { Dataset, DatasetTable } from '../../../src/answers/dataset/open-dataset.ts';
import type { Database } from '../../../src/answers/engine/database.ts';
import { sqlName, sqlText } from '../../../src/answers/engine/sql-text.ts';
import { columnSchema } from '../../../src/tables/columns.ts';

/** A table as it is to be queried: cells as CSVs of nodes have them, null for NULL. */
export interface GivenTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Blocks that were exported together; all of them without. */
  readonly blocks?: readonly (readonly [from: string, to: string])[];
}

/** A dataset of these tables, without a file; closing it takes them out of the engine again. */
export async function datasetOf(given: readonly GivenTable[], database: Database): Promise<Dataset> {
  const tables: DatasetTable[] = [];
  for (const { name, columns, rows, blocks = [['1', '1000']] } of given) {
    const types = columns.map(([column, type]) => `${sqlName(column)} ${type}`);
    await database.run(`CREATE OR REPLACE TABLE ${sqlName(name)} (${types.join(', ')})`);
    const cells = rows.map(row => `(${row.map((cell, at) => literal(cell, columns[at]?.[1] ?? '')).join(', ')})`);
    if (cells.length > 0) await database.run(`INSERT INTO ${sqlName(name)} VALUES ${cells.join(', ')}`);
    const times = rows.flatMap(row => row[columns.findIndex(([column]) => column === 'vega_time')] ?? []).toSorted();
    const iso = (time: string | undefined) => (time === undefined ? null : `${time.replace(' ', 'T')}Z`);
    tables.push({
      ...{ name, rows: BigInt(rows.length), firstTime: iso(times[0]), lastTime: iso(times.at(-1)) },
      ...{ fromBlock: blocks[0]?.[0] ?? null, toBlock: blocks.at(-1)?.[1] ?? null, isComplete: true },
      parts: blocks.map(([fromBlock, toBlock]) => ({
        ...{ fromBlock, toBlock, firstTime: iso(times[0]), lastTime: iso(times.at(-1)) },
      })),
      columns: columns.map(([column, type]) => ({
        ...{ name: column, type, kind: columnSchema(name, column)?.kind ?? null, unit: '', about: '' },
      })),
    });
  }
  const close = async () => {
    for (const { name } of given) await database.run(`DROP TABLE ${sqlName(name)}`);
  };
  return { chainId: 'c', tables, database, notes: [], unchanged: async () => {}, close };
}

function literal(cell: string | null, type: string): string {
  if (cell === null) return 'NULL';
  return type === 'BLOB' ? `unhex(${sqlText(cell)})` : `${sqlText(cell)}::${type}`;
}

/** Exports that were made before ranges were kept beside them. */
export const NONE_SAVED = { ranges: [], epochs: [] };
