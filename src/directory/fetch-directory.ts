import type { Client } from '../api/client.ts';
import { isNotServed, NodeError, RateLimitedError } from '../api/errors.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from '../api/json.ts';
import { readPage } from '../api/page.ts';
import type { AssetEntry, Directory, MarketEntry, SpecUse, ValidatorEntry } from './directory.ts';
import { specUses } from './market-specs.ts';

/** What a node says of its chain's names: nothing of what it does not serve. What could not be asked now is not there. */
export type FetchedNames = Partial<Pick<Directory, 'markets' | 'assets' | 'validators'>>;

/** No part has more entries, and no text more characters: what is kept of them has a size. */
export const MOST_ENTRIES = 5000;
export const LONGEST_TEXT = 200;

/** A market has no more oracle specs. */
export const MOST_SPECS = 20;

/** Nothing has more places than 2^256 has digits. */
export const MOST_PLACES = 77;

/**
 * Asks for the names of markets, assets and validators: three requests at most, one after the other, none after the
 * node said that there were too many. Throws when it is aborted, and then alone.
 */
export async function fetchDirectory(client: Pick<Client, 'get'>, signal: AbortSignal): Promise<FetchedNames> {
  const markets = await partOf(client, signal, 'markets');
  if (markets === 'stop') return {};
  const assets = await partOf(client, signal, 'assets');
  const known = { ...(markets !== undefined && { markets: entries(markets, marketOf) }) };
  if (assets === 'stop') return known;
  const more = { ...known, ...(assets !== undefined && { assets: entries(assets, assetOf) }) };
  const nodes = await partOf(client, signal, 'nodes');
  if (nodes === 'stop' || nodes === undefined) return more;
  return { ...more, validators: entries(nodes, validatorOf) };
}

async function partOf(client: Pick<Client, 'get'>, signal: AbortSignal, part: 'markets' | 'assets' | 'nodes') {
  try {
    const query = [['pagination.first', String(MOST_ENTRIES)]] as const;
    const { json } = await client.get({ path: `api/v2/${part}`, query }, signal, { isOnce: true });
    return readPage(json, part)?.records;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RateLimitedError) return 'stop';
    if (isNotServed(error)) return [];
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/** The names that records of a part give. */
export function namesIn(part: 'markets' | 'assets' | 'nodes', records: readonly JsonObject[]): FetchedNames {
  switch (part) {
    case 'markets':
      return { markets: entries(records, marketOf) };
    case 'assets':
      return { assets: entries(records, assetOf) };
    case 'nodes':
      return { validators: entries(records, validatorOf) };
  }
}

function entries<Entry>(records: readonly JsonObject[], read: (record: JsonObject) => Entry): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const record of records.slice(0, MOST_ENTRIES)) {
    const id = textAt(record, 'id');
    if (id !== '') found.set(id.toLowerCase(), read(record));
  }
  return found;
}

function marketOf(record: JsonObject): MarketEntry {
  const instrument = member(member(record, 'tradableInstrument'), 'instrument');
  const [future, perpetual, spot] = ['future', 'perpetual', 'spot'].map(product => member(instrument, product));
  const product = [future, perpetual].find(isJsonObject);
  return {
    code: textAt(instrument, 'code'),
    name: textAt(instrument, 'name'),
    state: textAt(record, 'state'),
    decimalPlaces: placesAt(record, 'decimalPlaces'),
    positionDecimalPlaces: placesAt(record, 'positionDecimalPlaces'),
    asset: textAt(product, 'settlementAsset') || textAt(spot, 'quoteAsset'),
    specs: specsOf(record),
  };
}

// An id that would have to be cut is none.
const specsOf = (record: JsonObject): readonly SpecUse[] =>
  specUses(record)
    .filter(({ specId }) => specId.length <= LONGEST_TEXT)
    .slice(0, MOST_SPECS);

function assetOf(record: JsonObject): AssetEntry {
  const details = member(record, 'details');
  const decimals = placesAt(details, 'decimals');
  return {
    symbol: textAt(details, 'symbol'),
    name: textAt(details, 'name'),
    status: textAt(record, 'status'),
    decimals: decimals !== null && decimals >= 0 ? decimals : null,
    quantum: textAt(details, 'quantum'),
  };
}

function validatorOf(record: JsonObject): ValidatorEntry {
  return {
    name: textAt(record, 'name'),
    ethereumAddress: textAt(record, 'ethereumAddress').toLowerCase(),
    publicKey: textAt(record, 'pubKey').toLowerCase(),
    status: textAt(member(record, 'rankingScore'), 'status'),
  };
}

/** Text, or the digits of a number; nothing else is a name, and of what is too long only its beginning is. */
function textAt(value: Json | undefined, name: string): string {
  const found = member(value, name);
  if (isJsonObject(found) || isJsonArray(found) || typeof found === 'boolean') return '';
  const text = jsonText(found);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}\u2026` : text;
}

/** A small whole number, as text or as a number. */
function placesAt(value: Json | undefined, name: string): number | null {
  const text = textAt(value, name);
  const places = /^-?\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(places) <= MOST_PLACES ? places : null;
}
