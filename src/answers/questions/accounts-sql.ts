import type { Directory } from '../../directory/directory.ts';
import { countOf } from '../../insight/count-of.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sqlText } from '../engine/sql-text.ts';
import { constants } from './sql-parts.ts';

/** The accounts that parties can have, as SQL that computes their ids, and what they were made of. */
export interface AccountMap {
  /** Tables for a WITH: the last is accounts(id, party, asset, market, kind). */
  readonly sql: string;
  readonly notes: readonly string[];
}

/** Throws AnswerError where nothing is known that an id could be made of. */
export function accountMap(parties: readonly string[], directory: Directory): AccountMap {
  const assets = [...directory.assets.keys()].filter(isHashedId);
  if (assets.length === 0)
    throw new AnswerError(
      'whose accounts these are cannot be computed: no asset of the chain is known',
      'name the node that it was exported from: --node URL (an export keeps names beside it, in NAME.names.json)',
    );
  const { settled, guessed, leftOut } = knownMarkets(directory.markets, assets);
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
      [...settled, ...guessed].map(({ id, asset }) => [id, asset]),
    ),
    ACCOUNTS,
  ].join(',\n');
  const markets = new Set([...settled, ...guessed].map(({ id }) => id)).size;
  return {
    sql,
    notes: [
      `accounts were computed from ${countOf(assets.length, 'asset')} and ${countOf(markets, 'market')}: accounts of markets that are not known here are not in it`,
      ...(leftOut === 0 ? [] : [`${countOf(leftOut, 'market')} of which the asset is not known were left out`]),
    ],
  };
}

/** What a party may have once for each asset. */
const PER_ASSET = ['GENERAL', 'HOLDING', 'VESTING_REWARDS', 'VESTED_REWARDS'];

/** What a party may have once for each market and asset it settles in. */
const PER_MARKET = ['MARGIN', 'BOND', 'LP_LIQUIDITY_FEES', 'ORDER_MARGIN'];

const kinds = (names: readonly string[]): string => names.map(name => `(${sqlText(name)})`).join(', ');

const ACCOUNTS = `owners AS (
  SELECT party, asset, '' AS market, kind FROM parties, assets, (VALUES ${kinds(PER_ASSET)}) AS of_asset(kind)
  UNION ALL
  SELECT party, asset, market, kind FROM parties, markets_of, (VALUES ${kinds(PER_MARKET)}) AS of_market(kind)
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha256(asset || party || market || 'ACCOUNT_TYPE_' || kind)) AS id, party, asset, market, kind
  FROM owners
)`;

/** Markets with the asset that they settle in; where it is not known, with each of the assets, as long as those are few. */
function knownMarkets(markets: Directory['markets'], assets: readonly string[]) {
  const known = [...markets]
    .filter(([id]) => isHashedId(id))
    .map(([id, { asset }]) => ({ id, asset: asset.toLowerCase() }));
  const settled = known.filter(({ asset }) => isHashedId(asset));
  const others = known.filter(({ asset }) => !isHashedId(asset));
  const isMany = others.length * assets.length > MOST_GUESSED;
  const guessed = isMany ? [] : others.flatMap(({ id }) => assets.map(asset => ({ id, asset })));
  return { settled, guessed, leftOut: isMany ? others.length : 0 };
}

const MOST_GUESSED = 20_000;

/** Nothing else was hashed by a node. */
export const isHashedId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
