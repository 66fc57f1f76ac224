import type { Verdict } from './check/verdict.ts';

/** How an export ended. Only `saved` has a file of the final name. */
export type ExportResult =
  | { readonly kind: 'saved'; readonly path: string; readonly verdict: Verdict; readonly elapsedMs: number }
  | {
      readonly kind: 'not-complete';
      readonly partPath: string;
      readonly verdict: Verdict;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly error: unknown;
      readonly partPath: string | null;
      readonly elapsedMs: number;
    }
  | { readonly kind: 'cancelled'; readonly partPath: string | null; readonly elapsedMs: number };
