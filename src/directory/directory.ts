import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { truncateMiddle } from '../text/width.ts';
import type { Entity } from './entity.ts';
import { shownNames } from './shown-names.ts';

/**
 * Names, decimals and validators of one chain, as far as they are known; all by id in lower case. Every text in it but
 * an alias comes from the chain: hostile until sanitised, and two things may share a name.
 */
export interface Directory {
  readonly markets: ReadonlyMap<string, MarketEntry>;
  readonly assets: ReadonlyMap<string, AssetEntry>;
  readonly validators: ReadonlyMap<string, ValidatorEntry>;
  /** The user's own words for ids and addresses of whatever kind. */
  readonly aliases: ReadonlyMap<string, string>;
}

export interface MarketEntry {
  readonly code: string;
  readonly name: string;
  readonly state: string;
  /** Of prices; null where the node does not say. */
  readonly decimalPlaces: number | null;
  /** Of sizes; may be below 0. */
  readonly positionDecimalPlaces: number | null;
  /** Settlement asset, or the quote asset of a spot market; '' when the node does not say. */
  readonly asset: string;
  /** The oracle specs that it uses. */
  readonly specs: readonly SpecUse[];
}

/**
 * What a market has an oracle spec for: `schedule` is when a perpetual one settles its funding, and
 * `internal-composite-price` what it settles it by.
 */
export interface SpecUse {
  readonly use: 'settlement' | 'termination' | 'schedule' | 'mark-price' | 'internal-composite-price';
  /** '' where the market has its definition and no id. */
  readonly specId: string;
  /** `definitionKey` of its definition, where there is no id. */
  readonly definition?: string;
}

export interface AssetEntry {
  readonly symbol: string;
  readonly name: string;
  readonly status: string;
  readonly decimals: number | null;
  /** In smallest units; '' when the node does not say. */
  readonly quantum: string;
}

export interface ValidatorEntry {
  readonly name: string;
  /** In lower case, with 0x. */
  readonly ethereumAddress: string;
  readonly publicKey: string;
  readonly status: string;
}

/** Nothing is known: ids stay ids, amounts smallest units. */
export const NO_NAMES: Directory = {
  markets: new Map(),
  assets: new Map(),
  validators: new Map(),
  aliases: new Map(),
};

/** What an amount counts: the unit it is shown in. */
export interface Unit {
  readonly symbol: SafeText;
  readonly decimals: number;
}

/** The unit of an asset's amounts, by the name that no other asset has; undefined while its decimals are not known. */
export function unitOfAsset(directory: Directory, assetId: string): Unit | undefined {
  const asset = directory.assets.get(assetId.toLowerCase());
  if (asset === undefined || asset.decimals === null) return undefined;
  const symbol = nameOf(directory, 'asset', assetId) ?? truncateMiddle(sanitize(assetId), 10);
  return { symbol, decimals: asset.decimals };
}

/** The unit of a market's amounts, such as commitments and fees. */
export const unitOfMarket = (directory: Directory, marketId: string): Unit | undefined =>
  unitOfAsset(directory, directory.markets.get(marketId.toLowerCase())?.asset ?? '');

/**
 * What an id is called: the user's own word (`@cold wallet`) before the chain's name (`HELDA/HUSD`), behind which digits
 * of the id stand when another of its kind reads the same (`HELDA/HUSD 8a2f`). Undefined when nobody has named it.
 */
export function nameOf(directory: Directory, entity: Entity, id: string): SafeText | undefined {
  const key = id.toLowerCase();
  const alias = directory.aliases.get(key);
  if (alias !== undefined) return safeText`@${sanitize(alias)}`;
  return namesOf(directory, entity).get(key);
}

const namesByEntity = new WeakMap<Directory, Map<Entity, ReadonlyMap<string, SafeText>>>();

/** The names of a kind of thing as they are shown, by id. */
export function namesOf(directory: Directory, entity: Entity): ReadonlyMap<string, SafeText> {
  const known = namesByEntity.get(directory) ?? new Map<Entity, ReadonlyMap<string, SafeText>>();
  namesByEntity.set(directory, known);
  const names = known.get(entity) ?? shownNames(namesGiven(directory, entity));
  known.set(entity, names);
  return names;
}

function namesGiven({ markets, assets, validators }: Directory, entity: Entity): (readonly [string, string])[] {
  switch (entity) {
    case 'market':
      return [...markets].map(([id, { code }]) => [id, code]);
    case 'asset':
      return [...assets].map(([id, { symbol }]) => [id, symbol]);
    case 'node':
      return [...validators].map(([id, { name }]) => [id, name]);
    case 'submitter':
      return [...validators.values()].map(({ ethereumAddress, name }) => [ethereumAddress, name]);
    case 'party':
      return [...validators.values()].map(({ publicKey, name }) => [publicKey, name]);
    case 'spec':
    case 'parameter':
    case 'epoch':
      return [];
  }
}
