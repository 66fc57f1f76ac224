import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../disk/make-folder.ts';
import { readOrdinaryFile } from '../disk/ordinary-file.ts';
import { putFile } from '../disk/put-file.ts';
import { ObjectsError } from './objects-error.ts';
import type { Store, Upload } from './store.ts';

/** Parts that are up and were never made an object are paid for and seen by nobody: whoever begins one remembers it. */
export async function rememberUpload(folder: string, upload: Upload): Promise<void> {
  makeFolder(folder);
  await putFile(pathOf(folder, upload), JSON.stringify(upload));
}

export const forgetUpload = (folder: string, upload: Upload): Promise<void> =>
  rm(pathOf(folder, upload), { force: true });

/** Aborts what runs that were killed have left in this bucket. One that the store does not know any more is done. */
export async function abortUnfinished(folder: string, store: Store): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const upload = uploadIn(path);
    if (upload !== undefined) await abortIfThere(store, upload);
    await rm(path, { force: true });
  }
}

async function abortIfThere(store: Store, upload: Upload): Promise<void> {
  await store.abort(upload).catch((error: unknown) => {
    // Some stores have no code for it.
    if (!(error instanceof ObjectsError) || (error.refusal?.status ?? 500) >= 500) throw error;
  });
}

const pathOf = (folder: string, { key, uploadId }: Upload): string =>
  join(folder, `${createHash('sha256').update(`${key}\n${uploadId}`).digest('hex').slice(0, 32)}.json`);

function uploadIn(path: string): Upload | undefined {
  try {
    const value: unknown = JSON.parse(readOrdinaryFile(path, MOST_BYTES) ?? '');
    if (typeof value !== 'object' || value === null || !('key' in value) || !('uploadId' in value)) return undefined;
    const { key, uploadId } = value;
    return typeof key === 'string' && typeof uploadId === 'string' ? { key, uploadId } : undefined;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 16 * 1024;
