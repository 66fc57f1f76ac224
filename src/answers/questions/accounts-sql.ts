import { isId } from '../../base/text/ids.ts';
import {
  AMM_MARKET_ACCOUNT_TYPES,
  ASSET_ACCOUNT_TYPES,
  MARKET_ACCOUNT_TYPES,
} from '../../chain/directory/account-id.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import { assetsOfInstrument } from '../../chain/directory/instrument-assets.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { derivedParty } from '../../chain/insight/derived-party.ts';
import type { Dataset, DatasetTable } from '../dataset/open-dataset.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { Dialect } from './dialects/dialect.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import type { QuestionContext } from './question.ts';
import { resolveId } from './resolve-ids.ts';
import { SqlColumns } from './sql-parts.ts';

/** The accounts that parties can have, as SQL that computes their ids, with notes on what the SQL covers. */
export interface AccountMap {
  /**
   * Tables for a WITH: assets(asset), markets_of(market, asset), and last accounts(id, party, asset, market, kind). The
   * accounts of a party's own AMM belong to the party, with a kind that begins with `AMM_`.
   */
  readonly sql: string;
  readonly notes: readonly string[];
}

/** Throws AnswerError if no asset is known, because ids cannot be computed without one. */
export function accountMap(
  parties: readonly string[],
  { assets, markets }: KnownIds,
  dialect: Dialect = duckdbDialect,
): AccountMap {
  if (assets.length === 0)
    throw new AnswerError(
      'the accounts of the party cannot be computed, because no asset of the chain is known',
      'name an asset by its id (--asset ID), or a node that has the names (--node URL)',
    );
  const { pairs, leftOut } = marketAssets({ assets, markets });
  const known = new Set(pairs.map(({ id }) => id));
  const constants = (name: string, columns: readonly string[], rows: readonly (readonly string[])[]): string =>
    dialect.constants(
      name,
      columns,
      rows.map(row => row.map(dialect.text)),
    );
  const kinds = (name: string, of: readonly string[]): string =>
    constants(
      name,
      ['kind'],
      of.map(kind => [kind]),
    );
  const sql = [
    constants(
      'parties',
      ['party'],
      parties.map(party => [party]),
    ),
    constants(
      'assets',
      ['asset'],
      assets.map(asset => [asset]),
    ),
    constants(
      'markets_of',
      ['market', 'asset'],
      pairs.map(({ id, asset }) => [id, asset]),
    ),
    constants(
      'amms',
      ['party', 'market', 'asset', 'amm'],
      parties.flatMap(party => pairs.map(({ id, asset }) => [party, id, asset, derivedParty(party, id)])),
    ),
    kinds('of_asset', ASSET_ACCOUNT_TYPES),
    kinds('of_market', MARKET_ACCOUNT_TYPES),
    kinds('of_amm', ['GENERAL', ...AMM_MARKET_ACCOUNT_TYPES]),
    accountsSql(dialect),
  ].join(',\n');
  return {
    sql,
    notes: [
      `accounts were computed from ${countOf(assets.length, 'asset')} and ${countOf(known.size, 'market')}: accounts of other assets and markets are not included`,
      ...(leftOut === 0 ? [] : [`${countOf(leftOut, 'market')} with an unknown asset were left out`]),
    ],
  };
}

const accountsSql = ({ bytes }: Dialect): string => `owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT ${bytes.sha256("asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind")} AS id, party, asset, market, kind
  FROM owners
)`;

/** Markets with their settlement asset. A market with an unknown asset gets every known asset, unless that is too many. */
function marketAssets({ assets, markets }: KnownIds) {
  const settled = markets.filter(({ asset }) => asset !== '');
  const others = markets.filter(({ asset }) => asset === '');
  const isMany = others.length * assets.length > MAX_GUESSED_ACCOUNTS;
  const guessed = isMany ? [] : others.flatMap(({ id }) => assets.map(asset => ({ id, asset })));
  return { pairs: [...settled, ...guessed], leftOut: isMany ? others.length : 0 };
}

const MAX_GUESSED_ACCOUNTS = 20_000;

/** The assets and markets whose accounts can be computed. */
export interface KnownIds {
  readonly assets: readonly string[];
  /** With their settlement asset; '' if unknown. */
  readonly markets: readonly { readonly id: string; readonly asset: string }[];
}

/** The ids in the names, in the tables of the dataset, and in the request. */
export async function knownIds({ dataset, names, values, signal }: QuestionContext): Promise<KnownIds> {
  const rows = await idsInRows(dataset, signal);
  const markets = new Map([...rows.markets, ...namedMarkets(names)].filter(([id]) => isId(id)));
  for (const [id, asset] of rows.markets) if (markets.get(id) === '') markets.set(id, asset);
  const asset = values.asset === undefined ? [] : [resolveId(names, 'asset', values.asset)];
  const assets = [...names.assets.keys(), ...markets.values(), ...rows.assets, ...asset].filter(isId);
  return {
    assets: [...new Set(assets)],
    markets: [...markets].map(([id, of]) => ({ id, asset: isId(of) ? of : '' })),
  };
}

const namedMarkets = ({ markets }: Directory): readonly (readonly [string, string])[] =>
  [...markets].map(([id, { asset }]) => [id, asset.toLowerCase()]);

/** Tables with ids of assets and markets. */
const ID_COLUMNS: { readonly [table: string]: { readonly asset?: string; readonly market?: string } } = {
  rewards: { asset: 'asset_id' },
  deposits: { asset: 'asset' },
  withdrawals: { asset: 'asset' },
  margin_levels: { asset: 'asset_id', market: 'market_id' },
  liquidity_provisions: { market: 'market_id' },
  trades: { market: 'market_id' },
  positions: { market: 'market_id' },
  orders: { market: 'market_id' },
  market_data: { market: 'market' },
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
    if (table.name !== 'markets' || !new SqlColumns(table).has('tradable_instrument')) continue;
    const { hex, plain, table: from } = marketColumnsSql(table);
    for (const [market, text] of (await database.all(`SELECT DISTINCT ${hex}, ${plain} FROM ${from}`, signal)).rows) {
      const [settled = '', ...others] = assetsOfInstrument(text ?? '');
      if (market && settled !== '') markets.set(market, settled);
      for (const asset of [settled, ...others]) assets.add(asset);
    }
  }
  return { assets, markets };
}

function marketColumnsSql(table: DatasetTable) {
  const columns = new SqlColumns(table);
  return { hex: columns.hex('id'), plain: columns.plain('tradable_instrument'), table: columns.table };
}

function idsSql(table: DatasetTable): string | undefined {
  const columns = new SqlColumns(table);
  const hex = (name: string | undefined): string =>
    name !== undefined && columns.has(name) ? columns.hex(name) : 'NULL';
  const { asset, market } = (Object.hasOwn(ID_COLUMNS, table.name) ? ID_COLUMNS[table.name] : undefined) ?? {};
  const [ofAsset, ofMarket] = [hex(asset), hex(market)];
  if (ofAsset === 'NULL' && ofMarket === 'NULL') return undefined;
  return `SELECT DISTINCT ${ofAsset} AS asset, ${ofMarket} AS market FROM ${columns.table}`;
}
