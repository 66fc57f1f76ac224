import { bytea, jsonb, numeric16, timestamptz } from '../../history/copy-format.ts';
import { rowNumber, rowText, type StoreRow } from '../../store.ts';
import { txHash } from '../chain.ts';
import type { HistorySource, RowGenerator } from './history-source.ts';

/** The rows of `liquidity/provisions` in one segment. */
export const provisionRows: RowGenerator = function* (source, { fromHeight, toHeight }) {
  const sql = 'SELECT * FROM liquidity_provisions WHERE height BETWEEN ? AND ? ORDER BY id, vega_us';
  for (const row of source.store.all('liquidity_provisions', sql, [fromHeight, toHeight]))
    yield provisionRow(source, row);
};

function provisionRow({ chain }: HistorySource, row: StoreRow) {
  const fields = new Map<string, unknown>(Object.entries(objectOrEmpty(JSON.parse(rowText(row, 'body')))));
  const text = (name: string) => String(fields.get(name));
  const microseconds = (name: string) => Number(text(name).slice(0, -3));
  return {
    id: bytea(rowText(row, 'id')),
    party_id: bytea(rowText(row, 'party_id')),
    created_at: timestamptz(microseconds('createdAt')),
    updated_at: timestamptz(microseconds('updatedAt')),
    market_id: bytea(rowText(row, 'market_id')),
    commitment_amount: text('commitmentAmount'),
    fee: numeric16(text('fee')),
    sells: jsonb(fields.get('sells')),
    buys: jsonb(fields.get('buys')),
    version: text('version'),
    status: rowText(row, 'status'),
    reference: row.reference === null ? null : rowText(row, 'reference'),
    tx_hash: bytea(txHash(chain, rowNumber(row, 'height'), 0)),
    vega_time: timestamptz(rowNumber(row, 'vega_us')),
  };
}

function objectOrEmpty(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
