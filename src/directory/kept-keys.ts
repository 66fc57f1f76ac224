import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { forgetOldest } from '../disk/forget-oldest.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile } from '../disk/ordinary-file.ts';
import { putFile } from '../disk/put-file.ts';

/** Keys of records by the list that they are of, as they were seen last: what a shell completes without asking anybody. */
export type KeptKeys = { readonly [list: string]: readonly string[] };

/** More than a person looks through. */
export const MOST_KEYS = 500;
const MOST_BYTES = 1024 * 1024;

/** A file a node; of those that were asked longest ago nothing is completed any more. */
const MOST_FILES = 100;

/** The embedded node has another address in each run, and the same keys. */
export const DEMO_KEYS = 'demo';

/** What was kept of the node at this address (without a login); nothing, where anything about the file is odd. */
export function keptKeys(folder: string | null, node: string): KeptKeys {
  if (folder === null) return {};
  try {
    const text = readOrdinaryFile(pathOf(folder, node), MOST_BYTES);
    const kept: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isObject(kept) || kept.node !== node || !isObject(kept.keys)) return {};
    return Object.fromEntries(Object.entries(kept.keys).map(([list, keys]) => [list, soundKeys(keys)]));
  } catch {
    return {};
  }
}

/** Keeps the keys of these lists before those that were known; resolves too when they cannot be kept. */
export async function keepKeys(folder: string | null, node: string, news: KeptKeys): Promise<void> {
  if (folder === null) return;
  const sound = Object.entries(news).map(([list, keys]) => [list, soundKeys(keys)] as const);
  const known = sound.filter(([, keys]) => keys.length > 0);
  if (known.length === 0) return;
  const before = keptKeys(folder, node);
  const both = known.map(([list, keys]) => [list, soundKeys([...keys, ...keysOf(before, list)])] as const);
  const keys = { ...before, ...Object.fromEntries(both) };
  try {
    makeFolder(keysFolder(folder));
    await putFile(pathOf(folder, node), JSON.stringify({ node, keys }));
    await forgetOldest(keysFolder(folder), MOST_FILES);
  } catch {
    // Nothing is completed then.
  }
}

/** The keys of a list; none where it is not known. */
export const keysOf = (kept: KeptKeys, list: string): readonly string[] =>
  (Object.hasOwn(kept, list) ? kept[list] : undefined) ?? [];

/** Beside the folder of names, which is counted. */
const keysFolder = (folder: string): string => join(dirname(folder), 'keys');

const pathOf = (folder: string, node: string): string =>
  join(keysFolder(folder), `${createHash('sha256').update(node).digest('hex').slice(0, 40)}.json`);

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a person could type as one word that is no flag: a node may call its records anything. */
const soundKeys = (keys: unknown): readonly string[] =>
  Array.isArray(keys) ? [...new Set(keys)].filter(isSound).slice(0, MOST_KEYS) : [];

const isSound = (key: unknown): key is string => typeof key === 'string' && /^[0-9A-Za-z][\w./:@+-]{0,199}$/.test(key);
