import type { ChainSide } from '../../../memory/diff/chain-side.ts';
import type { DisplayContext } from '../../../memory/diff/describe-change.ts';
import type { RecentChanges } from '../../../memory/diff/recent-changes.ts';
import type { Differences, RecordChange } from '../../../memory/diff/side.ts';

/** What the changes since a moment are asked with. */
export interface ChangesQuery {
  readonly chainId: string;
  /** The last snapshot until then, or the first one after; Unix milliseconds. */
  readonly sinceMs: number;
  /** The time of the compared state: for a displayed snapshot, when it was taken. */
  readonly nowMs: number;
  /** Compare what changes all the time as well. */
  readonly isAll: boolean;
  /** The command that stores a snapshot of this node. */
  readonly recordCommand: string;
}

/** The changes, or why they are unknown. */
export type FoundChanges =
  | { readonly kind: 'none'; readonly why: string }
  | ({ readonly kind: 'found' } & ChangesSince);

export interface ChangesSince {
  readonly before: KnownMoment;
  readonly after: KnownMoment;
  /** Every snapshot is younger than the moment that was asked for. */
  readonly isLater: boolean;
  readonly found: Differences;
  readonly shown: DisplayContext;
}

export type KnownMoment = Omit<ChainSide, 'lists' | 'chainId'>;

/** A record whose versions are looked for. */
export interface RecordName {
  readonly resource: string;
  readonly key: string;
  /** The market or epoch whose list it is in, or ''. */
  readonly scope: string;
}

export interface VersionsQuery extends RecordName {
  /** The command that stores a snapshot of this node. */
  readonly recordCommand: string;
}

/** The stored snapshots of a record, or why there are none. */
export type FoundVersions =
  | { readonly kind: 'none'; readonly why: string }
  | {
      readonly kind: 'found';
      readonly versions: readonly RecordVersion[];
      readonly shown: DisplayContext;
      readonly snapshots: number;
    };

/** How a record reached its state as of this snapshot. */
export interface RecordVersion {
  readonly snapshot: number;
  readonly takenMs: number;
  /** Of the first one, `added` may mean only that recording began. */
  readonly change: RecordChange;
}

/** What the changes need from outside. */
export interface ChangesWorld {
  readonly changes: (query: ChangesQuery, onList: (list: string) => void, signal: AbortSignal) => Promise<FoundChanges>;
  /** Between the stored snapshots of a chain; it asks the node nothing. */
  readonly recentChanges: (chainId: string) => Promise<RecentChanges | null>;
  /** Newest first, of stored snapshots. */
  readonly versions: (chainId: string, record: VersionsQuery) => Promise<FoundVersions>;
}
