import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { systemErrorCode, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { openSnapshots, type Snapshots } from './reader.ts';
import { SnapshotError } from './snapshot-error.ts';

/** The file of a chain in this folder. A chain may have any name, so the readable part is followed by its hash. */
export function snapshotFilePath(folder: string, chainId: string): string {
  const readable = chainId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  const hash = createHash('sha256').update(chainId).digest('hex').slice(0, 16);
  return join(folder, `${readable === '' ? 'chain' : readable}-${hash}${ENDING}`);
}

/** Opens the snapshots of this chain for reading; undefined if there are none. Throws SnapshotError. */
export function openChainSnapshots(folder: string, chainId: string): Snapshots | undefined {
  const path = snapshotFilePath(folder, chainId);
  return existsSync(path) ? openSnapshots(path) : undefined;
}

const ENDING = '.sqlite';
const CHAIN_FILE = /^[a-z0-9-]{1,60}-[0-9a-f]{16}\.sqlite$/;

/** A file of snapshots; `problem` is the reason why it cannot be read. */
export type SnapshotFile = { readonly path: string; readonly bytes: number } & (
  | { readonly chainId: string; readonly problem: null }
  | { readonly chainId: null; readonly problem: string }
);

/** The files of all chains in this folder, by name. A folder that does not exist has none. Throws SnapshotError. */
export function listSnapshotFiles(folder: string): readonly SnapshotFile[] {
  return listFileNames(folder)
    .filter(name => CHAIN_FILE.test(name))
    .toSorted()
    .map(name => readChainFile(join(folder, name)));
}

function listFileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw snapshotFolderError(folder, 'read', error);
  }
}

function readChainFile(path: string): SnapshotFile {
  const bytes = storedBytes(path);
  try {
    const snapshots = openSnapshots(path);
    try {
      return { path, bytes, chainId: snapshots.chainId, problem: null };
    } finally {
      snapshots.close();
    }
  } catch (error) {
    return { path, bytes, chainId: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Size of a file of snapshots, including data not yet merged into it. */
export const storedBytes = (path: string): number => sizeOf(path) + sizeOf(`${path}-wal`);

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** Creates the folder, for this user only. Throws SnapshotError. */
export function makeSnapshotFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw snapshotFolderError(folder, 'created', error);
  }
}

const snapshotFolderError = (folder: string, what: string, error: unknown): SnapshotError =>
  new SnapshotError(`${folder} cannot be ${what}: ${systemErrorReason(error)}`, {
    because: 'disk',
    hint: 'check the folder, or set XDG_STATE_HOME to another',
    cause: error,
  });
