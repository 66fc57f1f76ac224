import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AnswerError } from '../engine/answer-error.ts';
import type { ParquetManifest } from './parquet-manifest.ts';

/** The file names of a conversion. */
const OWN = /^table=\w+\/date=(?:\d{4}-\d\d-\d\d|__HIVE_DEFAULT_PARTITION__)\/part-\d+-\d+-\d+-\d+\.parquet$/;

/**
 * Throws AnswerError if a conversion would touch files that are not its own: a manifest may come from anywhere and list
 * any file for removal, a link may point anywhere, and engines read every file below a table, listed or not.
 */
export async function refuseStrangers(folder: string, { tables, publishing = [] }: ParquetManifest): Promise<void> {
  const listed = new Set([...tables.flatMap(({ files }) => files.map(({ path }) => path)), ...publishing]);
  const odd = [...listed].find(path => !OWN.test(path));
  if (odd !== undefined) throw refused(folder, `its manifest tells of ${odd}, which no conversion calls so`);
  for (const entry of await belowTables(folder)) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isDirectory() || listed.has(path) || /^[._]/.test(entry.name)) continue;
    throw refused(
      folder,
      entry.isSymbolicLink()
        ? `${path} is a link: what is converted would go elsewhere`
        : `it has ${path}, of which its manifest does not tell: engines would read it too`,
    );
  }
}

/** The files that engines would read, without following links. */
async function belowTables(folder: string): Promise<readonly Dirent[]> {
  const tables = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name.startsWith('table='));
  const within = tables
    .filter(entry => entry.isDirectory())
    .map(({ name }) => readdir(join(folder, name), { withFileTypes: true, recursive: true }));
  return [...tables, ...(await Promise.all(within)).flat()];
}

const refused = (folder: string, what: string): AnswerError =>
  new AnswerError(`${folder}: ${what}`, 'take it away if nobody needs it, or choose another folder', 'untrusted');
