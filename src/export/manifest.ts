import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { rowsOf, type Verdict } from './check/verdict.ts';
import { writeProblem } from './destination.ts';
import { DestinationError } from './destination-error.ts';
import { readJsonFile, writeNewFile } from './json-file.ts';
import type { Slice } from './slices.ts';

const height = v.pipe(v.string(), v.regex(/^\d{1,19}$/));

const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const csv = v.object({
  name: v.string(),
  /** Where in the archive it begins; 0 in manifests that did not say it yet. */
  byteOffset: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
  schemaVersion: v.nullable(v.number()),
  fromBlock: v.nullable(height),
  toBlock: v.nullable(height),
  rows: v.number(),
  columns: v.array(v.string()),
  bytes: v.number(),
  crc32: v.string(),
});

const sliceRecord = v.object({
  fromBlock: height,
  toBlock: height,
  /** Name in the folder. */
  file: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+\.zip$/)),
  bytes: v.number(),
  sha256,
  rows: v.number(),
  csvs: v.array(csv),
  notes: v.array(v.string()),
  /** Ids of its segments as the node listed them when it was fetched; none where it lists none, null when not known. */
  segmentIds: v.optional(v.nullable(v.array(v.string())), null),
  /** SHA-256 of the slice that was recorded before, when this one was fetched again and is another. */
  differsFrom: v.optional(v.nullable(sha256), null),
  started: v.string(),
  finished: v.string(),
});

const manifest = v.object({
  format: v.literal(1),
  program: v.string(),
  node: v.string(),
  chainId: v.string(),
  table: v.string(),
  fromBlock: height,
  toBlock: height,
  segmentsPerSlice: v.number(),
  started: v.string(),
  /** Null until every slice is there and verified. */
  finished: v.nullable(v.string()),
  /** What a reader of all slices together has to know. */
  notes: v.optional(v.array(v.string()), []),
  slices: v.array(sliceRecord),
});

/** What a folder of slices holds and where it came from. Heights are decimal text, times ISO 8601. */
export type Manifest = v.InferOutput<typeof manifest>;

/** A slice that was verified when it was fetched. */
export type SliceRecord = v.InferOutput<typeof sliceRecord>;

/** Its name in the folder. */
export const SLICES_MANIFEST = 'manifest.json';

const manifestPath = (folder: string): string => join(folder, SLICES_MANIFEST);

/** About a kilobyte for each slice; a history has at most some thousands of them. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The manifest of a folder; undefined when it has none. Throws when it cannot be read or used. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = manifestPath(folder);
  const value = await readJsonFile(path, MOST_BYTES);
  return value === undefined ? undefined : manifestIn(value, path);
}

/** The manifest that a value is. Throws DestinationError where it is none. */
export function manifestIn(value: unknown, path: string): Manifest {
  const result = v.safeParse(manifest, value);
  if (result.success) return result.output;
  throw new DestinationError(`${path} is no manifest of an export: choose another folder, or move it away`);
}

/** Writes the manifest so that a crash leaves the old one or the new one, never a half. */
export async function writeManifest(folder: string, value: Manifest): Promise<void> {
  const path = manifestPath(folder);
  // A name that nobody can have put a link under.
  const newPath = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeNewFile(newPath, `${JSON.stringify(value, null, 2)}\n`);
    await rename(newPath, path);
  } catch (error) {
    await rm(newPath, { force: true });
    throw new DestinationError(writeProblem(path, error));
  }
}

export function sliceRecordOf(
  slice: Slice,
  file: string,
  verdict: Verdict,
  times: { readonly started: string; readonly finished: string },
): SliceRecord {
  return {
    fromBlock: String(slice.fromBlock),
    toBlock: String(slice.toBlock),
    file,
    bytes: verdict.bytes,
    sha256: verdict.sha256,
    rows: rowsOf(verdict.entries) ?? 0,
    csvs: verdict.entries.map(entry => ({
      name: entry.name,
      byteOffset: entry.byteOffset,
      schemaVersion: entry.schemaVersion ?? null,
      fromBlock: entry.fromBlock === undefined ? null : String(entry.fromBlock),
      toBlock: entry.toBlock === undefined ? null : String(entry.toBlock),
      rows: entry.rows ?? 0,
      columns: [...entry.columns],
      bytes: entry.bytes,
      crc32: entry.crc32,
    })),
    notes: [...verdict.notes],
    segmentIds: null,
    differsFrom: null,
    ...times,
  };
}

/** Nobody reads more of them. */
const MOST_NOTES = 20;

/** The notes on slices, each of which names its CSV, as far as anybody reads them. */
export function notesOfSlices(notes: readonly string[]): readonly string[] {
  if (notes.length <= MOST_NOTES) return notes;
  return [...notes.slice(0, MOST_NOTES), `${notes.length - MOST_NOTES} more notes on slices are not told here`];
}
