/** Both ends are inside. */
export interface EpochRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Epochs of which the same is known. */
export interface EpochSpan extends EpochRange {
  /**
   * `known`: every row of them is there. `not-known`: some may not be. `open`: not over, so that fees are still to come.
   * `future`: not begun.
   */
  readonly kind: 'known' | 'not-known' | 'open' | 'future';
}

export type StatementLine = AllocatedLine | EpochsLine | UnreadableLine;

export interface LinePlace {
  /** '' in lines of whole epochs, where no market was asked for. */
  readonly market: string;
  readonly asset: string;
  readonly epoch: string;
}

export interface AllocatedLine extends LinePlace {
  readonly kind: 'allocated';
  /** To the party with its automated market maker, or on the whole market. */
  readonly amount: string;
  /** The part of it that its automated market maker has; '0' of a market. */
  readonly ammAmount: string;
  /** Of the market, as sent. */
  readonly marketTotal: string;
  /** In percent to one place; '' where the total cannot be read. */
  readonly share: string;
  /** Of this asset, with this line. */
  readonly running: string;
  /** How many parties were allocated something; null where only one party was asked for. */
  readonly parties: number | null;
  readonly top: { readonly party: string; readonly amount: string; readonly share: string } | null;
}

/** Epochs without an amount, or of which more may come. */
export interface EpochsLine extends LinePlace {
  /** `none`: the node has no row of these epochs. The others are those of an EpochSpan. */
  readonly kind: 'none' | Exclude<EpochSpan['kind'], 'known'>;
  readonly toEpoch: string;
}

/** A row whose amount is in no sum. */
export interface UnreadableLine extends LinePlace {
  readonly kind: 'unreadable';
  readonly why: string;
}
