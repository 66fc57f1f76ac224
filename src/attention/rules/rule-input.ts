import type { ChainDoubt } from '../../chain/api/client.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';
import type { Range } from '../../chain/insight/range.ts';
import type { CheckedBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import type { Row } from '../../chain/resources/resource.ts';

/** The result of one request for the overview. */
export type Loading<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unread'; readonly why: string }
  | {
      readonly kind: 'read';
      readonly value: Value;
      /** Number of records; null if it is not a list. */
      readonly records: number | null;
      /** Why records may be missing; '' if these are all there are. */
      readonly gap: string;
      /** When the answer came, Unix milliseconds. */
      readonly atMs: number;
    };

/** What rules read, by name. */
export interface SourceValues {
  readonly node: ObservedNode;
  readonly history: ObservedHistory;
  readonly markets: readonly Row[];
  readonly validators: readonly Row[];
  readonly bundles: readonly ObservedBundle[];
  readonly specs: readonly Row[];
  /** Data that arrived for oracle specs. */
  readonly arrivals: ObservedArrivals;
  readonly provisions: ObservedProvisions;
  /** Bond accounts on the market of the provisions. */
  readonly bonds: readonly Row[];
}

export type SourceName = keyof SourceValues;

export type Sources = { readonly [Name in SourceName]: Loading<SourceValues[Name]> };

export interface RuleContext {
  readonly directory: Directory;
  readonly nowMs: number;
  /** The time of the node's newest block; null if not reported. */
  readonly blockTimeMs: number | null;
  /** The current epoch; null if the node does not report it. */
  readonly epoch: bigint | null;
  /** A node is behind if its newest block is older than this. */
  readonly limit: LagLimit;
  /** Nothing can change: the newest block of the node is the last one of the chain. */
  readonly hasEnded: boolean;
  /** Of the multisig contract, in thousandths, if the user gave it. */
  readonly threshold?: number | undefined;
}

export interface RuleInput extends RuleContext {
  readonly sources: Sources;
}

/** A node's report about itself, or the fact that it does not answer. */
export type ObservedNode =
  | {
      readonly kind: 'silent';
      readonly why: string;
      /** It cannot be reached; otherwise it refused or is busy, so its state is unknown. */
      readonly isUnreached: boolean;
    }
  | {
      readonly kind: 'answers';
      /** Why it can no longer be reached; null unless nothing was received since the last request. */
      readonly gone: string | null;
      /** Age of its newest block by this clock; null if not reported. */
      readonly blockAgeMs: number | null;
      /** The core behind it; null if not reported. */
      readonly core: ObservedCore | null;
      /** Signs in its answers that they are not all of one chain. */
      readonly doubts: readonly ChainDoubt[];
    };

export interface ObservedCore {
  readonly state: string | null;
  /** Age of its newest block by this clock. */
  readonly blockAgeMs: number | null;
  /** What the data node lacks of the core's chain. */
  readonly behindMs: number | null;
  readonly behindBlocks: bigint | null;
}

export interface ObservedHistory {
  /** Missing blocks between segments, oldest first. */
  readonly gaps: readonly Range[];
  /** Blocks that are in more than one segment, oldest first. */
  readonly overlaps: readonly Range[];
  /** First blocks of segments that do not follow from the one before them. */
  readonly breaks: readonly bigint[];
  /** Where and why the segments do not form one chain; null if they do. */
  readonly broken: string | null;
  readonly segments: number;
  /** Segments with those that cannot be read. */
  readonly listed: number;
  /** The last block of the newest segment; null without segments. */
  readonly newest: bigint | null;
  /** Blocks of the longest segment. */
  readonly longest: bigint;
  /** The newest block of the node; null if not reported. */
  readonly head: bigint | null;
  /** The first block of the newest epoch, which the node has; null if not reported. */
  readonly epochStart: bigint | null;
}

export interface ObservedBundle {
  readonly row: Row;
  /** Null for older bundles than were checked, and for those that remove a consensus validator. */
  readonly checked: CheckedBundle | null;
}

export interface ObservedArrivals {
  readonly rows: readonly Row[];
  /** The node has older data. */
  readonly hasMore: boolean;
  /** The time of the newest block when they were read: later values cannot be among them. Null if it is not known. */
  readonly blockTimeMs: number | null;
}

export interface ObservedProvisions {
  readonly marketId: string;
  readonly rows: readonly Row[];
  /** The number of an epoch that has begun since they were read, so pending changes took effect; null if none has. */
  readonly epochBegun: string | null;
}
