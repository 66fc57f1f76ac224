import type { ChainSide } from '../../../diff/chain-side.ts';
import type { ShownWith } from '../../../diff/change-words.ts';
import type { Differences } from '../../../diff/side.ts';

/** What the changes since a moment are asked with. */
export interface ChangesQuery {
  readonly chainId: string;
  /** The last snapshot until then, or the first one after; Unix milliseconds. */
  readonly sinceMs: number;
  /** Compare what changes all the time as well. */
  readonly isAll: boolean;
}

/** What has changed, or why it cannot be said. */
export type FoundChanges =
  | { readonly kind: 'none'; readonly why: string }
  | ({ readonly kind: 'found' } & ChangesSince);

export interface ChangesSince {
  readonly before: KnownMoment;
  readonly after: KnownMoment;
  /** Every snapshot is younger than the moment that was asked for. */
  readonly isLater: boolean;
  readonly found: Differences;
  readonly shown: ShownWith;
}

export type KnownMoment = Omit<ChainSide, 'lists' | 'chainId'>;

/** What of the outside the changes need. */
export interface ChangesWorld {
  readonly changes: (query: ChangesQuery, onList: (list: string) => void, signal: AbortSignal) => Promise<FoundChanges>;
}
