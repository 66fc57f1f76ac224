import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readOrdinaryFile, reasonOf } from '../../disk/ordinary-file.ts';
import { writeNewFile } from '../../export/json-file.ts';
import { AnswerError } from '../engine/answer-error.ts';

/** Engines leave out what begins with an underscore. */
export const PARQUET_MANIFEST = '_blockglass.json';

const height = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.nullable(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)));

/** Below the folder, wherever that lies: nothing that leads out of it, and nothing that an engine reads as a pattern. */
const relativePath = v.pipe(v.string(), v.maxLength(1024), v.regex(/^(?:[\w=-][\w.=-]*\/)*[\w=-][\w.=-]*\.parquet$/));

/** As DuckDB names it: `DECIMAL(38,0)`, `VARCHAR[]`. */
const columnType = v.pipe(
  v.string(),
  v.maxLength(64),
  v.regex(/^[A-Z][A-Z0-9_ ]*(?:\(\d{1,2}(?:,\d{1,2})?\))?(?:\[\])*$/),
);

const file = v.object({
  path: relativePath,
  rows: count,
  bytes: count,
  sha256,
  firstTime: time,
  lastTime: time,
  /** Of each exact column of numbers, as decimal text. */
  sums: v.record(v.string(), v.string()),
  /** SHA-256 of the archive that it was made of. */
  source: v.exactOptional(sha256),
});

/** An archive that files were made of. */
const source = v.object({
  /** Without its folder. */
  name: v.string(),
  sha256,
  bytes: count,
  fromBlock: height,
  toBlock: height,
  rows: count,
  isComplete: v.boolean(),
});

const table = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,62}$/)),
  fromBlock: height,
  toBlock: height,
  isComplete: v.boolean(),
  columns: v.array(v.object({ name: v.string(), type: columnType, note: v.exactOptional(v.string()) })),
  notes: v.array(v.string()),
  files: v.array(file),
  sources: v.exactOptional(v.array(source)),
});

const manifest = v.object({
  format: v.literal(1),
  program: v.string(),
  chainId: v.string(),
  /** Null as long as it is being written. */
  finished: v.nullable(v.string()),
  /** Files that get or lose their names at this moment: of a process that was killed then, some may be there. */
  publishing: v.exactOptional(v.array(relativePath)),
  tables: v.array(table),
});

/** What lies in a folder of Parquet, and what is known of it. */
export type ParquetManifest = v.InferOutput<typeof manifest>;
export type ParquetTable = ParquetManifest['tables'][number];
export type ParquetFile = ParquetTable['files'][number];
export type ParquetSource = v.InferOutput<typeof source>;

/** Undefined where the folder has none; throws AnswerError where what it has is none that this program writes. */
export async function readParquetManifest(folder: string): Promise<ParquetManifest | undefined> {
  const path = join(folder, PARQUET_MANIFEST);
  let text: string | undefined;
  try {
    text = readOrdinaryFile(path, MOST_BYTES);
  } catch (error) {
    throw unusable(path, reasonOf(error));
  }
  return text === undefined ? undefined : parquetManifestIn(text, path);
}

/** The manifest that a text is; throws AnswerError where it is none that this program writes. */
export function parquetManifestIn(text: string, path: string): ParquetManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusable(path, 'it is no JSON');
  }
  const result = v.safeParse(manifest, json);
  if (result.success) return result.output;
  throw unusable(path, `it is no manifest of this program (${v.getDotPath(result.issues[0]) ?? 'all of it'})`);
}

const unusable = (path: string, reason: string): AnswerError =>
  new AnswerError(`${path}: ${reason}`, CONVERT_ELSEWHERE, 'untrusted');

/** What helps, whatever is wrong with a folder: what cannot be read is left alone by a conversion, too. */
export const CONVERT_ELSEWHERE =
  'convert the exports into another place: blockglass convert FILE... --parquet --out PLACE';

const MOST_BYTES = 256 * 1024 * 1024;

/** What begins so is no part of the folder's content: it has no name yet. */
export const HIDDEN_PREFIX = '.blockglass-';

/** Throws AnswerError for one that could not be read again: names in it are a node's. */
export function refuseUnreadable(value: ParquetManifest): void {
  const result = v.safeParse(manifest, value);
  if (result.success) return;
  const where = v.getDotPath(result.issues[0]) ?? 'all of it';
  throw new AnswerError(
    `these exports say something of themselves that no manifest can hold (${where})`,
    'nothing of it was written; please report it',
    'untrusted',
  );
}

/** Writes the manifest so that a crash leaves the old one or the new one, never a half. Throws the system's error. */
export async function writeParquetManifest(folder: string, value: ParquetManifest): Promise<void> {
  const newPath = join(folder, `${HIDDEN_PREFIX}${randomBytes(6).toString('hex')}.new`);
  try {
    await writeNewFile(newPath, `${JSON.stringify(value, null, 1)}\n`);
    await rename(newPath, join(folder, PARQUET_MANIFEST));
  } catch (error) {
    await rm(newPath, { force: true });
    throw error;
  }
}
