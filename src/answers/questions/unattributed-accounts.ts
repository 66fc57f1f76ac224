import {
  AMM_MARKET_ACCOUNT_TYPES,
  ASSET_ACCOUNT_TYPES,
  accountId,
  MARKET_ACCOUNT_TYPES,
  networkAccounts,
  partyAccounts,
} from '../../chain/directory/account-id.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { derivedParty } from '../../chain/insight/derived-party.ts';
import type { DatasetTable } from '../dataset/open-dataset.ts';
import type { KnownIds } from './accounts-sql.ts';
import type { QuestionContext } from './question.ts';
import { SqlColumns } from './sql-parts.ts';

/** The columns with parties, whose accounts have an owner. */
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

/** Hashes that take less than a second. */
const MAX_HASHES = 300_000;

/**
 * The number of accounts in a table that belong neither to the party nor to any other known holder, judged by the
 * parties, markets and assets of all files; undefined if there are none. They may be the party's, on a market missing
 * from the files.
 */
export async function unattributedNote(
  { dataset, signal }: QuestionContext,
  table: DatasetTable,
  { parties, ids }: { readonly parties: readonly string[]; readonly ids: KnownIds },
): Promise<string | undefined> {
  // Of a market whose asset is not known, every asset would have to be tried.
  const pairs = ids.markets.reduce((sum, { asset }) => sum + (asset === '' ? ids.assets.length : 1), ids.assets.length);
  if (pairs * 20 > MAX_HASHES) return 'Accounts with an unknown owner were not counted: there are too many markets';
  const distinct = async (of: DatasetTable, names: readonly string[]): Promise<readonly string[]> => {
    const columns = new SqlColumns(of);
    const found: string[] = [];
    for (const name of names.filter(each => columns.has(each))) {
      const sql = `SELECT DISTINCT ${columns.hex(name)} FROM ${columns.table}`;
      for (const [id] of (await dataset.database.all(sql, signal)).rows) if (id) found.push(id);
    }
    return found;
  };
  const seen = new Set(await distinct(table, ['account_id', 'account_from_id', 'account_to_id']));
  const holders = new Set<string>();
  for (const other of dataset.tables)
    for (const id of await distinct(other, Object.hasOwn(HOLDERS, other.name) ? (HOLDERS[other.name] ?? []) : []))
      holders.add(id);
  const sources = {
    assets: new Set(ids.assets),
    markets: new Map(ids.markets.map(({ id, asset }) => [id, asset])),
  };
  const each = pairs * (ASSET_ACCOUNT_TYPES.length + MARKET_ACCOUNT_TYPES.length);
  const isTooMany = holders.size * each > MAX_HASHES;
  for (const account of networkAccounts(sources)) seen.delete(accountId(account));
  for (const party of [...parties, ...(isTooMany ? [] : holders)]) {
    for (const account of partyAccounts(party, sources)) seen.delete(accountId(account));
    for (const { id, asset } of parties.includes(party) ? ids.markets : []) {
      const maker = derivedParty(party, id);
      for (const of of asset === '' ? ids.assets : [asset])
        for (const [market, type] of [
          ['', 'GENERAL'],
          ...AMM_MARKET_ACCOUNT_TYPES.map(kind => [id, kind] as const),
        ] as const)
          seen.delete(accountId({ asset: of, party: maker, market, type }));
    }
  }
  if (seen.size === 0) return undefined;
  const accounts = `${countOf(seen.size, 'account')} in ${table.name}`;
  return holders.size === 0 || isTooMany
    ? `Owner unknown: ${accounts}, of other parties, or of markets and assets that are not in these files`
    : `Owner unknown: ${accounts}, because their party, market or asset is not in these files`;
}
