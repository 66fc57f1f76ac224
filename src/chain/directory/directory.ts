import { type SafeText, safeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { distinctNames } from './distinct-names.ts';
import type { Entity } from './entity.ts';
import { isMineEntity, MINE_WORDS, type Mine, type MineEntity, NOTHING_MINE } from './mine.ts';

/**
 * The known names, decimals and validators of one chain, by id in lower case. Every text except an alias comes from the
 * chain: it is hostile until sanitised, and two things may share a name.
 */
export interface Directory {
  readonly markets: ReadonlyMap<string, MarketEntry>;
  readonly assets: ReadonlyMap<string, AssetEntry>;
  readonly validators: ReadonlyMap<string, ValidatorEntry>;
  /** Id of the asset of stakes, votes and rewards, from the parameter `reward.asset`; '' or missing if not known. */
  readonly rewardAsset?: string;
  /** The user's own names for ids and addresses of any kind. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The user's own entities on this chain; none if absent. */
  readonly mine?: Mine;
}

export interface MarketEntry {
  readonly code: string;
  readonly name: string;
  readonly state: string;
  /** Of prices; null if the node does not report it. */
  readonly decimalPlaces: number | null;
  /** Of sizes; may be below 0. */
  readonly positionDecimalPlaces: number | null;
  /** Settlement asset, or the quote asset of a spot market; '' if the node does not report it. */
  readonly asset: string;
  /** The oracle specs it uses. */
  readonly specs: readonly SpecUse[];
}

/**
 * How a market uses an oracle spec: `schedule` determines when a perpetual settles its funding,
 * `internal-composite-price` at which price.
 */
export interface SpecUse {
  readonly use: 'settlement' | 'termination' | 'schedule' | 'mark-price' | 'internal-composite-price';
  /** '' if the market gives the definition without an id. */
  readonly specId: string;
  /** `definitionKey` of the definition, if it has no id. */
  readonly definition?: string;
}

export interface AssetEntry {
  readonly symbol: string;
  readonly name: string;
  readonly status: string;
  readonly decimals: number | null;
  /** In smallest units; '' when not reported. */
  readonly quantum: string;
}

export interface ValidatorEntry {
  readonly name: string;
  /** In lower case, with 0x. */
  readonly ethereumAddress: string;
  readonly publicKey: string;
  readonly status: string;
}

/** Nothing is known: ids are shown unchanged, amounts in smallest units. */
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

/** The unit of an asset's amounts, under a name unique among assets; undefined while its decimals are unknown. */
export function unitOfAsset(directory: Directory, assetId: string): Unit | undefined {
  const asset = directory.assets.get(assetId.toLowerCase());
  if (asset === undefined || asset.decimals === null) return undefined;
  return { symbol: nameOrEnds(directory, 'asset', assetId), decimals: asset.decimals };
}

/** The unit of a market's amounts, such as commitments and fees. */
export const unitOfMarket = (directory: Directory, marketId: string): Unit | undefined =>
  unitOfAsset(directory, directory.markets.get(marketId.toLowerCase())?.asset ?? '');

/**
 * How an id is shown: its name, followed by `you` if it is the user's (`Validator 5, you`). An id without a name that is
 * the user's is `you`, with digits if there are several (`you c4ce`). Undefined for any other id without a name.
 */
export function nameOf(directory: Directory, entity: Entity, id: string): SafeText | undefined {
  const name = plainNameOf(directory, entity, id);
  if (!isMine(directory, entity, id)) return name;
  return name === undefined ? unnamedMine(directory, entity).get(id.toLowerCase()) : safeText`${name}, you`;
}

/** The name of an id, or else both of its ends in these cells. */
export const nameOrEnds = (directory: Directory, entity: Entity, id: string, cells = SHORT_ID_CELLS): SafeText =>
  nameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), cells);

/** `8a2f..01be` */
const SHORT_ID_CELLS = 10;

/** The same as the subject of a sentence: `Validator 5 (you)`, `your party`. */
export function subjectName(directory: Directory, entity: Entity, id: string): SafeText | undefined {
  const name = plainNameOf(directory, entity, id);
  if (!isMineEntity(entity) || !isMine(directory, entity, id)) return name;
  if (name !== undefined) return safeText`${name} (you)`;
  const digits = sliceSafe(nameOf(directory, entity, id) ?? sanitize(''), 'you'.length);
  return safeText`your ${sanitize(MINE_WORDS[entity])}${digits}`;
}

/**
 * The name of an id: the user's alias (`@cold wallet`), else the chain's name (`HELDA/HUSD`), followed by digits of the id
 * if another of its kind has the same name (`HELDA/HUSD 8a2f`). Undefined if it has no name.
 */
export function plainNameOf(directory: Directory, entity: Entity, id: string): SafeText | undefined {
  const key = id.toLowerCase();
  const alias = directory.aliases.get(key);
  if (alias !== undefined) return safeText`@${sanitize(alias)}`;
  return namesOf(directory, entity).get(key);
}

/** Whether an id is the user's. The keys of a validator that is the user's are too. */
export function isMine(directory: Directory, entity: Entity, id: string): boolean {
  return isMineEntity(entity) && ownIds(directory, entity).has(id.toLowerCase());
}

const mineByEntity = new WeakMap<Directory, Map<Entity, ReadonlySet<string>>>();

/** The ids of one kind that are the user's, in lower case. */
export function ownIds(directory: Directory, entity: MineEntity): ReadonlySet<string> {
  const { mine, validators } = directory;
  if (mine === undefined) return NOTHING_MINE[entity];
  const known = mineByEntity.get(directory) ?? new Map<Entity, ReadonlySet<string>>();
  mineByEntity.set(directory, known);
  const keys = [...mine.node].flatMap(id => {
    const validator = known.has(entity) ? undefined : validators.get(id);
    if (validator === undefined) return [];
    return entity === 'submitter' ? [validator.ethereumAddress] : entity === 'party' ? [validator.publicKey] : [];
  });
  const ids = known.get(entity) ?? new Set([...mine[entity], ...keys.filter(key => key !== '')]);
  known.set(entity, ids);
  return ids;
}

const unnamedByEntity = new WeakMap<Directory, Map<Entity, ReadonlyMap<string, SafeText>>>();

function unnamedMine(directory: Directory, entity: Entity): ReadonlyMap<string, SafeText> {
  const known = unnamedByEntity.get(directory) ?? new Map<Entity, ReadonlyMap<string, SafeText>>();
  unnamedByEntity.set(directory, known);
  const ids = isMineEntity(entity) ? [...ownIds(directory, entity)] : [];
  const names = known.get(entity) ?? called(ids.filter(id => plainNameOf(directory, entity, id) === undefined));
  known.set(entity, names);
  return names;
}

function called([only, ...others]: readonly string[]): ReadonlyMap<string, SafeText> {
  if (only === undefined) return new Map();
  if (others.length === 0) return new Map([[only, safeText`you`]]);
  const ids = [only, ...others].map(id => [id, sanitize(id.replace(/^0x/, ''))] as const);
  const digits = DIGITS.find(most => new Set(ids.map(([, hex]) => hex.slice(0, most))).size === ids.length);
  return new Map(ids.map(([id, hex]) => [id, safeText`you ${sliceSafe(hex, 0, digits)}`]));
}

/** Digits of an id shown next to a word that others share; the whole id if these are not enough. */
const DIGITS = [4, 8, 16];

const namesByEntity = new WeakMap<Directory, Map<Entity, ReadonlyMap<string, SafeText>>>();

/** The displayed names of one kind of entity, by id. */
export function namesOf(directory: Directory, entity: Entity): ReadonlyMap<string, SafeText> {
  const known = namesByEntity.get(directory) ?? new Map<Entity, ReadonlyMap<string, SafeText>>();
  namesByEntity.set(directory, known);
  const names = known.get(entity) ?? distinctNames(sentNames(directory, entity).map(([id, name = '']) => [id, name]));
  known.set(entity, names);
  return names;
}

/** The ids of one kind with what the chain calls each: first the name that is shown, then others. */
export function sentNames(
  { markets, assets, validators }: Directory,
  entity: Entity,
): (readonly [string, ...string[]])[] {
  switch (entity) {
    case 'market':
      return [...markets].map(([id, { code, name }]) => [id, code, name]);
    case 'asset':
      return [...assets].map(([id, { symbol, name }]) => [id, symbol, name]);
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
