import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { reasonOf } from '../../disk/ordinary-file.ts';
import { AnswerError } from '../engine/answer-error.ts';
import type { ParquetManifest, ParquetTable } from '../parquet/parquet-manifest.ts';

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
  /** Whether the paths say the date, and nothing else that an engine would take for a column. */
  readonly isDated: boolean;
}

export interface PartFile {
  readonly path: string;
  readonly rows: number;
}

/** The tables of a folder, whose files are there as its manifest says. Throws AnswerError. */
export async function partsOf(folder: string, label: string, manifest: ParquetManifest): Promise<readonly TablePart[]> {
  const root = await realpath(folder);
  const names = manifest.tables.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw untrusted(label, `its manifest has ${twice} twice`);
  const parts: TablePart[] = [];
  for (const table of manifest.tables) {
    const files: PartFile[] = [];
    for (const file of table.files) files.push(await checked(root, label, file));
    const isDated = !root.includes('=') && table.files.every(({ path }) => isPartition(table.name, path));
    const { chainId, finished } = manifest;
    parts.push({ table, label, chainId, isFinished: finished !== null, files, isDated });
  }
  return parts;
}

export const untrusted = (label: string, what: string): AnswerError =>
  new AnswerError(`${label}: ${what}`, 'convert the export again: blockglass convert', 'untrusted');

/** A file that lies in the folder itself, by whatever links, and is as long as it was. */
async function checked(root: string, label: string, file: ParquetTable['files'][number]): Promise<PartFile> {
  const path = await realpath(join(root, file.path)).catch((error: unknown) => {
    throw untrusted(label, `${file.path} cannot be read: ${reasonOf(error)}`);
  });
  const within = relative(root, path);
  if (within.startsWith('..') || isAbsolute(within)) throw untrusted(label, `${file.path} leads out of the folder`);
  const facts = await stat(path);
  if (!facts.isFile()) throw untrusted(label, `${file.path} is no ordinary file`);
  if (facts.size !== file.bytes)
    throw untrusted(label, `${file.path} has ${facts.size} bytes, ${file.bytes} by its manifest`);
  return { path, rows: file.rows };
}

function isPartition(table: string, path: string): boolean {
  const [folder, date = '', ...rest] = path.split('/');
  return folder === `table=${table}` && /^date=\d{4}-\d\d-\d\d$/.test(date) && !rest.join('/').includes('=');
}
