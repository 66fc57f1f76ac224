import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, lstatSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readOrdinaryFile, systemErrorCode, systemErrorReason } from './ordinary-file.ts';
import { isProcessRunning, processStartTicks } from './process-running.ts';
import { writeNewFile } from './replace-file-content.ts';

/** The content of a lock. */
interface LockOwner {
  readonly processId: number;
  readonly host: string;
  /** Start of the process in system ticks, as process ids are reused; '' when not known. */
  readonly processStart: string;
  readonly since: string;
  /** Random, unique to this lock. */
  readonly token: string;
}

export interface FileLock {
  readonly release: () => Promise<void>;
}

interface LockOptions {
  /** How long to wait for another owner. Default 0. */
  readonly waitMs?: number;
  /**
   * Age of a lock that counts as left where its process cannot be looked up: it is of another machine, or names no
   * process. Default: never.
   */
  readonly staleMs?: number;
  readonly hardLink?: typeof linkSync;
}

/** A lock cannot be taken. */
export class LockError extends Error {
  override readonly name = 'LockError';
  readonly path: string;
  /** The owner of the lock, or why the file does not identify one; undefined if others keep taking the lock. */
  readonly holder: LockOwner | 'malformed' | 'unreadable' | undefined;

  constructor(path: string, holder: LockError['holder'], message = 'another blockglass is writing it') {
    super(message);
    this.path = path;
    this.holder = holder;
  }
}

/**
 * Runs `act` while holding the lock of a file, which is a separate file next to it. Throws if the lock is not free within
 * one and a half seconds, or within `waitMs`.
 */
export async function withLock<T>(path: string, act: () => Promise<T>, waitMs = MAX_WAIT_MS): Promise<T> {
  const lock = await takeLock(`${path}.lock`, { waitMs, staleMs: STALE_MS });
  try {
    return await act();
  } finally {
    await lock.release();
  }
}

const MAX_WAIT_MS = 1500;
const STALE_MS = 5000;

/**
 * Creates a lock, or takes over the one of a process that no longer runs. Throws LockError, or an error of the system if
 * the lock cannot be written.
 */
export async function takeLock(
  path: string,
  { waitMs = 0, staleMs, hardLink = linkSync }: LockOptions = {},
): Promise<FileLock> {
  const owner = ownLockOwner();
  const written = `${path}.${owner.token}.new`;
  const attempt = { path, written, staleMs, hardLink };
  const lock = { release: () => releaseLock(path, owner) };
  try {
    await writeNewFile(written, JSON.stringify(owner));
    let waitedMs = 0;
    let lost = 0;
    for (let outcome = tryLock(attempt); outcome !== 'taken'; outcome = tryLock(attempt)) {
      if (outcome === 'lost') {
        if (++lost === MAX_LOST_ATTEMPTS) throw new LockError(path, undefined);
      } else {
        if (waitedMs >= waitMs) throw new LockError(path, outcome.owner);
        await wait(RETRY_EVERY_MS);
        waitedMs += RETRY_EVERY_MS;
        lost = 0;
      }
      await refreshLockFile(written, owner);
    }
  } finally {
    // An error here would hide the first one.
    await rm(written, { force: true }).catch(() => {});
  }
  await removeAbandonedFiles(path, staleMs).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  return lock;
}

const RETRY_EVERY_MS = 10;

/** Losing this often in a row means that other programs keep taking and releasing the lock. */
const MAX_LOST_ATTEMPTS = 100;

/** The age of a lock counts from when it is taken. Another owner may have removed the file as remains. */
async function refreshLockFile(written: string, owner: LockOwner): Promise<void> {
  const now = new Date();
  try {
    utimesSync(written, now, now);
  } catch {
    await writeNewFile(written, JSON.stringify(owner));
  }
}

/** On another machine it may have counted as left, and be of another owner by now. */
async function releaseLock(path: string, { token }: LockOwner): Promise<void> {
  if (readHolder(path, 0)?.token === token) await rm(path, { force: true });
}

function ownLockOwner(): LockOwner {
  return {
    processId: process.pid,
    host: hostname(),
    processStart: processStartTicks(process.pid),
    since: new Date().toISOString(),
    token: randomBytes(16).toString('hex'),
  };
}

interface Attempt {
  readonly path: string;
  readonly written: string;
  readonly staleMs: number | undefined;
  readonly hardLink: typeof linkSync;
}

/** Who has a lock, or claims it. */
interface Holder {
  readonly token: string;
  readonly owner: LockOwner | 'malformed' | 'unreadable';
  readonly isLeft: boolean;
}

/**
 * Takes a free lock, or one whose owner no longer runs. Only one process can create the claim on a dead owner's lock, and
 * a claim is only valid while that owner still has the lock, so no two processes get it. Otherwise who has it; `lost` if
 * another process was faster.
 */
function tryLock({ path, written, staleMs, hardLink }: Attempt): 'taken' | 'lost' | Holder {
  if (createAtOnce(path, written, hardLink)) return 'taken';
  const holder = readHolder(path, staleMs);
  if (holder === undefined) return 'lost';
  const line = chainOfClaims(path, holder, staleMs);
  const last = line.at(-1) ?? holder;
  if (!last.isLeft) return last;
  const claim = claimPath(path, last);
  if (!createAtOnce(claim, written, hardLink)) return 'lost';
  if (readHolder(path, staleMs)?.token !== holder.token) {
    rmSync(claim, { force: true });
    return 'lost';
  }
  renameSync(written, path);
  for (const heir of line) rmSync(claimPath(path, heir), { force: true });
  return 'taken';
}

/** The holder, then those who claimed its lock and died before they renewed it. */
function chainOfClaims(path: string, holder: Holder, staleMs: number | undefined): readonly Holder[] {
  const line: Holder[] = [];
  for (let next: Holder | undefined = holder; next !== undefined; next = readHolder(claimPath(path, next), staleMs))
    line.push(next);
  return line;
}

const claimPath = (path: string, { token }: Holder): string => `${path}.${token}`;

/** Creates the file with its full content at once. False when it exists. */
function createAtOnce(path: string, written: string, hardLink: typeof linkSync): boolean {
  try {
    try {
      hardLink(written, path);
    } catch (error) {
      if (!NO_LINKS_CODES.has(systemErrorCode(error))) throw error;
      copyFileSync(written, path, constants.COPYFILE_EXCL);
    }
    return true;
  } catch (error) {
    // ENOENT: another owner took `written` for remains.
    if (['EEXIST', 'ENOENT'].includes(systemErrorCode(error))) return false;
    throw error;
  }
}

/** Errors of file systems without links. */
const NO_LINKS_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Undefined without the file. Throws LockError if it is not a lock, unless its age shows when it is abandoned. */
function readHolder(path: string, staleMs: number | undefined): Holder | undefined {
  const { owner, reason } = readOwner(path);
  if (owner === undefined) return undefined;
  if (typeof owner === 'string' && staleMs === undefined) throw new LockError(path, owner, reason);
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  const { ino, mtimeMs } = facts;
  const token =
    typeof owner === 'string'
      ? createHash('sha256').update(`${ino} ${mtimeMs}`).digest('hex').slice(0, 32)
      : owner.token;
  return { token, owner, isLeft: isAbandoned(owner, Date.now() - mtimeMs, staleMs) };
}

function readOwner(path: string): { readonly owner: Holder['owner'] | undefined; readonly reason?: string } {
  try {
    const text = readOrdinaryFile(path, MAX_BYTES);
    return { owner: text === undefined ? undefined : (parseOwner(text) ?? 'malformed') };
  } catch (error) {
    return { owner: 'unreadable', reason: systemErrorReason(error) };
  }
}

const MAX_BYTES = 4096;

function isAbandoned(owner: Holder['owner'], ageMs: number, staleMs = Number.POSITIVE_INFINITY): boolean {
  if (typeof owner !== 'string' && owner.host === hostname()) {
    if (!isProcessRunning(owner.processId, owner.processStart)) return true;
    // Without its start, it may be another process that has its id now.
    if (owner.processStart !== '') return false;
  }
  return Math.abs(ageMs) > staleMs;
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false;
  const { processId, host, processStart: start, since, token }: { readonly [member: string]: unknown } = { ...value };
  return (
    Number.isSafeInteger(processId) &&
    Number(processId) > 0 &&
    [host, start, since, token].every(member => typeof member === 'string') &&
    /^[0-9a-f]{32}$/.test(String(token))
  );
}

/** Removes lock files that killed processes left behind. Only called while holding the lock. */
async function removeAbandonedFiles(path: string, staleMs: number | undefined): Promise<void> {
  const folder = dirname(path);
  const names = (await readdir(folder)).filter(name => name.startsWith(`${basename(path)}.`));
  for (const name of names) {
    const remains = join(folder, name);
    const holder = readHolder(remains, staleMs ?? Number.POSITIVE_INFINITY);
    const isUnfinished = holder?.owner === 'malformed' && /\.[0-9a-f]{32}\.new$/.test(name);
    if (holder?.isLeft === true || isUnfinished) await rm(remains, { force: true });
  }
}
