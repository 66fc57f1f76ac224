import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder } from '../directory/make-folder.ts';
import type { KeptView } from '../settings/kept-view.ts';
import { MOST_VIEWS_BYTES, readViews, VIEWS_FILE, VIEWS_FORMAT } from './views-file.ts';

/** Keeps a view beside those of other nodes, as they are now. Throws when it cannot be. */
export async function keepView(folder: string, name: string, view: KeptView): Promise<void> {
  makeFolder(folder);
  const lock = await locked(folder);
  try {
    const { [name]: _, ...others } = viewsOrNone(folder);
    // The last one is the newest: what is not opened any more goes first.
    const kept = Object.entries({ ...others, [name]: view }).slice(-MOST_VIEWS);
    await write(folder, kept);
  } finally {
    await rm(lock, { force: true });
  }
}

const MOST_VIEWS = 100;

// What cannot be read is of no use to anybody: another one takes its place.
function viewsOrNone(folder: string): ReturnType<typeof readViews> {
  try {
    return readViews(folder);
  } catch {
    return {};
  }
}

async function write(folder: string, views: readonly (readonly [string, unknown])[]): Promise<void> {
  const text = `${JSON.stringify({ format: VIEWS_FORMAT, views: Object.fromEntries(views) }, null, 1)}\n`;
  if (Buffer.byteLength(text) > MOST_VIEWS_BYTES) {
    if (views.length < 2) throw new Error('it is larger than 1 MiB');
    return write(folder, views.slice(1));
  }
  const part = join(folder, `${VIEWS_FILE}.${randomBytes(6).toString('hex')}.part`);
  try {
    await using file = await open(part, 'wx', 0o600);
    await file.writeFile(text);
    await rename(part, join(folder, VIEWS_FILE));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Path of the lock, once no other explorer is between reading the file and putting another in its place. */
async function locked(folder: string): Promise<string> {
  const path = join(folder, `${VIEWS_FILE}.lock`);
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    try {
      await using _ = await open(path, 'wx', 0o600);
      return path;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    // One that was killed at it holds up nobody for ever.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > STALE_MS) await rm(path, { force: true });
    else if (waitedMs > LONGEST_WAIT_MS) throw new Error('another explorer is writing it');
    else await wait(LOOK_AGAIN_MS);
  }
}

const LOOK_AGAIN_MS = 10;
const LONGEST_WAIT_MS = 500;
const STALE_MS = 5000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
