import type { KnownNames } from '../../../chain/directory/cached-names.ts';
import type { Directory } from '../../../chain/directory/directory.ts';
import type { WorldEffect } from '../effect.ts';
import type { NodeConnection } from '../node/connection.ts';
import type { NodeState } from '../node/node.ts';
import type { SeenIds } from './seen-ids.ts';

/** What is to be asked for names next. */
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
export interface NamesWorld {
  readonly node: () => Pick<NodeConnection, 'directory'>;
  readonly nowMs: () => number;
}

/** Names come after what they are the names of. */
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

/** What is to be asked after the node was. A part that it does not serve is there, but empty. */
export const namesRequestAfter = (
  { failed }: NamesRequest,
  names: KnownNames['names'],
  askedAtMs: number,
): NamesRequest => ({
  ...{ from: null, askedAtMs },
  failed: NAMED_RESOURCES.every(([, part]) => names[part] !== undefined) ? 0 : failed + 1,
});

/** An id that nobody has named asks no more often: most have no name at all. */
const AGAIN_MS = 600_000;

/** Names that could not be had may be there soon; they are asked for ever more rarely while they are not. */
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

/** Resources whose names the node lists completely. */
const NAMED_RESOURCES = [
  ['market', 'markets'],
  ['asset', 'assets'],
  ['node', 'validators'],
] as const satisfies readonly (readonly [entity: string, part: keyof Directory])[];
