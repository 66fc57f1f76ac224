import type { KnownNames } from '../../../chain/directory/cached-names.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import type { WorldEffect } from '../effect.ts';
import type { NodeConnection } from '../node/connection.ts';
import type { NodeState } from '../node/node.ts';
import type { SeenIds } from './seen-ids.ts';

/** The next source to query for names. */
export interface NamesRequest {
  /** The names that were cached in another run, then the node; null: nothing. */
  readonly from: 'cache' | 'node' | null;
  /** When the node was asked last; null while it never was. */
  readonly askedAtMs: number | null;
  /** Readings in a row that not all names came of. */
  readonly failed: number;
}

export type NamesEvent = {
  readonly type: 'directory-known';
  readonly from: 'cache' | 'node';
  readonly atMs: number;
} & KnownNames;

/** What the names need of the world. */
interface NamesWorld {
  readonly node: () => Pick<NodeConnection, 'directory'>;
  readonly nowMs: () => number;
}

/** Names are requested after the data that they belong to. */
export function namesEffects(
  { from }: NamesRequest,
  { status, chainId, isChainDoubted, hasAnswered }: NodeState,
): readonly WorldEffect<NamesWorld, NamesEvent>[] {
  if (status !== 'ready' || from === null || chainId === null || isChainDoubted || !hasAnswered) return [];
  const effect: WorldEffect<NamesWorld, NamesEvent> = {
    key: `directory ${from} ${chainId}`,
    run: async (world, signal) => {
      const known = await world.node().directory({ from, chainId }, signal);
      return [{ type: 'directory-known', from, ...known, atMs: world.nowMs() }];
    },
    failed: (_, atMs) => [{ type: 'directory-known', from, names: {}, isOld: from === 'cache', atMs }],
  };
  return [effect];
}

interface NamesState {
  readonly naming: NamesRequest;
  readonly directory: Directory;
  readonly seen: SeenIds;
}

export const NO_NAMES_REQUEST: NamesRequest = { from: 'cache', askedAtMs: null, failed: 0 };

/** The request state after the node was queried. A part that it does not serve is present, but empty. */
export const namesRequestAfter = (
  { failed }: NamesRequest,
  names: KnownNames['names'],
  askedAtMs: number,
): NamesRequest => ({
  ...{ from: null, askedAtMs },
  failed: NAMED_RESOURCES.every(([, part]) => names[part] !== undefined) ? 0 : failed + 1,
});

/** An id without a name does not trigger requests more often: most ids have no name. */
const AGAIN_MS = 600_000;

/** Missing names may soon be available; while they are not, they are requested at increasing intervals. */
const RETRY_MS = 30_000;

/** Names that a person may be waiting for. */
const RETRY_BY_HAND_MS = 5000;

/** Whether names that could not be had may be asked for again. */
export function isRetryDue({ naming }: Pick<NamesState, 'naming'>, nowMs: number, isByHand = false): boolean {
  const { from, failed } = naming;
  if (from !== null || failed === 0) return false;
  const waitMs = isByHand ? RETRY_BY_HAND_MS : Math.min(RETRY_MS * 2 ** (failed - 1), AGAIN_MS);
  return !isRecent(naming, nowMs, waitMs);
}

/** Whether the ids seen since should have names, and the node may be asked for them. */
export function isNamesRequestDue(
  { naming, directory, seen }: NamesState,
  seenBefore: SeenIds,
  nowMs: number,
): boolean {
  if (naming.from !== null || isRecent(naming, nowMs, AGAIN_MS)) return false;
  return NAMED_RESOURCES.some(([entity, part]) => {
    const known: ReadonlyMap<string, unknown> = directory[part];
    const before = new Set(seenBefore[entity]);
    return known.size > 0 && (seen[entity] ?? []).some(id => !before.has(id) && !known.has(id.toLowerCase()));
  });
}

// A clock that was set back would keep it from asking for as long.
function isRecent({ askedAtMs }: NamesRequest, nowMs: number, forMs: number): boolean {
  const sinceMs = askedAtMs === null ? -1 : nowMs - askedAtMs;
  return sinceMs >= 0 && sinceMs < forMs;
}

/** Resources with names that the node lists in full. */
const NAMED_RESOURCES = [
  ['market', 'markets'],
  ['asset', 'assets'],
  ['node', 'validators'],
] as const satisfies readonly (readonly [entity: string, part: keyof Directory])[];
