import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeNewFile } from '../../base/disk/replace-file-content.ts';
import { readRegularFile } from '../check/regular-file.ts';
import { UnreadableError } from '../check/unreadable-error.ts';
import { countRows, type Verdict } from '../check/verdict.ts';
import { writeFailureText } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import type { ExportPlan, SliceChoice } from '../plan/export-plan.ts';
import type { Slice } from '../plan/slices.ts';

const height = v.pipe(v.string(), v.regex(/^\d{1,19}$/));

/** A digest as both manifests have it. */
export const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const csv = v.object({
  name: v.string(),
  /** Offset in the archive; 0 in older manifests. */
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
  /** File name in the folder. */
  file: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]+\.zip$/)),
  bytes: v.number(),
  sha256,
  rows: v.number(),
  csvs: v.array(csv),
  notes: v.array(v.string()),
  /** Ids of its segments when it was downloaded; empty when the node lists none, null when not known. */
  segmentIds: v.optional(v.nullable(v.array(v.string())), null),
  /** SHA-256 of the earlier download of this slice, if it was different. */
  differsFrom: v.optional(v.nullable(sha256), null),
  started: v.string(),
  finished: v.string(),
  /** Id of the segment before its own, which their first one names: '' if there is none, null when not known. Older manifests lack it. */
  previousSegmentId: v.exactOptional(v.nullable(v.string())),
});

const witness = v.object({
  /** Name of the profile. */
  node: v.string(),
  same: v.number(),
  of: v.number(),
  differs: v.nullable(v.object({ fromBlock: height, toBlock: height, id: v.string(), otherId: v.string() })),
  problem: v.nullable(v.string()),
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
  /** Null until all slices are verified. */
  finished: v.nullable(v.string()),
  /** Remarks on the slices as a whole. */
  notes: v.optional(v.array(v.string()), []),
  /** What other nodes named as the segments of the range when the last run began. */
  witnesses: v.optional(v.array(witness), []),
  slices: v.array(sliceRecord),
});

/** The content and origin of a folder of slices. Heights are decimal text, times ISO 8601. */
export type Manifest = v.InferOutput<typeof manifest>;

/** A slice that was verified when it was downloaded. */
export type SliceRecord = v.InferOutput<typeof sliceRecord>;

/** File name of the manifest. */
export const MANIFEST_FILE_NAME = 'manifest.json';

const manifestPath = (folder: string): string => join(folder, MANIFEST_FILE_NAME);

/** A slice takes about a kilobyte, and a history has at most some thousands. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/** Reads the manifest of a folder; undefined when there is none. Throws UnreadableError or DestinationError. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = manifestPath(folder);
  const text = await readRegularFile(path, MAX_MANIFEST_BYTES).catch((error: unknown) => {
    if (error instanceof UnreadableError && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : decodeManifest(parseOrNull(text), path);
}

/** Null if it is not JSON. */
function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Checks a parsed manifest. Throws DestinationError when it is not one. */
function decodeManifest(value: unknown, path: string): Manifest {
  const result = v.safeParse(manifest, value);
  if (result.success) return result.output;
  throw new DestinationError(`${path} is not a manifest of an export: choose another folder or move it away`);
}

/** Replaces the manifest in one step, so that a crash leaves either the old or the new one. Throws DestinationError. */
export async function writeManifest(folder: string, value: Manifest): Promise<void> {
  const path = manifestPath(folder);
  // A random name, so that no one can have put a link there.
  const newPath = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeNewFile(newPath, `${JSON.stringify(value, null, 2)}\n`);
    await rename(newPath, path);
  } catch (error) {
    await rm(newPath, { force: true });
    throw new DestinationError(writeFailureText(path, error), { cause: error });
  }
}

/** The record of a verified slice. Times are ISO 8601. */
export function createSliceRecord(
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
    rows: countRows(verdict.entries) ?? 0,
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

/** The manifest at the start of an export in slices. `node` is the address without login. */
export function createManifest(of: {
  readonly program: string;
  readonly node: string;
  readonly plan: ExportPlan;
  readonly slices: SliceChoice;
  readonly startedMs: number;
}): Manifest {
  const { program, node, plan, slices, startedMs } = of;
  return {
    format: 1,
    program,
    node,
    chainId: plan.chainId ?? '',
    table: plan.table.id,
    fromBlock: String(plan.fromBlock),
    toBlock: String(plan.toBlock),
    segmentsPerSlice: slices.segmentsPerSlice,
    started: new Date(startedMs).toISOString(),
    finished: null,
    notes: [],
    witnesses: [...(plan.witnesses ?? [])],
    slices: [],
  };
}

/** The manifest of an earlier run of the same export, or the new one. Throws DestinationError when the folder has another export. */
export async function resumeManifest(folder: string, fresh: Manifest): Promise<Manifest> {
  const found = await readManifest(folder);
  if (found === undefined) {
    await writeManifest(folder, fresh);
    return fresh;
  }
  const isSame =
    found.table === fresh.table &&
    found.fromBlock === fresh.fromBlock &&
    found.toBlock === fresh.toBlock &&
    found.chainId === fresh.chainId;
  if (!isSame)
    throw new DestinationError(
      `${folder} has another export (${found.table}, blocks ${found.fromBlock} to ${found.toBlock}): choose another folder`,
    );
  if (found.segmentsPerSlice !== fresh.segmentsPerSlice) {
    throw new DestinationError(
      `${folder} has slices of ${found.segmentsPerSlice} segments: continue with --slice ${found.segmentsPerSlice}, or choose another folder for ${fresh.table}`,
    );
  }
  return fresh.witnesses.length === 0 ? found : { ...found, witnesses: fresh.witnesses };
}
