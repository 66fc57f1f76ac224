import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readOrdinaryFile, systemErrorReason } from '../../base/disk/ordinary-file.ts';
import { writeNewFile } from '../../base/disk/replace-file-content.ts';
import { sha256 } from '../../history/manifest/manifest.ts';
import { AnswerError } from '../engine/answer-error.ts';

/** Engines ignore names that begin with an underscore. */
export const PARQUET_MANIFEST = '_blockglass.json';

const height = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.nullable(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)));

/** A path inside the folder: it cannot lead outside, and no engine reads it as a pattern. */
const relativePath = v.pipe(v.string(), v.maxLength(1024), v.regex(/^(?:[\w=-][\w.=-]*\/)*[\w=-][\w.=-]*\.parquet$/));

/** DuckDB's name: `DECIMAL(38,0)`, `VARCHAR[]`. */
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
  /** The sum of each exact number column, as decimal text. */
  sums: v.record(v.string(), v.string()),
  /** The SHA-256 of its archive. */
  source: v.exactOptional(sha256),
});

/** A converted archive. */
const source = v.object({
  /** The file name without its folder. */
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
  /** Null while the folder is being written. */
  finished: v.nullable(v.string()),
  /** Files being renamed or removed: if the process is killed, some may exist. */
  publishing: v.exactOptional(v.array(relativePath)),
  tables: v.array(table),
});

/** The content of a Parquet folder. */
export type ParquetManifest = v.InferOutput<typeof manifest>;
export type ParquetTable = ParquetManifest['tables'][number];
export type ParquetFile = ParquetTable['files'][number];
export type ParquetSource = v.InferOutput<typeof source>;

/** Undefined if the folder has no manifest; throws AnswerError if this program did not write it. */
export async function readParquetManifest(folder: string): Promise<ParquetManifest | undefined> {
  const path = join(folder, PARQUET_MANIFEST);
  let text: string | undefined;
  try {
    text = readOrdinaryFile(path, MAX_MANIFEST_BYTES);
  } catch (error) {
    throw unusableError(path, systemErrorReason(error));
  }
  return text === undefined ? undefined : parseParquetManifest(text, path);
}

/** Parses a manifest; throws AnswerError if this program did not write it. */
function parseParquetManifest(text: string, path: string): ParquetManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusableError(path, 'it is not JSON');
  }
  const result = v.safeParse(manifest, json);
  if (result.success) return result.output;
  throw unusableError(path, `it is not a blockglass manifest (${v.getDotPath(result.issues[0]) ?? 'whole file'})`);
}

const unusableError = (path: string, reason: string): AnswerError =>
  new AnswerError(`${path}: ${reason}`, CONVERT_ELSEWHERE, 'untrusted');

/** The hint for every problem with a folder: a conversion does not touch unreadable files either. */
export const CONVERT_ELSEWHERE =
  'convert the exports into another folder: blockglass convert FILE... --parquet --out FOLDER';

const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/** Temporary names begin like this; they are not part of the content. */
export const HIDDEN_PREFIX = '.blockglass-';

/** Throws AnswerError for a manifest that could not be read again, because its names come from a node. */
export function refuseUnreadable(value: ParquetManifest): void {
  const result = v.safeParse(manifest, value);
  if (result.success) return;
  const where = v.getDotPath(result.issues[0]) ?? 'whole manifest';
  throw new AnswerError(
    `the exports have a value that does not fit a manifest (${where})`,
    'nothing was written; please report this',
    'untrusted',
  );
}

/** Writes the manifest atomically: a crash leaves the old one or the new one. Throws the system's error. */
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
