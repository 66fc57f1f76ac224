/** What a process is to try. */
export interface Job {
  readonly section: string;
  readonly seed: number;
  readonly indexes: readonly number[];
}

/** What it tells while it does. */
export type FromTrial =
  | { readonly kind: 'begins'; readonly index: number }
  | { readonly kind: 'counts'; readonly what: string; readonly times: number }
  | { readonly kind: 'finds'; readonly index: number; readonly what: string; readonly isLate: boolean }
  | { readonly kind: 'ends' };
