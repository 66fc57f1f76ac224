import type { Directory } from '../../directory/directory.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { sqlName } from '../engine/sql-text.ts';
import { idMeant, isHashedId } from './asked-for.ts';
import type { QuestionContext } from './question.ts';
import { Columns } from './sql-parts.ts';

/** The assets and markets whose accounts can be computed. */
export interface KnownIds {
  readonly assets: readonly string[];
  /** With their settlement asset; '' if unknown. */
  readonly markets: readonly { readonly id: string; readonly asset: string }[];
}

/** The ids in the names, in the tables of the dataset, and in the request. */
export async function knownIds({ dataset, names, values, signal }: QuestionContext): Promise<KnownIds> {
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

/** Tables with ids of assets and markets; the largest tables are left out. */
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
