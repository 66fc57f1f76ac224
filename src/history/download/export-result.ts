import type { Verdict } from '../check/verdict.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** How an export ended. Only a `saved` one has a file with the final name. */
export type ExportResult =
  | {
      readonly kind: 'saved';
      readonly path: string;
      readonly verdict: Verdict;
      /** A remark on the saved names, if any is missing. */
      readonly ofNames?: string;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'not-complete';
      /** Null where it was removed. */
      readonly partPath: string | null;
      readonly verdict: Verdict;
      /** The error that ended the transfer; null when the node ended it. */
      readonly brokenBy: string | null;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly error: unknown;
      readonly partPath: string | null;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'saved-slices';
      readonly folder: string;
      readonly manifest: Manifest;
      /** Remarks on the slices as a whole. */
      readonly notes: readonly string[];
      readonly ofNames?: string;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'stopped-slices';
      readonly folder: string;
      /** Verified slices. Another run continues from them. */
      readonly done: number;
      readonly total: number;
      /** False when it stopped before all slices of earlier runs were checked. */
      readonly isCounted: boolean;
      readonly cause: ExportResult;
      readonly notes: readonly string[];
      readonly elapsedMs: number;
    }
  | { readonly kind: 'cancelled'; readonly partPath: string | null; readonly elapsedMs: number };

/** Describes the saved slices, without a full stop. */
export const describeSavedSlices = ({
  done,
  total,
  isCounted,
}: Extract<ExportResult, { readonly kind: 'stopped-slices' }>): string =>
  isCounted
    ? `${done} of ${total} slices are verified and saved`
    : 'the slices of earlier runs are saved, but not all were checked';

/** Adds the remark on names to a saved result. */
export function addNamesRemark(result: ExportResult, ofNames: string | undefined): ExportResult {
  if (ofNames === undefined || (result.kind !== 'saved' && result.kind !== 'saved-slices')) return result;
  return { ...result, ofNames };
}

/** The folder for Parquet files made from an export: next to a file, inside a folder. */
export const parquetFolderFor = ({ path, isFolder }: { readonly path: string; readonly isFolder: boolean }): string =>
  isFolder ? `${path}/parquet` : `${path.replace(/\.zip$/i, '')}-parquet`;
