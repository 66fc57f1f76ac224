/** How far an export is. */
export interface Progress {
  /** `waiting`: nothing has come yet, which may take minutes (export-behaviour.md section 1.3). */
  readonly phase: 'waiting' | 'receiving' | 'checking';
  readonly bytes: number;
  readonly elapsedMs: number;
  /** CSVs seen so far, the current one included. */
  readonly entries: number;
  /** Rows checked so far, all CSVs together. */
  readonly rows: number;
  readonly entryName: string;
  /** CSVs that were read to their end, with their verdict. */
  readonly csvs: readonly { readonly name: string; readonly rows: number; readonly isGood: boolean }[];
  /** Of an export in slices. */
  readonly slices?: { readonly done: number; readonly total: number };
  /** A slice waits before it is asked for again. */
  readonly pause?: Pause;
}

export interface Pause {
  /** The node said too many requests; or a line broke and is tried again. */
  readonly reason: 'rate-limit' | 'broken-line';
  readonly leftMs: number;
}

/** Bytes per second over the whole transfer; 0 before the first byte. */
export const bytesPerSecond = (progress: Progress): number =>
  progress.elapsedMs > 0 ? (progress.bytes * 1000) / progress.elapsedMs : 0;
