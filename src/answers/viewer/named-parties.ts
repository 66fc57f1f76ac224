import type { Dataset } from '../dataset/open-dataset.ts';
import { sqlName } from '../engine/sql-text.ts';

/**
 * Parties that the tables name, for the ids of their accounts: none without a table of accounts, and the largest tables are
 * left out.
 */
export async function namedParties(
  { database, tables }: Pick<Dataset, 'database' | 'tables'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!tables.some(({ columns }) => columns.some(({ counted }) => counted === 'account'))) return [];
  const parties = new Set<string>();
  for (const { name, rows, columns } of tables) {
    if (rows > MOST_ROWS) continue;
    for (const column of columns) {
      if (column.type !== 'BLOB' || !PARTY.test(column.name) || parties.size >= MOST_PARTIES) continue;
      const sql = `SELECT DISTINCT lower(hex(${sqlName(column.name)})) FROM ${sqlName(name)} LIMIT ${MOST_PARTIES}`;
      for (const [id] of (await database.all(sql, signal)).rows)
        if (/^[0-9a-f]{64}$/.test(id ?? '')) parties.add(id ?? '');
    }
  }
  return [...parties].toSorted();
}

const PARTY = /^(?:party_id|buyer|seller)$/;
const MOST_ROWS = 1_000_000n;
const MOST_PARTIES = 500;
