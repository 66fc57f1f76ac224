/** The progress of an export. */
export interface Progress {
  /** `waiting`: nothing has arrived yet, which may take minutes (export-behaviour.md section 1.3). */
  readonly phase: 'waiting' | 'receiving' | 'checking';
  readonly bytes: number;
  readonly elapsedMs: number;
  /** CSVs so far, including the current one. */
  readonly entries: number;
  /** Rows checked so far, in all CSVs. */
  readonly rows: number;
  readonly entryName: string;
  /** CSVs that were read to the end. */
  readonly csvs: readonly { readonly name: string; readonly rows: number; readonly isGood: boolean }[];
  /** For an export in slices. */
  readonly slices?: { readonly done: number; readonly total: number };
  /** Set while a slice waits for its next attempt. */
  readonly pause?: RetryPause;
}

export interface RetryPause {
  /** The node refused too many requests, or a connection was lost. */
  readonly reason: 'rate-limit' | 'broken-line';
  readonly leftMs: number;
}

/** Bytes per second over the whole transfer; 0 before the first byte. */
export const bytesPerSecond = (progress: Progress): number =>
  progress.elapsedMs > 0 ? (progress.bytes * 1000) / progress.elapsedMs : 0;
