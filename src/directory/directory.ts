import { type SafeText, safeText, sanitize } from '../text/safe-text.ts';
import { truncateMiddle } from '../text/width.ts';
import type { Entity } from './entity.ts';
import { shownNames } from './shown-names.ts';

/**
 * The known names, decimals and validators of one chain, by id in lower case. Every text except an alias comes from the
 * chain: it is hostile until sanitised, and two things may share a name.
 */
export interface Directory {
  readonly markets: ReadonlyMap<string, MarketEntry>;
  readonly assets: ReadonlyMap<string, AssetEntry>;
  readonly validators: ReadonlyMap<string, ValidatorEntry>;
  /** The user's own names for ids and addresses of any kind. */
  readonly aliases: ReadonlyMap<string, string>;
}

export interface MarketEntry {
  readonly code: string;
  readonly name: string;
  readonly state: string;
  /** Of prices; null if the node does not say. */
  readonly decimalPlaces: number | null;
  /** Of sizes; may be below 0. */
  readonly positionDecimalPlaces: number | null;
  /** Settlement asset, or the quote asset of a spot market; '' if the node does not say. */
  readonly asset: string;
  /** The oracle specs it uses. */
  readonly specs: readonly SpecUse[];
}

/**
 * How a market uses an oracle spec: `schedule` says when a perpetual settles its funding, `internal-composite-price` at
 * what price.
 */
export interface SpecUse {
  readonly use: 'settlement' | 'termination' | 'schedule' | 'mark-price' | 'internal-composite-price';
  /** '' if the market gives the definition without an id. */
  readonly specId: string;
  /** `definitionKey` of the definition, if there is no id. */
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

/** Nothing is known: ids are shown as they are, amounts in smallest units. */
export const NO_NAMES: Directory = {
  markets: new Map(),
  assets: new Map(),
  validators: new Map(),
  aliases: new Map(),
};

/** The unit an amount is shown in. */
export interface Unit {
  readonly symbol: SafeText;
  readonly decimals: number;
}

/** The unit of an asset's amounts, under a name no other asset has; undefined while its decimals are unknown. */
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
 * The name of an id: the user's alias (`@cold wallet`), else the chain's name (`HELDA/HUSD`), followed by digits of the id
 * if another of its kind has the same name (`HELDA/HUSD 8a2f`). Undefined if it has no name.
 */
export function nameOf(directory: Directory, entity: Entity, id: string): SafeText | undefined {
  const key = id.toLowerCase();
  const alias = directory.aliases.get(key);
  if (alias !== undefined) return safeText`@${sanitize(alias)}`;
  return namesOf(directory, entity).get(key);
}

const namesByEntity = new WeakMap<Directory, Map<Entity, ReadonlyMap<string, SafeText>>>();

/** The names of one kind of entity as they are shown, by id. */
export function namesOf(directory: Directory, entity: Entity): ReadonlyMap<string, SafeText> {
  const known = namesByEntity.get(directory) ?? new Map<Entity, ReadonlyMap<string, SafeText>>();
  namesByEntity.set(directory, known);
  const names = known.get(entity) ?? shownNames(sentNames(directory, entity));
  known.set(entity, names);
  return names;
}

function sentNames({ markets, assets, validators }: Directory, entity: Entity): (readonly [string, string])[] {
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
