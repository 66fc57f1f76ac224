import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { isProcessThere, processStart } from '../disk/process-there.ts';
import { UnreadableError } from './check/unreadable-error.ts';
import { isCode, lacksHardLinks, writeProblem } from './destination.ts';
import { DestinationError } from './destination-error.ts';
import { readJsonFile, writeNewFile } from './json-file.ts';

const lockOwner = v.object({
  processId: v.number(),
  host: v.string(),
  /** Start of the process in the system's own ticks, where it tells: a number is given to many processes. */
  processStart: v.string(),
  since: v.string(),
  /** Unlike that of every other lock there ever was. */
  token: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

type LockOwner = v.InferOutput<typeof lockOwner>;

export interface FolderLock {
  readonly release: () => Promise<void>;
}

const LOCK_NAME = 'blockglass.lock';

/** Others are faster so often only where they come and go all the time. */
const MOST_ATTEMPTS = 100;

/** Keeps a second program out of a folder of slices. The lock of a process that is gone is taken over. */
export async function lockFolder(folder: string, hardLink = link): Promise<FolderLock> {
  const path = join(folder, LOCK_NAME);
  const owner = thisProcess();
  const written = `${path}.${owner.token}.new`;
  try {
    await writeNewFile(written, JSON.stringify(owner));
    for (let attempt = 1; !(await take({ path, written, hardLink })); attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new DestinationError(`${path} is taken by others all the time: try again`);
    }
    await removeRemains(folder);
    return { release: () => rm(path, { force: true }) };
  } catch (error) {
    if (error instanceof DestinationError || error instanceof UnreadableError) throw error;
    throw new DestinationError(writeProblem(path, error));
  } finally {
    // Where it cannot even be looked for, what went wrong before says more.
    await rm(written, { force: true }).catch(() => {});
  }
}

interface Taking {
  readonly path: string;
  readonly written: string;
  readonly hardLink: typeof link;
}

/**
 * Takes a lock that is free, or that of a process that is gone. Of those who want to follow a dead owner only one can
 * make the file of its claim, and the claim counts while the lock is still that owner's: no two ever take the same.
 */
async function take({ path, written, hardLink }: Taking): Promise<boolean> {
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

/** The owner, and whoever claimed to follow and died before the lock was renewed. */
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
  const remedy = host === hostname() ? '' : `; if it is gone, remove ${basename(path)} there`;
  return `another export (process ${processId}${elsewhere}, since ${since}) is at work in ${folder}: wait for it, or choose another folder${remedy}`;
}

/** False when the name is taken. The file is there with all that is in it, or not at all. */
async function createdAs(path: string, written: string, hardLink: typeof link): Promise<boolean> {
  try {
    await hardLink(written, path).catch((error: unknown) => {
      if (!lacksHardLinks(error)) throw error;
      // A file system without hard links.
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
  throw new DestinationError(`${path} is no lock of an export: remove it if none is at work there`);
}

/** Whoever holds the lock removes what processes that were killed have left of theirs. */
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

/** A process of another machine counts as alive: nothing is known of it. */
function isAlive({ processId, host, processStart: start }: LockOwner): boolean {
  if (host !== hostname()) return true;
  return isProcessThere(processId, start);
}
