import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeError } from '../../chain/api/errors.ts';
import { shownAddress } from '../../chain/api/request.ts';
import { type Boundaries, fetchBoundaries } from '../../chain/range/segment-boundaries.ts';
import { lockFolder } from '../manifest/folder-lock.ts';
import { createManifest, resumeManifest, type SliceRecord } from '../manifest/manifest.ts';
import { SliceBook } from '../manifest/slice-book.ts';
import { historyNotes, limitSliceNotes, UNKNOWN_CHANGE_NOTE } from '../manifest/slice-notes.ts';
import { destinationFolder, toDestinationError, writeFailureText } from '../plan/destination.ts';
import { DestinationError } from '../plan/destination-error.ts';
import { archiveName, type SliceChoice, sliceFolderName } from '../plan/export-plan.ts';
import { cutIntoSlices } from '../plan/slices.ts';
import type { DownloadOptions } from './download.ts';
import type { ExportResult } from './export-result.ts';
import { SliceRun } from './slice-run.ts';

export interface SliceOptions extends DownloadOptions {
  readonly boundaries: Boundaries;
  readonly slices: SliceChoice;
  /** Program and version, for the manifest. */
  readonly program: string;
  /** First wait before a retry, in ms. Default 1000. */
  readonly retryMs?: number;
}

/**
 * Exports a range as verified slices with a manifest, in a separate folder. Another run downloads only missing slices.
 * Never throws: errors are in the result.
 */
export async function exportSlices(options: SliceOptions): Promise<ExportResult> {
  const { plan, boundaries, client, slices: choice, program, nowMs = Date.now } = options;
  const folder = join(destinationFolder(plan), sliceFolderName(plan));
  const slices = cutIntoSlices(plan, boundaries, choice.segmentsPerSlice);
  const startedMs = nowMs();
  const fresh = createManifest({ program, node: shownAddress(client.base), plan, slices: choice, startedMs });
  const files = slices.map(slice => archiveName({ ...plan, ...slice }));
  const book = new SliceBook(folder, fresh, records => ({ slices: files.flatMap(file => records.get(file) ?? []) }));
  const run = new SliceRun({ ...options, folder, slices, book, parallel: choice.parallel, startedMs });
  const stopped = (cause: ExportResult): ExportResult => ({
    ...{ kind: 'stopped-slices', folder, done: run.done.length, total: slices.length, isCounted: run.isCounted },
    ...{ cause, notes: book.manifest.notes, elapsedMs: run.elapsedMs },
  });
  try {
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw new DestinationError(writeFailureText(folder, error));
    });
    const lock = await lockFolder(folder);
    try {
      book.resume(await resumeManifest(folder, fresh));
      await run.findMissing();
      await book.write({ notes: [...historyNotes(run.done, boundaries)] });
      await run.fetchMissing();
      options.signal.throwIfAborted();
      if (run.failure !== undefined) return stopped(run.failure);
      const notes = await notesAtEnd(options, run.done);
      await book.write({ finished: book.manifest.finished ?? new Date(nowMs()).toISOString(), notes: [...notes] });
      return {
        kind: 'saved-slices',
        folder,
        manifest: book.manifest,
        notes: [...notes, ...limitSliceNotes(run.done.flatMap(slice => slice.notes))],
        elapsedMs: run.elapsedMs,
      };
    } finally {
      await lock.release();
    }
  } catch (error) {
    const { elapsedMs } = run;
    if (options.signal.aborted) return stopped({ kind: 'cancelled', partPath: null, elapsedMs });
    return stopped({ kind: 'failed', error: toDestinationError(folder, error), partPath: null, elapsedMs });
  }
}

/** Lists the segments again, as they may have changed during the export. */
async function notesAtEnd(
  { boundaries, client, signal }: SliceOptions,
  slices: readonly SliceRecord[],
): Promise<readonly string[]> {
  const before = historyNotes(slices, boundaries);
  if (boundaries.kind === 'rule') return before;
  try {
    const now = (await fetchBoundaries(client, signal)).boundaries;
    return now.kind === 'rule' ? [...before, UNKNOWN_CHANGE_NOTE] : historyNotes(slices, now);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return [...before, `${UNKNOWN_CHANGE_NOTE}: ${error.message}`];
  }
}
