import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { forgetOldest } from '../../base/disk/forget-oldest.ts';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { readOrdinaryFile } from '../../base/disk/ordinary-file.ts';
import { putFile } from '../../base/disk/put-file.ts';

// What a shell can complete without a request: one file per node and topic, next to the folder of names, whose files are
// counted.

/** The last known history of a node. */
export interface CachedHistory {
  /** First and last blocks of segments, newest first, as decimal text. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Number of the newest epoch seen. */
  readonly epoch: string | null;
}

export const NOTHING_CACHED: CachedHistory = { from: [], to: [], epoch: null };

/** The record keys last seen, by list. */
export type CachedKeys = { readonly [list: string]: readonly string[] };

/** The embedded node has a new address in each run but always the same keys. */
export const DEMO_KEYS = 'demo';

/** More than a person reads. */
const MOST_BOUNDS = 40;
export const MOST_KEYS = 500;

/** The cached history of the node at this address (without a login); nothing if the file is not as it should be. */
export function cachedHistory(folder: string | null, node: string): CachedHistory {
  const cached = readCache(HISTORY, folder, node);
  if (cached === undefined) return NOTHING_CACHED;
  return { from: numberTexts(cached.from), to: numberTexts(cached.to), epoch: numberText(cached.epoch) ?? null };
}

/** Updates the cached history; resolves even if it cannot be written. */
export async function cacheHistory(folder: string | null, node: string, news: Partial<CachedHistory>): Promise<void> {
  const { from, to, epoch } = { ...cachedHistory(folder, node), ...news };
  await writeCache(HISTORY, folder, { node, from: from.slice(0, MOST_BOUNDS), to: to.slice(0, MOST_BOUNDS), epoch });
}

/** Caches where the newest segments of a node begin and end; `segments` are oldest first. */
export function cacheSegments(
  folder: string | null,
  node: string,
  segments: readonly { readonly fromHeight: bigint; readonly toHeight: bigint }[],
): Promise<void> {
  const newest = segments.slice(-MOST_BOUNDS).toReversed();
  return cacheHistory(folder, node, {
    from: newest.map(({ fromHeight }) => String(fromHeight)),
    to: newest.map(({ toHeight }) => String(toHeight)),
  });
}

/** The cached keys of the node at this address (without a login); nothing if the file is not as it should be. */
export function cachedKeys(folder: string | null, node: string): CachedKeys {
  const keys = readCache(KEYS, folder, node)?.keys;
  if (!isObject(keys)) return {};
  return Object.fromEntries(Object.entries(keys).map(([list, found]) => [list, soundKeys(found)]));
}

/** Puts the keys of these lists before the known ones; resolves even if they cannot be written. */
export async function cacheKeys(folder: string | null, node: string, news: CachedKeys): Promise<void> {
  const sound = Object.entries(news).map(([list, keys]) => [list, soundKeys(keys)] as const);
  const known = sound.filter(([, keys]) => keys.length > 0);
  if (known.length === 0) return;
  const before = cachedKeys(folder, node);
  const both = known.map(([list, keys]) => [list, soundKeys([...keys, ...keysOf(before, list)])] as const);
  await writeCache(KEYS, folder, { node, keys: { ...before, ...Object.fromEntries(both) } });
}

/** The keys of a list; empty if none are cached. */
export const keysOf = (cached: CachedKeys, list: string): readonly string[] =>
  (Object.hasOwn(cached, list) ? cached[list] : undefined) ?? [];

interface Topic {
  readonly name: string;
  readonly mostBytes: number;
}

const HISTORY: Topic = { name: 'history', mostBytes: 64 * 1024 };
const KEYS: Topic = { name: 'keys', mostBytes: 1024 * 1024 };

/** The oldest are deleted. */
const MOST_FILES = 100;

interface JsonMembers {
  readonly [member: string]: unknown;
}

function readCache({ name, mostBytes }: Topic, folder: string | null, node: string): JsonMembers | undefined {
  if (folder === null) return undefined;
  try {
    const text = readOrdinaryFile(join(topicFolder(folder, name), fileName(node)), mostBytes);
    const cached: unknown = text === undefined ? undefined : JSON.parse(text);
    return isObject(cached) && cached.node === node ? cached : undefined;
  } catch {
    return undefined;
  }
}

async function writeCache(
  { name }: Topic,
  namesFolder: string | null,
  content: JsonMembers & { readonly node: string },
): Promise<void> {
  if (namesFolder === null) return;
  const folder = topicFolder(namesFolder, name);
  try {
    makeFolder(folder);
    await putFile(join(folder, fileName(content.node)), JSON.stringify(content));
    await forgetOldest(folder, MOST_FILES);
  } catch {
    // Then nothing is completed.
  }
}

const topicFolder = (namesFolder: string, name: string): string => join(dirname(namesFolder), name);

const fileName = (node: string): string => `${createHash('sha256').update(node).digest('hex').slice(0, 40)}.json`;

const isObject = (value: unknown): value is JsonMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberText = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) ? value : undefined;

const numberTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap(item => numberText(item) ?? []).slice(0, MOST_BOUNDS) : [];

/** Keys that can be typed as one word and are not a flag: a node may give its records any key. */
const soundKeys = (keys: unknown): readonly string[] =>
  Array.isArray(keys) ? [...new Set(keys)].filter(isSound).slice(0, MOST_KEYS) : [];

const isSound = (key: unknown): key is string => typeof key === 'string' && /^[0-9A-Za-z][\w./:@+-]{0,199}$/.test(key);
