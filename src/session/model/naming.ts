import type { Directory } from '../../directory/directory.ts';
import type { Naming, SessionState } from './state.ts';

export const NO_NAMING: Naming = { from: 'kept', askedAtMs: null };

/** An id that nobody has named asks no more often: most have no name at all. */
const AGAIN_MS = 600_000;

/** Whether the ids seen since should have names, and the node may be asked for them. */
export function isNamingDue(state: SessionState, seenBefore: SessionState['seen'], nowMs: number): boolean {
  const { naming, directory, seen } = state;
  if (naming.from !== null || isRecent(naming, nowMs)) return false;
  return NAMED.some(([entity, part]) => {
    const known: ReadonlyMap<string, unknown> = directory[part];
    const before = new Set(seenBefore[entity]);
    return known.size > 0 && (seen[entity] ?? []).some(id => !before.has(id) && !known.has(id.toLowerCase()));
  });
}

// A clock that was set back would keep it from asking for as long.
function isRecent({ askedAtMs }: Naming, nowMs: number): boolean {
  const sinceMs = askedAtMs === null ? -1 : nowMs - askedAtMs;
  return sinceMs >= 0 && sinceMs < AGAIN_MS;
}

/** What has names of which the node says every one. */
const NAMED = [
  ['market', 'markets'],
  ['asset', 'assets'],
  ['node', 'validators'],
] as const satisfies readonly (readonly [entity: string, part: keyof Directory])[];
