import type { Verdict } from './check/verdict.ts';
import type { Manifest } from './manifest.ts';

/** How an export ended. Only what is `saved` has a file of the final name. */
export type ExportResult =
  | {
      readonly kind: 'saved';
      readonly path: string;
      readonly verdict: Verdict;
      /** What has to be said of the names that go with it; nothing where they are there. */
      readonly ofNames?: string;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'not-complete';
      readonly partPath: string;
      readonly verdict: Verdict;
      /** What broke the transfer off; null when the node ended it. */
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
      /** Merged CSVs, when they were wanted. */
      readonly merged: readonly string[];
      /** What a reader of all slices together has to know. */
      readonly notes: readonly string[];
      readonly ofNames?: string;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'stopped-slices';
      readonly folder: string;
      /** Slices that are there and verified; running again goes on from them. */
      readonly done: number;
      readonly total: number;
      /** False when it stopped before all that an earlier run has left was looked at. */
      readonly isCounted: boolean;
      readonly cause: ExportResult;
      readonly notes: readonly string[];
      readonly elapsedMs: number;
    }
  | { readonly kind: 'cancelled'; readonly partPath: string | null; readonly elapsedMs: number };

/** What of an export in slices is there, in a sentence without its end. */
export const keptText = ({
  done,
  total,
  isCounted,
}: Extract<ExportResult, { readonly kind: 'stopped-slices' }>): string =>
  isCounted
    ? `${done} of ${total} slices are verified and kept`
    : 'what earlier runs left is kept, and was not looked at to its end';

/** The result with what has to be said of its names; only what was saved has any. */
export function withNames(result: ExportResult, ofNames: string | undefined): ExportResult {
  if (ofNames === undefined || (result.kind !== 'saved' && result.kind !== 'saved-slices')) return result;
  return { ...result, ofNames };
}

/** Where the Parquet files made of an export lie: beside a file, in a folder. */
export const parquetBeside = ({ path, isFolder }: { readonly path: string; readonly isFolder: boolean }): string =>
  isFolder ? `${path}/parquet` : `${path.replace(/\.zip$/i, '')}-parquet`;
