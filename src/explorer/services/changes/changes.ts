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

/** What has changed between stored snapshots. */
export interface RecentChanges {
  /** Null if there is none, or it is the newest. */
  readonly sinceYesterday: ChangedSince | null;
  /** Null if you never looked, or it says the same. */
  readonly sinceLooked: ChangedSince | null;
  /** When the newest snapshot was taken. */
  readonly untilMs: number;
}

export interface ChangedSince {
  readonly takenMs: number;
  /** Lists that were compared. */
  readonly compared: number;
  readonly counts: readonly (readonly [list: string, records: number])[];
}

/** What of the outside the changes need. */
export interface ChangesWorld {
  readonly changes: (query: ChangesQuery, onList: (list: string) => void, signal: AbortSignal) => Promise<FoundChanges>;
  /** Between the stored snapshots of a chain; it asks the node nothing. */
  readonly recentChanges: (chainId: string) => Promise<RecentChanges | null>;
}
