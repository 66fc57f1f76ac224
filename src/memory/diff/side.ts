import type { JsonObject } from '../../chain/api/json.ts';
import type { StoredList } from '../snapshots/index.ts';

/** A chain at one moment: a snapshot, or what a node has just answered. */
export interface Side {
  readonly chainId: string;
  readonly lists: readonly StoredList[];
  /** The newest block; null or missing if it is not known. */
  readonly blockHeight?: string | null;
}

/** How many blocks the second side is before the first; undefined if it is not, or that is not known. */
export function countBlocksBehind(
  a: Pick<Side, 'blockHeight'> & { readonly genesisTime?: string | null },
  b: Pick<Side, 'blockHeight'> & { readonly genesisTime?: string | null },
): bigint | undefined {
  const [one, other] = [a.blockHeight ?? '', b.blockHeight ?? ''];
  // A chain that was started again counts from 1.
  const isNew = (a.genesisTime ?? null) !== null && (b.genesisTime ?? null) !== null && a.genesisTime !== b.genesisTime;
  if (isNew || ![one, other].every(height => /^\d{1,20}$/.test(height))) return undefined;
  const blocks = BigInt(one) - BigInt(other);
  return blocks > 0n ? blocks : undefined;
}

/** A record that differs between two sides. */
export interface RecordChange {
  /** The list that it is in: `parameters`. */
  readonly resource: string;
  readonly key: string;
  readonly change: ChangeKind;
  /** What differs; of an added or removed record each of its members. */
  readonly members: readonly MemberChange[];
  /** The whole record; null if it is missing. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

/** If the second side is at an earlier block, a record that only one side has was neither added nor removed. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'only-in-a' | 'only-in-b';

export interface MemberChange {
  /**
   * From the root of the record: `rewardScore.multisigScore`. An index in brackets counts within `from`; a name in quotes is
   * the key of an element.
   */
  readonly path: string;
  /** The same with `*` for each element. */
  readonly pattern: string;
  /** As sent; null if it is missing. */
  readonly from: JsonObject[string];
  readonly to: JsonObject[string];
}

/** Members that were not compared because they change all the time. */
export interface IgnoredMembers {
  readonly resource: string;
  /** Records whose members differ like that. */
  readonly records: number;
  /** What the members are, in words. */
  readonly what: string;
}

/** A list that could not be compared. */
export interface UncomparedList {
  readonly resource: string;
  /** The markets or epochs; [''] for a whole list. */
  readonly scopes: readonly string[];
  readonly why: string;
  /** It could not be read, rather than being none of what the other side has. */
  readonly isFailure: boolean;
}

export interface Differences {
  readonly changes: readonly RecordChange[];
  readonly leftOut: readonly IgnoredMembers[];
  readonly notCompared: readonly UncomparedList[];
  /** Lists that were compared, each market and epoch counted. */
  readonly compared: number;
  /** Members that only one version of the node has; null if none was left out. */
  readonly versions: VersionMembers | null;
}

/** Of two versions, or of a version that is not known (null). */
export interface VersionMembers {
  readonly a: string | null;
  readonly b: string | null;
  readonly members: readonly { readonly resource: string; readonly paths: readonly string[] }[];
}
