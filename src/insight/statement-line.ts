import type { FeeRow } from './paid-fees.ts';

/** Both ends are inside. */
export interface EpochRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The rows of one market and asset, as the answer to one request. */
export interface FeeList {
  readonly market: string;
  readonly asset: string;
  readonly rows: readonly FeeRow[];
  /** The node has more: what lies beyond the epochs of these rows is not known. */
  readonly isCut: boolean;
}

export type StatementLine = PaidLine | GapLine | UnreadableLine;

export interface LinePlace {
  readonly market: string;
  readonly asset: string;
  readonly epoch: string;
}

export interface PaidLine extends LinePlace {
  readonly kind: 'paid';
  /** To the party, or on the whole market. */
  readonly amount: string;
  /** Of the market, as sent. */
  readonly marketTotal: string;
  /** In percent to one place; '' where the total cannot be read. */
  readonly share: string;
  /** Of this asset, with this line. */
  readonly running: string;
  /** How many were paid; null where only one party was asked for. */
  readonly parties: number | null;
  readonly top: { readonly party: string; readonly amount: string; readonly share: string } | null;
}

/** Epochs of which no row came. */
export interface GapLine extends LinePlace {
  /** `not-known`: a row may be there that did not come, or whose epoch cannot be read. */
  readonly kind: 'no-payment' | 'not-known';
  readonly toEpoch: string;
}

/** A row whose amount is in no sum. */
export interface UnreadableLine extends LinePlace {
  readonly kind: 'unreadable';
  readonly why: string;
}
