import type { Directory } from '../../directory/directory.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { sqlName } from '../engine/sql-text.ts';
import { idMeant, isHashedId } from './asked-for.ts';
import type { QuestionGround } from './question.ts';
import { Columns } from './sql-parts.ts';

/** The assets and markets whose accounts can be computed. A file of names may lack any of them. */
export interface KnownIds {
  readonly assets: readonly string[];
  /** With the asset that each settles in; '' where that is not known. */
  readonly markets: readonly { readonly id: string; readonly asset: string }[];
}

/** Those of the names, of the markets, of the rows of every table here, and the asset that the user names. */
export async function knownIds({ dataset, names, values, signal }: QuestionGround): Promise<KnownIds> {
  const rows = await idsInRows(dataset, signal);
  const markets = new Map([...rows.markets, ...marketsNamed(names)].filter(([id]) => isHashedId(id)));
  for (const [id, asset] of rows.markets) if (markets.get(id) === '') markets.set(id, asset);
  const asset = values.asset === undefined ? [] : [idMeant(names, 'asset', values.asset)];
  const assets = [...names.assets.keys(), ...markets.values(), ...rows.assets, ...asset].filter(isHashedId);
  return {
    assets: [...new Set(assets)],
    markets: [...markets].map(([id, of]) => ({ id, asset: isHashedId(of) ? of : '' })),
  };
}

const marketsNamed = ({ markets }: Directory): readonly (readonly [string, string])[] =>
  [...markets].map(([id, { asset }]) => [id, asset.toLowerCase()]);

/** Tables whose rows name assets and markets by their ids; the largest ones are left out. */
const ID_COLUMNS: { readonly [table: string]: { readonly asset?: string; readonly market?: string } } = {
  rewards: { asset: 'asset_id' },
  deposits: { asset: 'asset' },
  withdrawals: { asset: 'asset' },
  margin_levels: { asset: 'asset_id', market: 'market_id' },
  liquidity_provisions: { market: 'market_id' },
  trades: { market: 'market_id' },
  markets: { market: 'id' },
};

async function idsInRows({ database, tables }: Dataset, signal: AbortSignal) {
  const assets = new Set<string>();
  const markets = new Map<string, string>();
  for (const table of tables) {
    const sql = idsSql(table);
    if (sql === undefined) continue;
    for (const [asset, market] of (await database.all(sql, signal)).rows) {
      if (asset) assets.add(asset);
      if (market) markets.set(market, asset || (markets.get(market) ?? ''));
    }
  }
  return { assets, markets };
}

function idsSql(table: DatasetTable): string | undefined {
  const columns = new Columns(table);
  const hex = (name: string | undefined): string =>
    name !== undefined && columns.has(name) ? columns.hex(name) : 'NULL';
  const { asset, market } = (Object.hasOwn(ID_COLUMNS, table.name) ? ID_COLUMNS[table.name] : undefined) ?? {};
  const [ofAsset, ofMarket] = [hex(asset), hex(market)];
  if (ofAsset === 'NULL' && ofMarket === 'NULL') return undefined;
  return `SELECT DISTINCT ${ofAsset} AS asset, ${ofMarket} AS market FROM ${sqlName(table.name)}`;
}
