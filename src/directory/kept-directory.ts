import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { forgetOldest } from '../disk/forget-oldest.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { putFile } from '../disk/put-file.ts';
import type { Directory } from './directory.ts';
import { NAMES } from './names-schema.ts';

/** The names of a chain as they were kept, and when. */
export interface KeptDirectory {
  readonly names: Omit<Directory, 'aliases'>;
  readonly keptAtMs: number;
}

/** Whose names they are. What one node says of a chain is never shown beside the rows of another. */
export interface NamesOf {
  readonly chainId: string;
  /** The node's address, without a login. */
  readonly node: string;
}

/** The names that were kept; undefined when there are none, or anything about the file is odd. */
export async function readKept(folder: string, of: NamesOf): Promise<KeptDirectory | undefined> {
  try {
    const text = await readOwnFile(join(folder, fileName(of)));
    const { output, success } = v.safeParse(FILE, text === undefined ? undefined : JSON.parse(text));
    if (!success || output.chainId !== of.chainId || output.node !== of.node) return undefined;
    const { markets, assets, validators, keptAtMs } = output;
    return {
      names: { markets: new Map(markets), assets: new Map(assets), validators: new Map(validators) },
      keptAtMs,
    };
  } catch {
    return undefined;
  }
}

/** Keeps them in place of those kept before; resolves too when they cannot be. */
export async function writeKept(folder: string, of: NamesOf, { names, keptAtMs }: KeptDirectory): Promise<void> {
  const { markets, assets, validators } = names;
  const content = { ...of, format: FORMAT, keptAtMs, markets: [...markets], assets: [...assets] };
  const text = JSON.stringify({ ...content, validators: [...validators] });
  if (Buffer.byteLength(text) > MOST_BYTES) return;
  try {
    makeFolder(folder);
    await putFile(join(folder, fileName(of)), text);
    await forgetOldest(folder, MOST_FILES);
  } catch {
    // They are asked for again.
  }
}

const MOST_FILES = 32;

// The name of a chain is the node's: it must not lead out of the folder.
const fileName = ({ chainId, node }: NamesOf): string =>
  `${createHash('sha256')
    .update(JSON.stringify([chainId, node]))
    .digest('hex')
    .slice(0, 40)}.json`;

const FORMAT = 2;
const MOST_BYTES = 16 * 1024 * 1024;
const OTHERS_WRITE = 0o022;

/** What a file holds that this user made, and nobody else can write to; a link or a pipe is none. */
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
  return facts.isFile() && facts.size <= MOST_BYTES && isGuarded;
}

const FILE = v.strictObject({
  format: v.literal(FORMAT),
  chainId: v.string(),
  node: v.string(),
  keptAtMs: v.pipe(v.number(), v.integer()),
  ...NAMES,
});
