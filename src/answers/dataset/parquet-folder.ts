import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { sha256Of } from '../parquet/out-folder.ts';
import {
  CONVERT_ELSEWHERE,
  PARQUET_MANIFEST,
  type ParquetManifest,
  type ParquetTable,
} from '../parquet/parquet-manifest.ts';

/** A table in a folder. */
export interface TablePart {
  readonly table: ParquetTable;
  /** The name of the folder, or of the export it was made from, in messages. */
  readonly label: string;
  readonly chainId: string;
  /** Whether writing the folder was finished. */
  readonly isFinished: boolean;
  /** The real paths of the files. */
  readonly files: readonly PartFile[];
  /** Whether the date is in the paths and not in a column, and the paths have nothing else an engine reads as a column. */
  readonly isDated: boolean;
}

interface PartFile {
  readonly path: string;
  readonly rows: number;
}

interface FolderToRead {
  readonly folder: string;
  readonly label: string;
  readonly signal: AbortSignal;
}

/** The tables of a folder. Throws AnswerError if its files do not match the manifest. */
export async function readTableParts(
  { folder, label, signal }: FolderToRead,
  manifest: ParquetManifest,
): Promise<readonly TablePart[]> {
  const root = await realpath(folder);
  const facts = await stat(join(root, PARQUET_MANIFEST));
  const place = { root, label, signal, manifestMs: facts.ctimeMs };
  refuseDuplicates(
    label,
    manifest.tables.map(({ name }) => name),
  );
  const parts: TablePart[] = [];
  for (const table of manifest.tables) {
    // The engine ignores the case of names.
    const columns = table.columns.map(({ name }) => name.toLowerCase());
    refuseDuplicates(`${label}: ${table.name}`, columns);
    const files: PartFile[] = [];
    for (const file of table.files) files.push(await verifyFile(place, file));
    const isDated =
      !root.includes('=') &&
      !columns.some(name => IN_PATHS.has(name)) &&
      table.files.every(({ path }) => isPartition(table.name, path));
    const { chainId, finished } = manifest;
    parts.push({ table, label, chainId, isFinished: finished !== null, files, isDated });
  }
  refuseDuplicates(
    label,
    parts.flatMap(({ files }) => files.map(({ path }) => path)),
  );
  return parts;
}

/** Engines read these columns from a path even if the file has a column of the same name. */
const IN_PATHS: ReadonlySet<string> = new Set(['table', 'date']);

/** A duplicate would be counted twice. */
function refuseDuplicates(label: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw newUntrustedError(label, `its manifest lists ${name} twice`);
    seen.add(name);
  }
}

export const newUntrustedError = (label: string, what: string): AnswerError =>
  new AnswerError(`${label}: ${what}`, CONVERT_ELSEWHERE, 'untrusted');

interface FolderContext {
  readonly root: string;
  readonly label: string;
  readonly signal: AbortSignal;
  /** When the manifest was written. */
  readonly manifestMs: number;
}

/**
 * Checks that a file is really in the folder and unchanged. The manifest is written after all files: a file with a later
 * change is hashed, because a changed byte may give numbers that look plausible.
 */
async function verifyFile(
  { root, label, signal, manifestMs }: FolderContext,
  file: ParquetTable['files'][number],
): Promise<PartFile> {
  const path = await realpath(join(root, file.path)).catch((error: unknown) => {
    throw newUntrustedError(label, `${file.path} cannot be read: ${systemErrorReason(error)}`);
  });
  const within = relative(root, path);
  if (within.startsWith('..') || isAbsolute(within))
    throw newUntrustedError(label, `${file.path} points outside of the folder`);
  const facts = await stat(path);
  if (!facts.isFile()) throw newUntrustedError(label, `${file.path} is not a regular file`);
  if (facts.size !== file.bytes)
    throw newUntrustedError(label, `${file.path} has ${facts.size} bytes, but ${file.bytes} in its manifest`);
  if (facts.ctimeMs >= manifestMs && (await hashFile(path, signal)) !== file.sha256)
    throw newUntrustedError(label, `${file.path} does not match its manifest: the SHA-256 differs`);
  return { path, rows: file.rows };
}

/** An aborted read fails with the reason of the abort. */
const hashFile = (path: string, signal: AbortSignal): Promise<string> =>
  sha256Of(path, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });

function isPartition(table: string, path: string): boolean {
  const [folder, date = '', ...rest] = path.split('/');
  return folder === `table=${table}` && /^date=\d{4}-\d\d-\d\d$/.test(date) && !rest.join('/').includes('=');
}
