import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountMap, knownIds } from '../../../src/answers/questions/accounts-sql.ts';
import { type Directory, NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { asset, market } from '../../chain/directory/directories.ts';
import { sharedEngine } from '../shared-engine.ts';
import { NONE_SAVED } from './table-dataset.ts';

const engine = sharedEngine();

const PARTY = 'c2071f9874933829eb432b1af0d776b5d49d5d4a7feefffa7d1e9642d9d5ed19';
const ASSET = '0fa76c9a96793dd080f21c41e4c192cee76d34bd150d5ead49574296a10cc665';
const MARKET = '836da1ce68446d8b5cd1102bd46712fab678da8174c21f974d650212d928d5cd';

/** What the questions make of a party, as the engine computes it: id, asset, market, kind. */
async function accountsOf(party: string, known: Pick<Directory, 'assets' | 'markets'>) {
  const database = engine();
  const names = { ...NO_NAMES, ...known };
  const dataset = { chainId: '', tables: [], database, notes: [], unchanged: async () => {}, close: async () => {} };
  const ground = { dataset, names, saved: NONE_SAVED, values: {}, signal: new AbortController().signal };
  const { sql, notes } = accountMap([party], await knownIds(ground));
  const { rows } = await database.all(`WITH ${sql}\nSELECT id, asset, market, kind FROM accounts`);
  return { rows, notes };
}

const id = (letter: string, index: number): string => `${letter}${index}`.padStart(64, '0');
const assetsOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [id('a', index), asset({})] as const));
const marketsIn = (count: number, settlesIn: (index: number) => string) =>
  new Map(Array.from({ length: count }, (_, index) => [id('b', index), market({ asset: settlesIn(index) })] as const));

test.each([
  ['', 'GENERAL', 'c1d57d601363c8ad7e291d841ffa67e23c6e59809bda5daa49c69ea514adb514'],
  [MARKET, 'MARGIN', 'fcd9aa4ee5ebe043d85dbdf230b2c093a4658d3ff7f7d7fdcc826b0ad4c107ad'],
  [MARKET, 'BOND', '5c76db1615b86257f44fd1d5cb095c8cbe1ef83593a960aa9ba83e2011476b70'],
])('The account of a party, market "%s", kind %s has the id that deployed nodes give it', async (on, kind, wanted) => {
  const known = {
    assets: new Map([[ASSET, asset({})]]),
    markets: new Map([[MARKET, market({ asset: ASSET.toUpperCase() })]]),
  };
  const { rows } = await accountsOf(PARTY, known);
  expect(rows.filter(row => row[2] === on && row[3] === kind)).toEqual([[wanted, ASSET, on, kind]]);
});

test('The AMM accounts of a party belong to the AMM party that the core derives from it', async () => {
  const amm = createHash('sha3-256').update(`AMMv1${MARKET}${PARTY}0`).digest('hex');
  const id = (on: string, type: string) =>
    createHash('sha256').update(`${ASSET}${amm}${on}ACCOUNT_TYPE_${type}`).digest('hex');
  const known = { assets: new Map([[ASSET, asset({})]]), markets: new Map([[MARKET, market({ asset: ASSET })]]) };
  const { rows } = await accountsOf(PARTY, known);
  expect(rows.filter(row => row[3]?.startsWith('AMM_')).toSorted()).toEqual(
    [
      [id('', 'GENERAL'), ASSET, MARKET, 'AMM_GENERAL'],
      [id(MARKET, 'MARGIN'), ASSET, MARKET, 'AMM_MARGIN'],
      [id(MARKET, 'LP_LIQUIDITY_FEES'), ASSET, MARKET, 'AMM_LP_LIQUIDITY_FEES'],
    ].toSorted(),
  );
});

test('A party can have 400 accounts with AMMs for 10 assets and 50 markets of one asset, all with distinct ids', async () => {
  const { rows } = await accountsOf(PARTY, {
    assets: assetsOf(10),
    markets: marketsIn(50, index => id('a', index % 10)),
  });
  expect(rows).toHaveLength(400);
  expect(new Set(rows.map(([account]) => account)).size).toBe(400);
});

test('A market with an unknown asset can have an account in every asset', async () => {
  const { rows } = await accountsOf(PARTY, { assets: assetsOf(2), markets: marketsIn(1, () => '') });
  expect(rows).toHaveLength(2 * 5 + 2 * 4 + 2 * 3);
});

test('Markets with unknown assets are left out, with a note, if they would add too many accounts', async () => {
  const { rows, notes } = await accountsOf(PARTY, { assets: assetsOf(2), markets: marketsIn(10_001, () => '') });
  expect(rows).toHaveLength(2 * 5);
  expect(notes.join('\n')).toMatch(/10.001 markets with an unknown asset were left out/);
});
