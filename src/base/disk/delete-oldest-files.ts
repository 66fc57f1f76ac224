import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes all but the newest files of a folder that only this program fills. */
export async function deleteOldestFiles(folder: string, mostFiles: number): Promise<void> {
  for (const path of (await newestFirst(folder)).slice(mostFiles)) await rm(path, { force: true });
}

/** The paths of the files in a folder, by when they were written; none if there is no folder. */
export async function newestFirst(folder: string): Promise<readonly string[]> {
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
