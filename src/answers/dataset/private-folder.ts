import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { isProcessRunning, processStartTicks } from '../../base/disk/process-running.ts';
import { AnswerError } from '../engine/answer-error.ts';

/** A folder that only this process and this user can use. */
interface PrivateFolder {
  readonly path: string;
  /** Half of the free space on its disk. */
  readonly roomMiB: number;
  readonly remove: () => Promise<void>;
}

/**
 * Makes a folder that never outlives the process: it is removed on request, soon after an abort, and at exit. The next
 * call removes folders that killed processes left behind.
 */
export async function makePrivateFolder(signal: AbortSignal, parent = tmpdir()): Promise<PrivateFolder> {
  const path = await createFolder(parent);
  const removeNow = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const removeSoon = (): void => {
    setTimeout(removeNow, CLOSE_GRACE_MS);
  };
  process.on('exit', removeNow);
  signal.addEventListener('abort', removeSoon, { once: true });
  const remove = async (): Promise<void> => {
    process.off('exit', removeNow);
    signal.removeEventListener('abort', removeSoon);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  };
  const { bavail, bsize } = await statfs(path);
  return { path, roomMiB: Math.floor((bavail * bsize) / (2 * 1024 * 1024)), remove };
}

/** Explains a failed write in the private folder, which the user did not name; returns any other error unchanged. */
export function toTemporaryFolderError(error: unknown, path: string): unknown {
  if (!(error instanceof AnswerError) || !error.message.includes(path)) return error;
  const [what = ''] = error.message.replaceAll(path, 'temporary files').split(': free some space');
  return new AnswerError(what, `free some space in ${tmpdir()}, or ${ELSEWHERE}`);
}

const ELSEWHERE = 'set TMPDIR to another folder';

async function createFolder(parent: string): Promise<string> {
  try {
    await removeRemains(parent);
    return await mkdtemp(join(parent, `${PREFIX}${HOST}-${process.pid}-${processStartTicks(process.pid) || '0'}-`));
  } catch (error) {
    throw new AnswerError(`no temporary folder can be created in ${parent}: ${systemErrorReason(error)}`, ELSEWHERE);
  }
}

const PREFIX = 'blockglass-answers-';

/** Only folders of this machine: another machine or container may share the parent folder. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);

/** How long running work has to close the folder properly. */
const CLOSE_GRACE_MS = 20;

async function removeRemains(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, host, processId = '', start] = FOLDER_NAME_PATTERN.exec(name) ?? [];
    if (host !== HOST || isProcessRunning(Number(processId), start === '0' ? '' : start)) continue;
    const path = join(parent, name);
    const facts = await lstat(path).catch(() => undefined);
    // Ignore links and folders of other users with such a name.
    if (facts?.isDirectory() !== true || facts.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const FOLDER_NAME_PATTERN = new RegExp(`^${PREFIX}([0-9a-f]{12})-([1-9]\\d{0,9})-(\\d+)-\\w{6}$`);
