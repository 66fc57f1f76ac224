import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FileLock } from '../../base/disk/file-lock.ts';
import { makeFolder } from '../../base/disk/make-folder.ts';
import { type LockWait, lockFolder } from '../../history/manifest/folder-lock.ts';
import { hasErrorCode } from '../../history/plan/destination.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { toFolderError } from './conversion-error.ts';
import {
  HIDDEN_PREFIX,
  PARQUET_MANIFEST,
  type ParquetFile,
  type ParquetManifest,
  readParquetManifest,
  refuseUnreadable,
  writeParquetManifest,
} from './parquet-manifest.ts';

/** A file and its final name. */
interface Publication {
  readonly stagedPath: string;
  readonly path: string;
}

/** A folder of Parquet files, locked by this process. Its content always matches its manifest. */
export class OutFolder {
  readonly path: string;
  /** For files with temporary names: hidden, private to this user, and on the same disk. */
  readonly work: string;
  readonly #lock: FileLock;
  /** When the manifest was written, if files that are older need not be hashed. */
  readonly #trustedUntilMs: number;
  #manifest: ParquetManifest;

  private constructor(
    { path, work }: { readonly path: string; readonly work: string },
    lock: FileLock,
    found: FoundManifest,
  ) {
    this.path = path;
    this.work = work;
    this.#lock = lock;
    this.#manifest = found.manifest;
    this.#trustedUntilMs = found.trustedUntilMs;
  }

  get manifest(): ParquetManifest {
    return this.#manifest;
  }

  /** Throws AnswerError if it cannot be created, another process uses it, or the path is something else. */
  static async open(
    path: string,
    fresh: FreshManifest,
    { isMirror = false, ...wait }: OutFolderOptions = {},
  ): Promise<OutFolder> {
    await createOutputFolder(path);
    const lock = await lockFolder(path, wait).catch((error: unknown) => {
      throw toFolderError(path, error);
    });
    try {
      const found = isMirror ? await readMirror(path, fresh) : await readFolder(path, fresh);
      await removeRemains(path, found.manifest);
      const work = join(path, `${HIDDEN_PREFIX}${randomBytes(6).toString('hex')}`);
      await mkdir(work, { mode: 0o700 });
      return new OutFolder({ path, work }, lock, found);
    } catch (error) {
      await lock.release();
      throw toFolderError(path, error);
    }
  }

  /**
   * Renames files to their final names and writes a manifest that lists them. Files that are no longer listed are removed.
   * A note in the manifest lets the next process clean up if this one is killed.
   */
  async publish(next: ParquetManifest, publications: readonly Publication[]): Promise<void> {
    refuseUnreadable(next);
    try {
      const stays = new Set(listedPaths(next));
      const leaves = listedPaths(this.#manifest).filter(path => !stays.has(path));
      const publishing = publications.map(({ path }) => path);
      const changing = [...publishing, ...leaves];
      await writeParquetManifest(this.path, {
        ...withoutFiles(this.#manifest, new Set(changing)),
        finished: null,
        publishing: changing,
      });
      for (const { stagedPath, path } of publications) {
        await mkdir(join(this.path, dirname(path)), { recursive: true });
        await rename(stagedPath, join(this.path, path));
      }
      for (const path of leaves) await rm(join(this.path, path), { force: true });
      const { publishing: _, ...done } = next;
      await writeParquetManifest(this.path, done);
      this.#manifest = done;
    } catch (error) {
      // Remove the files that could not be listed; if that fails too, the note remains.
      for (const { path } of publications) await rm(join(this.path, path), { force: true }).catch(() => {});
      throw toFolderError(this.path, error);
    }
  }

  /** Whether a file is the one in the manifest. */
  async has({ path, bytes, sha256 }: ParquetFile, signal: AbortSignal): Promise<boolean> {
    const found = await stat(join(this.path, path)).catch(() => undefined);
    if (found?.size !== bytes) return false;
    return found.ctimeMs < this.#trustedUntilMs || (await sha256Of(join(this.path, path), signal)) === sha256;
  }

  /** Removes the files made from an archive that is left out. */
  async discardStaged(): Promise<void> {
    for (const name of await readdir(this.work))
      if (/\.(?:csv|parquet)$/.test(name)) await rm(join(this.work, name), { force: true });
  }

  async close(): Promise<void> {
    await rm(this.work, { recursive: true, force: true });
    await this.#lock.release();
  }
}

interface OutFolderOptions extends LockWait {
  /**
   * The files can be made again at any time: those that do not match the manifest are removed rather than refused, and so
   * are files of another version of the program.
   */
  readonly isMirror?: boolean;
}

type FreshManifest = Omit<ParquetManifest, 'publishing' | 'tables' | 'finished' | 'format'>;

interface FoundManifest {
  readonly manifest: ParquetManifest;
  readonly trustedUntilMs: number;
}

async function readFolder(path: string, fresh: FreshManifest): Promise<FoundManifest> {
  const found = await readParquetManifest(path);
  const manifest = found ?? { format: 1, ...fresh, finished: null, tables: [] };
  if (manifest.chainId !== fresh.chainId)
    throw new AnswerError(
      `${path} has Parquet files of chain ${manifest.chainId}`,
      'convert each chain into a folder of its own',
    );
  await refuseForeignFiles(path, manifest);
  return { manifest, trustedUntilMs: Number.NEGATIVE_INFINITY };
}

async function readMirror(path: string, fresh: FreshManifest): Promise<FoundManifest> {
  try {
    const { ctimeMs } = await stat(join(path, PARQUET_MANIFEST));
    const { manifest } = await readFolder(path, fresh);
    if (manifest.program === fresh.program) return { manifest, trustedUntilMs: ctimeMs };
  } catch (error) {
    if (!(error instanceof AnswerError) && !hasErrorCode(error, 'ENOENT')) throw error;
  }
  await removeParquet(path);
  return readFolder(path, fresh);
}

/** Removes what a conversion makes in a folder, the manifest first: without it nothing counts. Others hold the lock. */
export async function removeParquet(folder: string): Promise<void> {
  await rm(join(folder, PARQUET_MANIFEST), { recursive: true, force: true });
  for (const name of await readdir(folder))
    if (name.startsWith('table=') || name.startsWith(HIDDEN_PREFIX))
      await rm(join(folder, name), { recursive: true, force: true });
}

async function createOutputFolder(path: string): Promise<void> {
  try {
    makeFolder(path);
    if ((await stat(path)).isDirectory()) return;
  } catch (error) {
    const problem = toFolderError(path, error);
    if (problem instanceof AnswerError) throw problem;
    throw new AnswerError(`"${path}" cannot be created`, 'choose a writable folder with --out');
  }
  throw new AnswerError(`${path} is a file`, 'choose a folder with --out');
}

const listedPaths = ({ tables }: ParquetManifest): readonly string[] =>
  tables.flatMap(({ files }) => files.map(({ path }) => path));

/** What remains without these files: an archive counts as converted only with all its files. */
const withoutFiles = (manifest: ParquetManifest, paths: ReadonlySet<string>): ParquetManifest => ({
  ...manifest,
  tables: manifest.tables.map(table => {
    const broken = new Set(table.files.filter(({ path }) => paths.has(path)).map(({ source }) => source));
    return {
      ...table,
      files: table.files.filter(({ source }) => !broken.has(source)),
      sources: (table.sources ?? []).filter(({ sha256 }) => !broken.has(sha256)),
    };
  }),
});

/** Removes what killed processes left; the lock makes this safe. */
async function removeRemains(folder: string, manifest: ParquetManifest): Promise<void> {
  const listed = new Set(listedPaths(manifest));
  for (const path of manifest.publishing ?? []) if (!listed.has(path)) await rm(join(folder, path), { force: true });
  for (const name of await readdir(folder))
    if (name.startsWith(HIDDEN_PREFIX)) await rm(join(folder, name), { recursive: true, force: true });
}

/** The SHA-256 of a file. Throws the reason of an abort. */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) hash.update(chunk);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return hash.digest('hex');
}

/** The file names of a conversion. */
const OWN_FILE_PATH = /^table=\w+\/date=(?:\d{4}-\d\d-\d\d|__HIVE_DEFAULT_PARTITION__)\/part-\d+-\d+-\d+-\d+\.parquet$/;

/**
 * Throws AnswerError if a conversion would touch files that are not its own. A manifest may come from anywhere and list
 * any file for removal, and a link may point anywhere. Engines read every file below a table, listed or not.
 */
async function refuseForeignFiles(folder: string, { tables, publishing = [] }: ParquetManifest): Promise<void> {
  const listed = new Set([...tables.flatMap(({ files }) => files.map(({ path }) => path)), ...publishing]);
  const odd = [...listed].find(path => !OWN_FILE_PATH.test(path));
  if (odd !== undefined)
    throw refusedFolderError(folder, `its manifest lists ${odd}, which is not a file name of a conversion`);
  for (const entry of await listTableFiles(folder)) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isDirectory() || listed.has(path) || /^[._]/.test(entry.name)) continue;
    throw refusedFolderError(
      folder,
      entry.isSymbolicLink()
        ? `${path} is a link: files would be written elsewhere`
        : `it has ${path}, which its manifest does not list: engines would read it too`,
    );
  }
}

/** The files that engines would read, without following links. */
async function listTableFiles(folder: string): Promise<readonly Dirent[]> {
  const tables = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name.startsWith('table='));
  const within = tables
    .filter(entry => entry.isDirectory())
    .map(({ name }) => readdir(join(folder, name), { withFileTypes: true, recursive: true }));
  return [...tables, ...(await Promise.all(within)).flat()];
}

const refusedFolderError = (folder: string, what: string): AnswerError =>
  new AnswerError(`${folder}: ${what}`, 'remove it if you do not need it, or choose another folder', 'untrusted');
