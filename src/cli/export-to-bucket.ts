import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ParquetManifest } from '../answers/index.ts';
import type { DestinationCheck } from '../export/destination.ts';
import { type ExportPlan, expectationOf } from '../export/plan.ts';
import type { ExportResult } from '../export/result.ts';
import { verifyFile } from '../export/verify-file.ts';
import type { StoredObject } from '../objects/index.ts';
import { type BucketPlace, sendAll } from './bucket-place.ts';
import type { Context } from './context.ts';
import { tellParquet } from './convert.ts';
import { EXIT } from './exit-code.ts';
import { tellResult } from './export-result.ts';
import { PARQUET_LAST, putParquet, refuseForeignObjects } from './parquet-to-bucket.ts';
import { UsageError } from './usage-error.ts';

const MANIFEST = 'manifest.json';

/** The address that a file or folder of the staging folder will have. */
export const addressIn = ({ bucket, folder }: BucketPlace, path: string): string =>
  bucket.addressOf(relative(folder, path).split(sep).join('/'));

/** Throws UsageError where an earlier export lies there whole; one that was not sent to its end is gone on with. */
export async function refuseTaken(
  place: BucketPlace,
  { path, exists }: DestinationCheck,
  plan: ExportPlan,
  mayOverwrite: boolean,
): Promise<void> {
  const name = plan.slices === undefined ? basename(path) : `${basename(path)}/${MANIFEST}`;
  const isStaged = plan.slices === undefined ? exists : (await namesIn(path)).includes(MANIFEST);
  // It is asked for all the same: whoever may not look there hears of it before anything is exported.
  const isTaken = await place.bucket.has(name);
  if (isTaken && !isStaged && !mayOverwrite)
    throw new UsageError(
      `${place.bucket.addressOf(name)} exists: --overwrite replaces it when the new one is complete`,
    );
}

/** The archive of a run that verified it and could not send it. */
export async function stagedArchive(
  { path, exists }: DestinationCheck,
  plan: ExportPlan,
  how: { readonly signal: AbortSignal; readonly readsRows: boolean },
): Promise<ExportResult | undefined> {
  if (plan.slices !== undefined || !exists) return undefined;
  const verdict = await verifyFile(path, expectationOf(plan), how);
  return verdict.kind === 'complete' ? { kind: 'saved', path, verdict, elapsedMs: 0 } : undefined;
}

/** An export that was made into Parquet files, too. */
export interface Converted {
  readonly manifest: ParquetManifest;
  /** Their folder. */
  readonly out: string;
}

/** Sends what was verified, and tells how the export ended; resolves with the exit code. */
export async function sendResult(
  result: ExportResult,
  place: BucketPlace,
  { context, converted }: { readonly context: Context; readonly converted: Converted | undefined },
): Promise<number> {
  if (result.kind !== 'saved' && result.kind !== 'saved-slices') return tellResult(result, context);
  const code = await sendAll(place, context, () =>
    result.kind === 'saved' ? sendArchive(result, place, converted) : sendSlices(result, place, converted),
  );
  if (code !== EXIT.done) return code;
  await tellResult(withAddresses(result, place), context);
  if (converted !== undefined) await tellParquet(converted.manifest, addressIn(place, converted.out), context);
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
