import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes all but the newest files of a folder that only this program fills. */
export async function forgetOldest(folder: string, mostFiles: number): Promise<void> {
  const paths = (await readdir(folder)).map(name => join(folder, name));
  if (paths.length <= mostFiles) return;
  const aged = await Promise.all(paths.map(async path => ({ path, atMs: await writtenAt(path) })));
  const oldest = aged.toSorted((one, other) => one.atMs - other.atMs).slice(0, paths.length - mostFiles);
  for (const { path } of oldest) await rm(path, { force: true });
}

/** Another program may have deleted it: then it counts as the oldest. */
const writtenAt = (path: string): Promise<number> =>
  lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
