import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ParquetManifest } from '../answers/index.ts';
import { namesOfArchive, namesOfParquet, namesOfSlices, saveRange } from '../directory/names-file.ts';
import type { ExportedNames } from '../directory/save-export-names.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { putFile } from '../disk/put-file.ts';
import type { ExportResult } from '../export/download/result.ts';
import { manifestIn } from '../export/manifest/manifest.ts';
import type { DestinationCheck } from '../export/plan/destination.ts';
import { type ExportPlan, expectationOf } from '../export/plan/plan.ts';
import { verifyFile, verifyPipe } from '../export/verify/verify-file.ts';
import { firstGap, isInOrder } from '../export/verify/verify-folder.ts';
import type { StoredObject } from '../objects/index.ts';
import { safeLine } from '../text/safe-text.ts';
import { type BucketPlace, sendAll } from './bucket-place.ts';
import type { Context } from './context.ts';
import { reportParquet } from './convert.ts';
import { EXIT } from './exit-code.ts';
import { reportResult } from './export-result.ts';
import { manifestThere, PARQUET_LAST, putParquet, refuseForeignObjects } from './parquet-to-bucket.ts';
import { UsageError } from './usage-error.ts';

const MANIFEST = 'manifest.json';

/** The address that a file or folder of the staging folder will have. */
export const addressIn = ({ bucket, folder }: BucketPlace, path: string): string =>
  bucket.addressOf(relative(folder, path).split(sep).join('/'));

/** Whether an earlier export is there. One whose upload was interrupted is resumed instead. */
export async function isTaken(
  place: BucketPlace,
  { path, exists }: DestinationCheck,
  plan: ExportPlan,
): Promise<boolean> {
  const name = plan.slices === undefined ? basename(path) : `${basename(path)}/${MANIFEST}`;
  const isStaged = plan.slices === undefined ? exists : (await namesIn(path)).includes(MANIFEST);
  // Checked in any case, so that a missing permission shows before the export.
  return (await place.bucket.has(name)) && !isStaged;
}

interface AskedAgain {
  readonly plan: ExportPlan;
  /** The range that is saved beside it for answers. */
  readonly names: ExportedNames;
  readonly readsRows: boolean;
  /** Whether Parquet files are requested too. */
  readonly hasParquet: boolean;
}

/**
 * Reads and checks the existing export and reports it like a new one, without a request to the node. Throws UsageError
 * if it is another export, or incomplete.
 */
export async function reportExisting(
  place: BucketPlace,
  { path }: DestinationCheck,
  { plan, names, readsRows, hasParquet }: AskedAgain,
  context: Context,
): Promise<number> {
  const name = basename(path);
  const there = place.bucket.addressOf(name);
  await context.stderr.safe(safeLine(`${there} exists, so it is read and checked, not uploaded again`));
  const result = await (plan.slices === undefined
    ? archiveThere(place, name, { plan, readsRows, signal: context.signal })
    : slicesThere(place, name, plan));
  const parquet = plan.slices === undefined ? `${name.replace(/\.zip$/i, '')}-parquet` : `${name}/parquet`;
  const converted = hasParquet ? await parquetThere(place, parquet) : undefined;
  const beside = plan.slices === undefined ? namesOfArchive(name) : namesOfSlices(name);
  if (await putRange(place, [beside, namesOfParquet(parquet)], names))
    await context.stderr.safe(safeLine(`answers from it now use the range of this run by default: ${beside}`));
  await reportResult(result, context);
  if (converted !== undefined) await reportParquet(converted, place.bucket.addressOf(parquet), context);
  return EXIT.done;
}

/** Adds the requested range to the names files there; false if they have it already. */
async function putRange(
  { bucket, folder, forget }: BucketPlace,
  files: readonly string[],
  { chainId = '', ranges = [], epochs = [] }: ExportedNames,
): Promise<boolean> {
  const staged = join(folder, 'names');
  await forget(staged);
  try {
    const changed: string[] = [];
    for (const file of files) {
      const text = await bucket.readText(file, MOST_NAMES_BYTES);
      if (text === undefined) continue;
      const path = join(staged, file);
      makeFolder(dirname(path));
      await putFile(path, text);
      if (await saveRange(path, { chainId, ranges, epochs })) changed.push(file);
      else await forget(path);
    }
    if (changed.length > 0) await bucket.putFolder(staged, '', { last: changed, replaced: changed });
    return changed.length > 0;
  } finally {
    await forget(staged);
  }
}

const MOST_NAMES_BYTES = 16 * 1024 * 1024;

const notAsAsked = (there: string, why: string): UsageError =>
  new UsageError(
    `${there} exists and is another export (${why}). --overwrite replaces it when the new one is complete.`,
  );

async function archiveThere(
  { bucket }: BucketPlace,
  name: string,
  { plan, ...how }: { readonly plan: ExportPlan; readonly signal: AbortSignal; readonly readsRows: boolean },
): Promise<Saved> {
  const body = await bucket.read(name);
  if (body === undefined) throw notAsAsked(bucket.addressOf(name), 'it was removed a moment ago');
  const verdict = await verifyPipe(Readable.from(body), expectationOf(plan), how);
  if (verdict.kind !== 'complete') throw notAsAsked(bucket.addressOf(name), verdict.reason);
  return { kind: 'saved', path: bucket.addressOf(name), verdict, elapsedMs: 0 };
}

async function slicesThere({ bucket }: BucketPlace, name: string, plan: ExportPlan): Promise<SavedSlices> {
  const folder = bucket.addressOf(name);
  const text = (await bucket.readText(`${name}/${MANIFEST}`, MOST_MANIFEST_BYTES)) ?? '';
  const manifest = manifestIn(jsonIn(text), `${folder}/${MANIFEST}`);
  const { chainId = manifest.chainId, fromBlock, toBlock, table } = plan;
  const isAsked = [manifest.chainId, manifest.table, manifest.fromBlock, manifest.toBlock].join();
  if (isAsked !== [chainId, table.id, fromBlock, toBlock].join()) throw notAsAsked(folder, 'other blocks');
  if (manifest.finished === null || !isInOrder(manifest) || firstGap(manifest) !== undefined)
    throw notAsAsked(folder, 'not finished');
  for (const { file, bytes, sha256 } of manifest.slices)
    if (!(await bucket.isSame(`${name}/${file}`, { bytes, sha256 })))
      throw notAsAsked(folder, `${file} does not match its manifest`);
  return { kind: 'saved-slices', folder, manifest, merged: [], notes: manifest.notes, elapsedMs: 0 };
}

const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function parquetThere({ bucket }: BucketPlace, name: string): Promise<ParquetManifest> {
  const manifest = await manifestThere(bucket, name);
  const sizes = await bucket.sizesBelow(`${name}/`);
  const files = manifest?.tables.flatMap(table => table.files) ?? [];
  if (manifest?.finished && files.every(({ path, bytes }) => sizes.get(`${name}/${path}`) === bytes)) return manifest;
  throw notAsAsked(bucket.addressOf(name), manifest === undefined ? 'no Parquet files' : 'not finished');
}

/** The verified archive of a run that could not upload it. */
export async function stagedArchive(
  { path, exists }: DestinationCheck,
  plan: ExportPlan,
  how: { readonly signal: AbortSignal; readonly readsRows: boolean },
): Promise<ExportResult | undefined> {
  if (plan.slices !== undefined || !exists) return undefined;
  const verdict = await verifyFile(path, expectationOf(plan), how);
  return verdict.kind === 'complete' ? { kind: 'saved', path, verdict, elapsedMs: 0 } : undefined;
}

/** The Parquet files of an export. */
export interface Converted {
  readonly manifest: ParquetManifest;
  /** Their folder. */
  readonly out: string;
}

/** Uploads the verified export and reports the result. Resolves with the exit code. */
export async function sendResult(
  result: ExportResult,
  place: BucketPlace,
  { context, converted }: { readonly context: Context; readonly converted: Converted | undefined },
): Promise<number> {
  if (result.kind !== 'saved' && result.kind !== 'saved-slices') return reportResult(result, context);
  const code = await sendAll(place, context, () =>
    result.kind === 'saved' ? sendArchive(result, place, converted) : sendSlices(result, place, converted),
  );
  if (code !== EXIT.done) return code;
  await reportResult(withAddresses(result, place), context);
  if (converted !== undefined) await reportParquet(converted.manifest, addressIn(place, converted.out), context);
  return EXIT.done;
}

type Saved = Extract<ExportResult, { readonly kind: 'saved' }>;
type SavedSlices = Extract<ExportResult, { readonly kind: 'saved-slices' }>;

async function sendArchive({ path, verdict }: Saved, place: BucketPlace, converted: Converted | undefined) {
  const { bucket, folder, forget } = place;
  const names = `${basename(path).replace(/\.zip$/i, '')}.names.json`;
  const beside = (await namesIn(folder)).filter(name => name === names);
  const put: StoredObject[] = [];
  for (const name of beside) put.push(await bucket.putFile(join(folder, name), name));
  put.push(await bucket.putFile(path, basename(path), verdict.sha256));
  if (converted !== undefined) put.push(...(await putParquet(converted, basename(converted.out), place)));
  for (const name of [basename(path), ...beside]) await forget(join(folder, name));
  return put;
}

async function sendSlices(
  { folder, manifest }: SavedSlices,
  { bucket, forget }: BucketPlace,
  converted: Converted | undefined,
) {
  if (converted !== undefined) {
    const files = converted.manifest.tables.flatMap(table => table.files);
    await refuseForeignObjects(files, `${basename(folder)}/parquet`, bucket);
  }
  const verified = new Map(manifest.slices.map(({ file, sha256 }) => [file, sha256]));
  const last = ['names.json', ...PARQUET_LAST.map(name => `parquet/${name}`), MANIFEST];
  const put = await bucket.putFolder(folder, basename(folder), { last, verified });
  await forget(folder);
  return put;
}

function withAddresses(result: Saved | SavedSlices, place: BucketPlace): ExportResult {
  if (result.kind === 'saved') return { ...result, path: addressIn(place, result.path) };
  return {
    ...result,
    folder: addressIn(place, result.folder),
    merged: result.merged.map(path => `${addressIn(place, dirname(path))}/${basename(path)}`),
  };
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
