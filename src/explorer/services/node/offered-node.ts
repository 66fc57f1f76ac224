import type { ProfileColour } from '../../../base/settings/settings.ts';
import type { Segment } from '../../../chain/range/segment-history.ts';

/** Which node is meant. */
export type NodeChoice =
  | LiveChoice
  /** A snapshot of the chain of a node: an id, a time, or '' for the newest. A node that never answered has no chain id. */
  | { readonly kind: 'moment'; readonly at: string; readonly of: LiveChoice; readonly chainId?: string };

/** A node that is asked. */
export type LiveChoice =
  /** As given by the command line, environment and settings. */
  | { readonly kind: 'start' }
  | { readonly kind: 'demo' }
  | { readonly kind: 'profile'; readonly name: string }
  /** The address as typed: it may contain a login, so it is never shown. */
  | { readonly kind: 'address'; readonly address: string };

/** A node that one can switch to, and how it is shown. */
export interface OfferedNode {
  readonly choice: NodeChoice;
  /** `demo`, the profile's name, or the address. */
  readonly name: string;
  /** Without a login; '' for an embedded node that was not started. */
  readonly address: string;
  readonly colour?: ProfileColour;
}

export const DEMO: OfferedNode = { choice: { kind: 'demo' }, name: 'demo', address: '' };

export interface ComparedNodes {
  /** When they were asked: only the list of nodes asks them. */
  readonly atMs: number;
  /** Those that have answered, or could not. */
  readonly nodes: readonly {
    readonly node: OfferedNode;
    readonly answer: Exclude<ProbeAnswer, { readonly kind: 'not-started' }>;
  }[];
}

export type ProbeAnswer =
  /** The values that the node reports about itself are its own text. */
  | {
      readonly kind: 'answered';
      readonly version: string;
      readonly chainId: string;
      /** Its newest block; null if not reported. */
      readonly block: string | null;
      /** Age of that block at the time of the answer, by this clock; null if not reported. */
      readonly ageMs: number | null;
      /** Its newest block is the last one of the chain. */
      readonly isArchive?: true;
      /** Why its answers are of two chains; left out where they may be of one. */
      readonly mixed?: string;
      readonly latencyMs: number;
      /** Its history, oldest first; left out where it lists none that can be read. */
      readonly segments?: readonly Segment[];
    }
  | { readonly kind: 'failed'; readonly problem: string; readonly isUnreached?: true }
  /** The embedded node, which is started when it is chosen. */
  | { readonly kind: 'not-started' };
