import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DestinationError, writeProblem } from './destination.ts';

/** Keeps a second program out of a folder of slices. The lock of a process that is gone counts for nothing. */
export async function lockFolder(folder: string): Promise<{ readonly release: () => Promise<void> }> {
  const path = join(folder, 'blockglass.lock');
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
        throw new DestinationError(writeProblem(path, error));
      const owner = Number(await readFile(path, 'utf8').catch(() => ''));
      if (attempt > 0 || isAlive(owner))
        throw new DestinationError(
          `another export (process ${owner}) is at work in ${folder}: wait for it, or choose another folder`,
        );
      await rm(path, { force: true });
    }
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
