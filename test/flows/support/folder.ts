import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Folder extends AsyncDisposable {
  readonly path: string;
  /** Names of the files in it, sorted. */
  files(): Promise<readonly string[]>;
}

/** An empty folder that is removed with `await using`. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'blockglass-flow-'));
  return {
    path,
    files: async () => (await readdir(path)).toSorted(),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
