import { MINE_ENTITIES, type Mine, NOTHING_MINE } from '../../chain/directory/mine.ts';
import { realWorld, type WorldOptions } from './real-world.ts';
import type { World } from './world.ts';

type GuestWorldOptions = Pick<WorldOptions, 'connect' | 'clipboard' | 'drawn' | 'program'>;

/**
 * The world of a guest: one node, the clock and memory. Services that read or write files are missing: each member is
 * named here, so that a new one of `World` has to be decided about before this compiles.
 */
export function guestWorld({ connect, clipboard, drawn, program }: GuestWorldOptions): World {
  const live = realWorld({
    connect: (choice, tell) => (choice.kind === 'start' ? connect(choice, tell) : refuseGuest()),
    clientOf: refuseGuest,
    profiles: noProfiles,
    ...{ clipboard, drawn, program },
    folders: [],
    namesFolder: null,
    stateFolder: null,
  });
  const mine = new Map<string, Mine>();
  return {
    nowMs: live.nowMs,
    wait: live.wait,
    connect: live.connect,
    node: () => ({ ...live.node(), export: refuseGuest }),
    arrange: live.arrange,
    requests: live.requests,
    // Goes to the guest's terminal. Without folders, a text too large for it is not written to a file.
    copy: live.copy,
    readMine: async chainId => ({ mine: mine.get(chainId) ?? NOTHING_MINE, problem: null }),
    saveMine: async (chainId, { entity, id, isMine }) => {
      const before = mine.get(chainId) ?? NOTHING_MINE;
      const others = [...before[entity]].filter(other => other !== id);
      const after = { ...before, [entity]: new Set(isMine ? [...others, id] : others) };
      if (MINE_ENTITIES.reduce((ids, list) => ids + after[list].size, 0) > MAX_IDS)
        throw new Error(`a guest can mark ${MAX_IDS} ids`);
      mine.set(chainId, after);
      return after;
    },
    profiles: noProfiles,
    witnesses: async () => [],
    recentChanges: async () => null,
    history: async () => [],
    saveCommand: async () => {},
    saveView: async () => {},
    // The path as typed: guests must not learn whether it exists on this machine.
    checkDestination: async ({ destination }) => ({
      path: destination,
      exists: false,
      problem: null,
      freeBytes: null,
    }),
    probe: refuseGuest,
    save: refuseGuest,
    verify: refuseGuest,
    audit: refuseGuest,
    report: refuseGuest,
    earned: refuseGuest,
    storedHistory: refuseGuest,
    estimateFetch: refuseGuest,
    forgetHistory: refuseGuest,
    fetchHistory: refuseGuest,
    preview: refuseGuest,
    offerFor: refuseGuest,
    openTables: refuseGuest,
    keepPreset: refuseGuest,
    changes: refuseGuest,
    versions: refuseGuest,
  };
}

const MAX_IDS = 1000;

const refuseGuest = (): Promise<never> => Promise.reject(new Error('not for guests'));
const noProfiles: World['profiles'] = async () => ({ profiles: [], problem: null });
