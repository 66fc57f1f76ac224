import type { Verdict } from './check/verdict.ts';
import type { Manifest } from './manifest.ts';

/** How an export ended. Only what is `saved` has a file of the final name. */
export type ExportResult =
  | { readonly kind: 'saved'; readonly path: string; readonly verdict: Verdict; readonly elapsedMs: number }
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
