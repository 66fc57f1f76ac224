import type { ChainDoubt } from '../../chain/api/client.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';
import type { Range } from '../../chain/insight/range.ts';
import type { CheckedBundle } from '../../chain/insight/signer-bundle/checked-bundle.ts';
import type { Row } from '../../chain/resources/resource.ts';

/** What came of one request for the overview. */
export type Loading<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'unread'; readonly why: string }
  | {
      readonly kind: 'read';
      readonly value: Value;
      /** Records it holds; null if it is no list. */
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

/** What all rules know besides. */
export interface RuleContext {
  readonly directory: Directory;
  readonly nowMs: number;
  /** The time of the node's newest block; null if it does not say. */
  readonly blockTimeMs: number | null;
  /** The current epoch; null if the node does not say. */
  readonly epoch: bigint | null;
  /** A node is behind if its newest block is older than this. */
  readonly limit: LagLimit;
  /** Nothing can change any more: the newest block of the node is the last one of the chain. */
  readonly hasEnded: boolean;
  /** Of the multisig contract, in thousandths, if the user gave it. */
  readonly threshold?: number | undefined;
}

export interface RuleInput extends RuleContext {
  readonly sources: Sources;
}

/** What a node says of itself, or that it says nothing. */
export type ObservedNode =
  | {
      readonly kind: 'silent';
      readonly why: string;
      /** It cannot be reached; otherwise it refused or is busy, which does not say how it is. */
      readonly isUnreached: boolean;
    }
  | {
      readonly kind: 'answers';
      /** Why it cannot be reached any more; null unless nothing was heard since it was asked last. */
      readonly gone: string | null;
      /** Age of its newest block by this clock; null if it does not say. */
      readonly blockAgeMs: number | null;
      /** The core behind it; null if it does not say. */
      readonly core: ObservedCore | null;
      /** What its answers say against their being of one chain. */
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
  /** The newest block of the node; null if it does not say. */
  readonly head: bigint | null;
  /** The first block of the newest epoch, which the node has; null if it does not say. */
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
  /** The number of an epoch that has begun since they were read, when what was to change did; null if none has. */
  readonly epochBegun: string | null;
}
