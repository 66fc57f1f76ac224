/** Both ends included. */
export interface EpochRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Epochs with the same state of knowledge. */
export interface EpochSpan extends EpochRange {
  /**
   * `known`: all of their rows are there. `not-known`: some may be missing. `open`: not over, so fees are still to come.
   * `future`: not begun.
   */
  readonly kind: 'known' | 'not-known' | 'open' | 'future';
}

export type StatementLine = AllocatedLine | EpochsLine | UnreadableLine;

export interface LinePlace {
  /** '' in lines of whole epochs without a requested market. */
  readonly market: string;
  readonly asset: string;
  readonly epoch: string;
}

export interface AllocatedLine extends LinePlace {
  readonly kind: 'allocated';
  /** To the party with its automated market maker, or on the whole market. */
  readonly amount: string;
  /** The part of its automated market maker; '0' for a market. */
  readonly ammAmount: string;
  /** Of the market, as sent. */
  readonly marketTotal: string;
  /** In percent to one place; '' if the total cannot be read. */
  readonly share: string;
  /** Running total of this asset, including this line. */
  readonly running: string;
  /** How many parties were allocated something; null if only one party was requested. */
  readonly parties: number | null;
  readonly top: { readonly party: string; readonly amount: string; readonly share: string } | null;
}

/** Epochs without an amount, or with fees still unknown. */
export interface EpochsLine extends LinePlace {
  /** `none`: the node has no row for these epochs. The others as in EpochSpan. */
  readonly kind: 'none' | Exclude<EpochSpan['kind'], 'known'>;
  readonly toEpoch: string;
}

/** A row whose amount is in no total. */
export interface UnreadableLine extends LinePlace {
  readonly kind: 'unreadable';
  readonly why: string;
}
