import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../api/client.ts';
import { isNotServed, NodeError, RateLimitedError } from '../api/errors.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import type { Reply } from '../api/reply.ts';
import type { NodeRequest } from '../api/request.ts';
import { REWARD_ASSET } from './denomination.ts';
import type { AssetEntry, Directory, MarketEntry, SpecUse, ValidatorEntry } from './directory.ts';
import { specUses } from './market-specs.ts';

/** The names from a node: an empty part is not served by the node, a missing part could not be fetched. */
export type FetchedNames = Partial<Pick<Directory, 'markets' | 'assets' | 'validators' | 'rewardAsset'>>;

/** Limits on entries per part and characters per text, so that the cache has a bounded size. */
export const MAX_ENTRIES = 5000;
export const MAX_TEXT_LENGTH = 200;

/** More oracle specs of one market are ignored. */
export const MAX_SPECS_PER_MARKET = 20;

/** 2^256 has no more digits. */
export const MAX_DECIMAL_PLACES = 77;

/**
 * Fetches the names of markets, assets and validators in at most three requests, one after the other, and stops at the
 * first 429. Throws only when aborted.
 */
export async function fetchDirectory(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<FetchedNames> {
  const markets = await fetchPart(client, signal, 'markets');
  if (markets === 'stop') return {};
  const assets = await fetchPart(client, signal, 'assets');
  const known = { ...(markets !== undefined && { markets: entries(markets, MARKETS) }) };
  if (assets === 'stop') return known;
  const more = { ...known, ...(assets !== undefined && { assets: entries(assets, ASSETS) }) };
  const nodes = await fetchPart(client, signal, 'nodes');
  if (nodes === 'stop' || nodes === undefined) return more;
  return { ...more, validators: entries(nodes, VALIDATORS) };
}

/**
 * The id of the asset of stakes, votes and rewards, in one light request; '' if the node does not serve it, undefined if it
 * could not be asked now. Throws only when aborted.
 */
export async function fetchRewardAsset(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<string | undefined> {
  const answer = await askOnce(client, signal, { path: `api/v2/network/parameters/${REWARD_ASSET}`, query: [] });
  if (answer === 'stop' || answer === undefined) return undefined;
  const parameter = answer === 'not-served' ? undefined : member(answer.json, 'networkParameter');
  return shortTextAt(parameter, 'key') === REWARD_ASSET ? shortTextAt(parameter, 'value') : '';
}

async function fetchPart(client: Pick<Client, 'get'>, signal: AbortSignal, part: 'markets' | 'assets' | 'nodes') {
  const query = [['pagination.first', String(MAX_ENTRIES)]] as const;
  const answer = await askOnce(client, signal, { path: `api/v2/${part}`, query });
  if (answer === 'stop') return answer;
  return answer === 'not-served' ? [] : answer && readPage(answer.json, part)?.records;
}

/** `stop`: the node allows no more requests; undefined: it could not be asked now. */
async function askOnce(
  client: Pick<Client, 'get'>,
  signal: AbortSignal,
  request: NodeRequest,
): Promise<Reply | 'stop' | 'not-served' | undefined> {
  try {
    return await client.get(request, signal, { isOnce: true });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RateLimitedError) return 'stop';
    if (isNotServed(error)) return 'not-served';
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/** The names found in records of a part. */
export function readNames(part: 'markets' | 'assets' | 'nodes', records: readonly JsonObject[]): FetchedNames {
  switch (part) {
    case 'markets':
      return { markets: entries(records, MARKETS) };
    case 'assets':
      return { assets: entries(records, ASSETS) };
    case 'nodes':
      return { validators: entries(records, VALIDATORS) };
  }
}

interface Part<Entry> {
  readonly read: (record: JsonObject) => Entry;
  /** The certain values if the node lists one id twice, with different values. */
  readonly either: (one: Entry, other: Entry) => Entry;
}

function entries<Entry>(records: readonly JsonObject[], { read, either }: Part<Entry>): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const record of records.slice(0, MAX_ENTRIES)) {
    const id = shortTextAt(record, 'id').toLowerCase();
    if (id === '') continue;
    const known = found.get(id);
    const entry = read(record);
    found.set(id, known === undefined ? entry : either(known, entry));
  }
  return found;
}

const MARKETS: Part<MarketEntry> = {
  read: readMarket,
  either: (one, other) => ({
    code: eitherName(one.code, other.code),
    name: eitherName(one.name, other.name),
    state: one.state === other.state ? one.state : '',
    decimalPlaces: one.decimalPlaces === other.decimalPlaces ? one.decimalPlaces : null,
    positionDecimalPlaces: one.positionDecimalPlaces === other.positionDecimalPlaces ? one.positionDecimalPlaces : null,
    asset: one.asset === other.asset ? one.asset : '',
    specs: isDeepStrictEqual(one.specs, other.specs)
      ? one.specs
      : [...one.specs, ...other.specs].slice(0, MAX_SPECS_PER_MARKET),
  }),
};

const ASSETS: Part<AssetEntry> = {
  read: readAsset,
  either: (one, other) => ({
    symbol: eitherName(one.symbol, other.symbol),
    name: eitherName(one.name, other.name),
    status: one.status === other.status ? one.status : '',
    // Without decimals, amounts are shown in smallest units.
    decimals: one.decimals === other.decimals ? one.decimals : null,
    quantum: one.quantum === other.quantum ? one.quantum : '',
  }),
};

const VALIDATORS: Part<ValidatorEntry> = {
  read: readValidatorEntry,
  either: (one, other) => ({
    name: eitherName(one.name, other.name),
    ethereumAddress: one.ethereumAddress === other.ethereumAddress ? one.ethereumAddress : '',
    publicKey: one.publicKey === other.publicKey ? one.publicKey : '',
    status: one.status === other.status ? one.status : '',
  }),
};

/** `USDT or USDC`, so that the contradiction shows wherever the name does. */
function eitherName(one: string, other: string): string {
  if (one === '' || other === '') return one || other;
  return one.split(OR).includes(other) ? one : shortened(`${one}${OR}${other}`);
}

const OR = ' or ';

function readMarket(record: JsonObject): MarketEntry {
  const instrument = member(member(record, 'tradableInstrument'), 'instrument');
  const [future, perpetual, spot] = ['future', 'perpetual', 'spot'].map(product => member(instrument, product));
  const product = [future, perpetual].find(isJsonObject);
  return {
    code: shortTextAt(instrument, 'code'),
    name: shortTextAt(instrument, 'name'),
    state: shortTextAt(record, 'state'),
    decimalPlaces: decimalPlacesAt(record, 'decimalPlaces'),
    positionDecimalPlaces: decimalPlacesAt(record, 'positionDecimalPlaces'),
    asset: shortTextAt(product, 'settlementAsset') || shortTextAt(spot, 'quoteAsset'),
    specs: readMarketSpecs(record),
  };
}

// A truncated id would be another id.
const readMarketSpecs = (record: JsonObject): readonly SpecUse[] =>
  specUses(record)
    .filter(({ specId }) => specId.length <= MAX_TEXT_LENGTH)
    .slice(0, MAX_SPECS_PER_MARKET);

function readAsset(record: JsonObject): AssetEntry {
  const details = member(record, 'details');
  const decimals = decimalPlacesAt(details, 'decimals');
  return {
    symbol: shortTextAt(details, 'symbol'),
    name: shortTextAt(details, 'name'),
    status: shortTextAt(record, 'status'),
    decimals: decimals !== null && decimals >= 0 ? decimals : null,
    quantum: shortTextAt(details, 'quantum'),
  };
}

function readValidatorEntry(record: JsonObject): ValidatorEntry {
  return {
    name: shortTextAt(record, 'name'),
    ethereumAddress: shortTextAt(record, 'ethereumAddress').toLowerCase(),
    publicKey: shortTextAt(record, 'pubKey').toLowerCase(),
    status: shortTextAt(member(record, 'rankingScore'), 'status'),
  };
}

/** Text, or the digits of a number, shortened if too long; '' for anything else. */
function shortTextAt(value: Json | undefined, name: string): string {
  const found = member(value, name);
  if (isJsonObject(found) || isJsonArray(found) || typeof found === 'boolean') return '';
  const text = jsonText(found);
  return shortened(text);
}

const shortened = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}\u2026` : text;

/** A small whole number, as text or as a number. */
function decimalPlacesAt(value: Json | undefined, name: string): number | null {
  const text = shortTextAt(value, name);
  const places = /^-?\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(places) <= MAX_DECIMAL_PLACES ? places : null;
}
