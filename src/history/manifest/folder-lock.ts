import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { isProcessThere, processStart } from '../../base/disk/process-there.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { isCode, lacksHardLinks, writeProblem } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { readJsonFile, writeNewFile } from './json-file.ts';

const lockOwner = v.object({
  processId: v.number(),
  host: v.string(),
  /** Start of the process in system ticks, as process ids are reused; '' when not known. */
  processStart: v.string(),
  since: v.string(),
  /** Random, unique to this lock. */
  token: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

type LockOwner = v.InferOutput<typeof lockOwner>;

export interface FolderLock {
  readonly release: () => Promise<void>;
}

const LOCK_NAME = 'blockglass.lock';

/** Losing this often means that other programs keep taking and releasing the lock. */
const MOST_ATTEMPTS = 100;

/**
 * Locks a folder against other exports. The lock of a process that no longer runs is taken over.
 * Throws DestinationError or UnreadableError.
 */
export async function lockFolder(folder: string, hardLink = link): Promise<FolderLock> {
  const path = join(folder, LOCK_NAME);
  const owner = thisProcess();
  const written = `${path}.${owner.token}.new`;
  try {
    await writeNewFile(written, JSON.stringify(owner));
    for (let attempt = 1; !(await take({ path, written, hardLink })); attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new DestinationError(`${path} is held by other exports in turn: try again`);
    }
    await removeRemains(folder);
    return { release: () => rm(path, { force: true }) };
  } catch (error) {
    if (error instanceof DestinationError || error instanceof UnreadableError) throw error;
    throw new DestinationError(writeProblem(path, error));
  } finally {
    // An error here would hide the first one.
    await rm(written, { force: true }).catch(() => {});
  }
}

interface Attempt {
  readonly path: string;
  readonly written: string;
  readonly hardLink: typeof link;
}

/**
 * Takes a free lock, or one whose owner no longer runs. Only one process can create the claim on a dead owner's lock, and
 * a claim is only valid while that owner still has the lock, so no two processes get it.
 */
async function take({ path, written, hardLink }: Attempt): Promise<boolean> {
  if (await createdAs(path, written, hardLink)) return true;
  const owner = await readOwner(path);
  if (owner === undefined) return false;
  const line = await lineOfHeirs(path, owner);
  const last = line.at(-1) ?? owner;
  if (isAlive(last)) throw new DestinationError(inUse(path, last));
  const claim = claimOn(path, last);
  if (!(await createdAs(claim, written, hardLink))) return false;
  if ((await readOwner(path))?.token !== owner.token) {
    await rm(claim, { force: true });
    return false;
  }
  await rename(written, path);
  await Promise.all(line.map(heir => rm(claimOn(path, heir), { force: true })));
  return true;
}

/** The owner, then those who claimed its lock and died before they renewed it. */
async function lineOfHeirs(path: string, owner: LockOwner): Promise<readonly LockOwner[]> {
  const line: LockOwner[] = [];
  for (let next: LockOwner | undefined = owner; next !== undefined; next = await readOwner(claimOn(path, next)))
    line.push(next);
  return line;
}

const claimOn = (path: string, { token }: LockOwner): string => `${path}.${token}`;

function inUse(path: string, { processId, host, since }: LockOwner): string {
  const folder = path.slice(0, -LOCK_NAME.length - 1);
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  const remedy = host === hostname() ? '' : `; if that process no longer runs, delete ${basename(path)} there`;
  return `another export (process ${processId}${elsewhere}, since ${since}) is writing to ${folder}: wait for it or choose another folder${remedy}`;
}

/** Creates the file with its full content at once. False when it exists. */
async function createdAs(path: string, written: string, hardLink: typeof link): Promise<boolean> {
  try {
    await hardLink(written, path).catch((error: unknown) => {
      if (!lacksHardLinks(error)) throw error;
      // This file system has no hard links.
      return copyFile(written, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function readOwner(path: string): Promise<LockOwner | undefined> {
  const value = await readJsonFile(path, 4096);
  if (value === undefined) return undefined;
  const result = v.safeParse(lockOwner, value);
  if (result.success) return result.output;
  throw new DestinationError(`${path} is not a lock of an export: delete it if no export is running there`);
}

/** Removes lock files that killed processes left behind. Only called while holding the lock. */
async function removeRemains(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => name.startsWith(`${LOCK_NAME}.`));
  for (const name of names) {
    const path = join(folder, name);
    const owner = await readOwner(path).catch(() => undefined);
    if (owner !== undefined && !isAlive(owner)) await rm(path, { force: true });
  }
}

function thisProcess(): LockOwner {
  return {
    processId: process.pid,
    host: hostname(),
    processStart: processStart(process.pid),
    since: new Date().toISOString(),
    token: randomBytes(16).toString('hex'),
  };
}

/** A process on another machine counts as alive, as that cannot be checked. */
function isAlive({ processId, host, processStart: start }: LockOwner): boolean {
  if (host !== hostname()) return true;
  return isProcessThere(processId, start);
}
