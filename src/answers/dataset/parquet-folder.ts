import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { reasonOf } from '../../disk/ordinary-file.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sha256Of } from '../parquet/out-folder.ts';
import {
  CONVERT_ELSEWHERE,
  PARQUET_MANIFEST,
  type ParquetManifest,
  type ParquetTable,
} from '../parquet/parquet-manifest.ts';

/** A table as one folder holds it. */
export interface TablePart {
  readonly table: ParquetTable;
  /** What a person calls the folder, or the export that it was made of. */
  readonly label: string;
  readonly chainId: string;
  /** Whether the folder was written to its end. */
  readonly isFinished: boolean;
  /** Files by their real paths. */
  readonly files: readonly PartFile[];
  /** Whether the paths, and no column, say the date, and nothing else that an engine would take for a column. */
  readonly isDated: boolean;
}

export interface PartFile {
  readonly path: string;
  readonly rows: number;
}

export interface FolderToRead {
  readonly folder: string;
  readonly label: string;
  readonly signal: AbortSignal;
}

/** The tables of a folder, whose files are there as its manifest says. Throws AnswerError. */
export async function partsOf(
  { folder, label, signal }: FolderToRead,
  manifest: ParquetManifest,
): Promise<readonly TablePart[]> {
  const root = await realpath(folder);
  const told = await stat(join(root, PARQUET_MANIFEST));
  const place = { root, label, signal, toldMs: told.ctimeMs };
  refuseTwice(
    label,
    manifest.tables.map(({ name }) => name),
  );
  const parts: TablePart[] = [];
  for (const table of manifest.tables) {
    // To the engine two names are one where only their case differs.
    const columns = table.columns.map(({ name }) => name.toLowerCase());
    refuseTwice(`${label}: ${table.name}`, columns);
    const files: PartFile[] = [];
    for (const file of table.files) files.push(await checked(place, file));
    const isDated =
      !root.includes('=') &&
      !columns.some(name => IN_PATHS.has(name)) &&
      table.files.every(({ path }) => isPartition(table.name, path));
    const { chainId, finished } = manifest;
    parts.push({ table, label, chainId, isFinished: finished !== null, files, isDated });
  }
  refuseTwice(
    label,
    parts.flatMap(({ files }) => files.map(({ path }) => path)),
  );
  return parts;
}

/** An engine takes these from a path even where the file has a column of that name. */
const IN_PATHS: ReadonlySet<string> = new Set(['table', 'date']);

/** What is there twice would be read, and counted, twice. */
function refuseTwice(label: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw untrusted(label, `its manifest has ${name} twice`);
    seen.add(name);
  }
}

export const untrusted = (label: string, what: string): AnswerError =>
  new AnswerError(`${label}: ${what}`, CONVERT_ELSEWHERE, 'untrusted');

interface Place {
  readonly root: string;
  readonly label: string;
  readonly signal: AbortSignal;
  /** When the manifest was put there. */
  readonly toldMs: number;
}

/**
 * A file that lies in the folder itself, by whatever links, and is what it was. The manifest is written behind all files:
 * one that changed since is read to its end, since a changed byte may make other numbers that look as good.
 */
async function checked({ root, label, signal, toldMs }: Place, file: ParquetTable['files'][number]): Promise<PartFile> {
  const path = await realpath(join(root, file.path)).catch((error: unknown) => {
    throw untrusted(label, `${file.path} cannot be read: ${reasonOf(error)}`);
  });
  const within = relative(root, path);
  if (within.startsWith('..') || isAbsolute(within)) throw untrusted(label, `${file.path} leads out of the folder`);
  const facts = await stat(path);
  if (!facts.isFile()) throw untrusted(label, `${file.path} is no ordinary file`);
  if (facts.size !== file.bytes)
    throw untrusted(label, `${file.path} has ${facts.size} bytes, ${file.bytes} by its manifest`);
  if (facts.ctimeMs >= toldMs && (await hashOf(path, signal)) !== file.sha256)
    throw untrusted(label, `${file.path} is not what its manifest tells of: its SHA-256 differs`);
  return { path, rows: file.rows };
}

/** A read that is stopped is told by the reason that it was stopped for. */
const hashOf = (path: string, signal: AbortSignal): Promise<string> =>
  sha256Of(path, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });

function isPartition(table: string, path: string): boolean {
  const [folder, date = '', ...rest] = path.split('/');
  return folder === `table=${table}` && /^date=\d{4}-\d\d-\d\d$/.test(date) && !rest.join('/').includes('=');
}
