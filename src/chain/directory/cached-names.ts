import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { replaceFileContent } from '../../base/disk/replace-file-content.ts';
import type { Client } from '../api/client.ts';
import type { Directory } from './directory.ts';
import { type FetchedNames, fetchDirectory, fetchRewardAsset, MAX_TEXT_LENGTH } from './fetch-directory.ts';
import { mergeNames } from './merge-names.ts';
import { NAME_ENTRIES } from './names-file.ts';

/** Names of a chain, and whether to refresh them. */
export interface KnownNames {
  readonly names: FetchedNames;
  /** They should be fetched again. */
  readonly isOld: boolean;
}

/** Whose names, and the folder they are cached in; null for none. */
interface CachedNamesOwner extends NamesOwner {
  readonly folder: string | null;
}

const NONE = { markets: new Map(), assets: new Map(), validators: new Map() };

/** The names cached by an earlier run. */
export async function cachedNames({ folder, ...of }: CachedNamesOwner, nowMs: number): Promise<KnownNames> {
  const cached = folder === null ? undefined : await readCachedNames(folder, of);
  if (cached === undefined) return { names: {}, isOld: true };
  const ageMs = nowMs - cached.cachedAtMs;
  return { names: cached.names, isOld: ageMs < 0 || ageMs > FRESH_MS };
}

/** The names from the node, in at most four requests; they are cached for later runs. Throws only when aborted. */
export async function fetchNames(
  client: Pick<Client, 'get'>,
  { folder, ...of }: CachedNamesOwner,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<KnownNames> {
  const listed = await fetchDirectory(client, signal);
  const hasStakes = (listed.assets?.size ?? 0) > 0 && (listed.validators?.size ?? 0) > 0;
  const rewardAsset = hasStakes ? await fetchRewardAsset(client, signal) : '';
  const names = { ...listed, ...(rewardAsset !== undefined && { rewardAsset }) };
  if (folder !== null && Object.keys(listed).length > 0) {
    const before = (await readCachedNames(folder, of))?.names ?? NONE;
    const isWhole = ['markets', 'assets', 'validators', 'rewardAsset'].every(part => part in names);
    await writeCachedNames(folder, of, { names: mergeNames(before, names), cachedAtMs: isWhole ? nowMs : 0 });
  }
  return { names, isOld: false };
}

const FRESH_MS = 24 * 3_600_000;

/** The cached names of a chain, and when they were cached. */
interface CachedDirectory {
  readonly names: Omit<Directory, 'aliases'>;
  readonly cachedAtMs: number;
}

/** Whose names they are: names from one node are never shown with rows of another. */
interface NamesOwner {
  readonly chainId: string;
  /** The node's address, without a login. */
  readonly node: string;
}

/** The cached names; undefined if there are none, or the file is not as it should be. */
export async function readCachedNames(folder: string, of: NamesOwner): Promise<CachedDirectory | undefined> {
  const cached = await readNames(join(folder, fileName(of)));
  return cached?.chainId === of.chainId && cached.node === of.node ? cached.directory : undefined;
}

/** The names cached last for the node at this address, whatever its chain was: the node need not be asked for it. */
export async function namesOfNode(folder: string | null, node: string): Promise<FetchedNames> {
  if (folder === null) return {};
  for (const path of await newestFirst(folder)) {
    const cached = await readNames(path);
    if (cached?.node === node) return cached.directory.names;
  }
  return {};
}

/** The names in a file, and whose they are; undefined if it is not as it should be. */
async function readNames(path: string): Promise<(NamesOwner & { readonly directory: CachedDirectory }) | undefined> {
  try {
    const text = await readOwnFile(path);
    const { output, success } = v.safeParse(FILE, text === undefined ? undefined : JSON.parse(text));
    if (!success) return undefined;
    const { chainId, node, markets, assets, validators, rewardAsset, cachedAtMs } = output;
    const names = {
      ...{ markets: new Map(markets), assets: new Map(assets), validators: new Map(validators) },
      rewardAsset,
    };
    return { chainId, node, directory: { names, cachedAtMs } };
  } catch {
    return undefined;
  }
}

/** Replaces the cached names; resolves even if they cannot be written. */
export async function writeCachedNames(
  folder: string,
  of: NamesOwner,
  { names, cachedAtMs }: CachedDirectory,
): Promise<void> {
  const { markets, assets, validators, rewardAsset = '' } = names;
  const content = { ...of, format: FORMAT, cachedAtMs, rewardAsset, markets: [...markets], assets: [...assets] };
  const text = JSON.stringify({ ...content, validators: [...validators] });
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) return;
  try {
    makeFolder(folder);
    await replaceFileContent(join(folder, fileName(of)), text);
    await deleteOldestFiles(folder, MAX_CACHE_FILES);
  } catch {
    // They are fetched again next time.
  }
}

const MAX_CACHE_FILES = 32;

// The chain id comes from the node and must not lead out of the folder.
const fileName = ({ chainId, node }: NamesOwner): string =>
  `${createHash('sha256')
    .update(JSON.stringify([chainId, node]))
    .digest('hex')
    .slice(0, 40)}.json`;

const FORMAT = 3;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const OTHERS_WRITE = 0o022;

/** The content of a file that belongs to this user and that no one else can write; links and pipes do not count. */
async function readOwnFile(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return (await isOwn(file)) ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

async function isOwn(file: FileHandle): Promise<boolean> {
  const facts = await file.stat();
  const self = process.getuid?.() ?? facts.uid;
  const isGuarded = facts.uid === self && (facts.mode & OTHERS_WRITE) === 0;
  return facts.isFile() && facts.size <= MAX_FILE_BYTES && isGuarded;
}

/** Deletes all but the newest files of a folder that only this program fills. */
async function deleteOldestFiles(folder: string, mostFiles: number): Promise<void> {
  for (const path of (await newestFirst(folder)).slice(mostFiles)) await rm(path, { force: true });
}

/** The paths of the files in a folder, newest first; none if the folder does not exist. */
async function newestFirst(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.map(name => join(folder, name));
  const aged = await Promise.all(paths.map(async path => ({ path, atMs: await modifiedMs(path) })));
  return aged.toSorted((one, other) => other.atMs - one.atMs).map(({ path }) => path);
}

/** Another program may have deleted it: then it counts as the oldest. */
const modifiedMs = (path: string): Promise<number> =>
  lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

const FILE = v.strictObject({
  format: v.literal(FORMAT),
  chainId: v.string(),
  node: v.string(),
  cachedAtMs: v.pipe(v.number(), v.integer()),
  rewardAsset: v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH)),
  ...NAME_ENTRIES,
});
