import { accountId, networkAccounts, PER_ASSET, PER_MARKET } from '../../directory/account-id.ts';
import { countOf } from '../../insight/count-of.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import { sqlText } from '../engine/sql-text.ts';
import type { AccountMap, KnownIds } from './accounts-sql.ts';
import type { QuestionContext } from './question.ts';
import { Columns } from './sql-parts.ts';

/** The columns with parties, whose accounts are somebody's. */
const HOLDERS: { readonly [table: string]: readonly string[] } = {
  delegations: ['party_id'],
  deposits: ['party_id'],
  liquidity_provisions: ['party_id'],
  orders: ['party_id'],
  positions: ['party_id'],
  rewards: ['party_id'],
  trades: ['buyer', 'seller'],
  withdrawals: ['party_id'],
};

/** Hashes that take about a second. */
const MOST_HASHES = 2_000_000n;

/**
 * How many accounts of a table are neither the party's nor those of anybody else, as far as the parties, markets and assets
 * of all files tell; undefined if there are none. They may be the party's, on a market that no file names.
 */
export async function unattributed(
  { dataset, signal }: QuestionContext,
  table: DatasetTable,
  { map, ids }: { readonly map: AccountMap; readonly ids: KnownIds },
): Promise<string | undefined> {
  const { database } = dataset;
  const columns = new Columns(table);
  const named = table.name === 'ledger' ? ['account_from_id', 'account_to_id'] : ['account_id'];
  const seen = named.map(name => `SELECT ${columns.id(name)} AS id FROM ${columns.table}`).join(' UNION ALL ');
  const holders = dataset.tables.flatMap(other => {
    const of = new Columns(other);
    const there = (Object.hasOwn(HOLDERS, other.name) ? (HOLDERS[other.name] ?? []) : []).filter(name => of.has(name));
    return there.map(name => `SELECT DISTINCT ${of.hex(name)} AS holder FROM ${of.table}`);
  });
  const holding = holders.length === 0 ? "SELECT '' AS holder WHERE false" : holders.join(' UNION ');
  const [[count = '0'] = []] = (await database.all(`SELECT count(*) FROM (${holding})`, signal)).rows;
  const each = BigInt(ids.assets.length * PER_ASSET.length + ids.markets.length * PER_MARKET.length);
  const isTooMany = BigInt(count ?? 0) * each > MOST_HASHES;
  const markets = new Map(ids.markets.map(({ id, asset }) => [id, asset]));
  const network = [...networkAccounts({ assets: new Set(ids.assets), markets })].map(accountId);
  const sql = `WITH ${map.sql}, holders AS (${isTooMany ? "SELECT '' AS holder WHERE false" : holding}),
theirs AS (
  SELECT unhex(sha256(asset || holder || market || 'ACCOUNT_TYPE_' || kind)) AS id FROM (
    SELECT holder, asset, '' AS market, kind FROM holders CROSS JOIN assets CROSS JOIN of_asset
    UNION ALL
    SELECT holder, asset, market, kind FROM holders CROSS JOIN markets_of CROSS JOIN of_market
  )
  UNION ALL
  SELECT unhex(unnest([${network.map(sqlText).join(', ')}]::VARCHAR[])) AS id
)
SELECT count(DISTINCT id) FROM (${seen})
WHERE id NOT IN (SELECT id FROM accounts) AND id NOT IN (SELECT id FROM theirs)`;
  const [[found = '0'] = []] = (await database.all(sql, signal)).rows;
  if (found === null || found === '0') return undefined;
  const accounts = `${countOf(BigInt(found), 'account')} in ${table.name}`;
  return holders.length === 0 || isTooMany
    ? `Not attributed: ${accounts}, of other parties or of markets and assets that these files do not name`
    : `Not attributed: ${accounts}, whose party, market or asset is in none of these files`;
}
