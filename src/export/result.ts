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
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'stopped-slices';
      readonly folder: string;
      /** Slices that are there and verified; running again goes on from them. */
      readonly done: number;
      readonly total: number;
      readonly cause: ExportResult;
      readonly elapsedMs: number;
    }
  | { readonly kind: 'cancelled'; readonly partPath: string | null; readonly elapsedMs: number };
