import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../chain/api/client.ts';
import { shownAddress } from '../../chain/api/request.ts';
import type { SentRequest } from '../../chain/api/sent-request.ts';
import { aliasesById } from '../../chain/directory/aliases.ts';
import type { Mine } from '../../chain/directory/mine.ts';
import type { ContentWorld } from './copying/content-text.ts';
import type { Clipboard } from './copying/copy-or-save.ts';
import { type ExportTimeouts, type NodeConnection, openNodeConnection } from './node/connection.ts';
import type { Connected } from './node/node.ts';
import type { NodeChoice, OfferedNode } from './node/offered-node.ts';
import { probeNode } from './node/probe.ts';
import { previewExport } from './preview.ts';
import { RequestRing } from './request-ring.ts';
import { createTableOpener, tableOfferFor } from './tables.ts';
import type { World } from './world.ts';

/** Receives the facts of each request. */
export type RequestListener = (facts: SentRequest) => void;

export interface WorldOptions extends Pick<World, 'profiles'> {
  /** Left out where nothing is kept. */
  readonly keepPreset?: World['keepPreset'];
  /** The embedded node is started by it. */
  readonly connect: (
    choice: NodeChoice,
    tell: RequestListener,
  ) => Promise<Connected & ExportTimeouts & { readonly client: Client }>;
  /** For a node that can be queried without further steps; undefined for an embedded one that was not started. */
  readonly clientOf: (choice: NodeChoice, tell: RequestListener) => Promise<Client | undefined>;
  readonly clipboard: Clipboard;
  /** Where a text is written that is too large for it, in the first that can be. */
  readonly folders: readonly string[];
  /** The screen as drawn now, one line per row. */
  readonly drawn: () => string;
  /** Where names are kept between runs; null for nowhere. */
  readonly namesFolder: string | null;
  /** Where commands are kept between runs; null for nowhere. */
  readonly stateFolder: string | null;
  /** Where the histories of chains are kept for a node; null for nowhere. Left out for guests. */
  readonly historyRoot?: (choice: NodeChoice) => Promise<string | null>;
  /** Reads the setting of the same name. */
  readonly maxParquetGiB?: () => number | undefined;
  /** The file with the user's own records; undefined if none is stored. */
  readonly minePath?: string | undefined;
  /** Program and version, for the manifest of an export. */
  readonly program: string;
}

/** Its code is loaded when the first list is whole. */
export const arrangeInSlices: World['arrange'] = async (question, onProgress, signal) => {
  const [{ arrange }, { runInSlices }] = await Promise.all([
    import('../../chain/resources/arrange.ts'),
    import('../../chain/resources/time-slices.ts'),
  ]);
  return runInSlices(arrange(question), { signal, onProgress });
};

/** The real world: one node at a time, the clock, the disk. */
export function realWorld(options: WorldOptions): World {
  let connection: NodeConnection | undefined;
  let isDemo = false;
  // The time at which the clock stands, while a snapshot is shown.
  let momentMs: number | undefined;
  const ring = new RequestRing();
  const tell: RequestListener = facts => ring.record(facts);
  // Read at the start of an operation, so that all its requests go to the same node.
  const node = (): NodeConnection => {
    if (connection === undefined) throw new Error('not connected');
    return connection;
  };
  // One after the other, in the order typed.
  let lastSaved: Promise<void> = Promise.resolve();
  const saveCommand = (line: string): Promise<void> => {
    const { stateFolder } = options;
    if (stateFolder === null) return Promise.resolve();
    lastSaved = lastSaved.then(async () =>
      (await import('./history/history-file.ts')).appendCommand(stateFolder, line),
    );
    return lastSaved;
  };
  const taken = (signal: AbortSignal): ContentWorld => {
    const asked = connection;
    return { explain: async (...record) => asked?.explain(...record), screen: options.drawn, signal };
  };
  const engine = () => ({ program: options.program, maxParquetGiB: options.maxParquetGiB?.() });
  let chosen: NodeChoice = { kind: 'start' };
  const historyRoot = async (): Promise<string | null> => (await options.historyRoot?.(chosen)) ?? null;
  let waits: ExportTimeouts = { firstByteMs: 600_000, idleMs: 300_000 };
  let looked: ReadonlyMap<string, number> | undefined;
  // The user's own records by chain, as last read or written.
  const known = new Map<string, Mine>();
  const mine = async () => (await import('./mine/mine-on-disk.ts')).mineOnDisk(options.minePath);
  return {
    readMine: async chainId => {
      const read = await (await mine()).readMine(chainId);
      known.set(chainId, read.mine);
      return read;
    },
    saveMine: async (chainId, change) => {
      const saved = await (await mine()).saveMine(chainId, change);
      known.set(chainId, saved);
      return saved;
    },
    nowMs: () => momentMs ?? Date.now(),
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
    connect: async (choice, signal) => {
      connection = undefined;
      momentMs = undefined;
      chosen = choice;
      const { client, firstByteMs, idleMs, ...facts } = await options.connect(choice, tell);
      const { label, preferences, moment } = facts;
      // Another node was chosen in the meantime.
      signal.throwIfAborted();
      momentMs = moment?.takenMs;
      isDemo = label === 'demo' || moment !== undefined;
      waits = { firstByteMs, idleMs };
      connection = openNodeConnection({
        client,
        aliases: aliasesById(preferences.aliases),
        // The embedded node is as fast as a disk, and another release has other names.
        namesFolder: isDemo ? null : options.namesFolder,
        program: options.program,
        nowMs: () => moment?.takenMs ?? Date.now(),
        mineOn: chainId => known.get(chainId),
        firstByteMs,
        idleMs,
      });
      return { ...facts, address: shownAddress(client.base), hasLogin: client.hasLogin };
    },
    node,
    profiles: options.profiles,
    witnesses: async (exported, signal) => {
      if (isDemo) return [];
      const { queryWitnesses, unifyLoopbackHost } = await import('../../chain/range/witnesses.ts');
      const own = unifyLoopbackHost(shownAddress(node().client().base));
      const { profiles } = await options.profiles();
      const clients = await Promise.all(
        distinctOtherNodes(profiles, own, unifyLoopbackHost).map(async ({ name, choice }) => {
          const client = await options.clientOf(choice, tell);
          return client === undefined ? [] : [{ name, client }];
        }),
      );
      return queryWitnesses(clients.flat(), exported, signal);
    },
    saveView: async view => {
      const { stateFolder } = options;
      if (stateFolder !== null) await (await import('./views/save-view.ts')).saveView(stateFolder, view);
    },
    probe: async (choice, signal) => probeNode(await options.clientOf(choice, tell), signal),
    arrange: arrangeInSlices,
    preview: previewExport,
    verify: async (asked, signal) => (await import('./verify-again.ts')).verifyAgain(asked, signal),
    audit: async (asked, signal) => (await import('./verify-again.ts')).auditFolder(asked, signal),
    report: async (asked, signal) =>
      (await import('./report-folder.ts')).reportFolder({ ...asked, ...engine() }, signal),
    storedHistory: async owner =>
      (await import('./chain-history/history-on-disk.ts')).readStoredHistory(await historyRoot(), owner),
    estimateFetch: async (range, signal) => {
      const client = node().client();
      const root = requireRoot(await historyRoot());
      return (await import('./chain-history/history-on-disk.ts')).estimateFetch({ root, client, range }, signal);
    },
    forgetHistory: async (folder, tables) =>
      (await (await import('../../history/store/check-history.ts')).forgetHistory({ folder }, tables)).bytes,
    fetchHistory: async (request, onProgress, signal) => {
      const asked = connection;
      const client = (): Client => {
        if (asked === undefined) throw new Error('no node is connected: :node NAME connects to one');
        return asked.client();
      };
      const { program } = options;
      const root = requireRoot(await historyRoot());
      const { fetchForScreen } = await import('./chain-history/run-fetch.ts');
      return fetchForScreen(request, { client, root, program, ...waits, onProgress, signal });
    },
    earned: async (asked, onProgress, signal) =>
      (await import('./report-folder.ts')).readEarned({ ...asked, ...engine() }, onProgress, signal),
    keepPreset: options.keepPreset ?? (() => Promise.reject(new Error('no settings here'))),
    openTables: createTableOpener(() => connection?.client(), engine),
    offerFor: tableOfferFor,
    checkDestination: async plan => (await import('../../history/plan/destination.ts')).checkDestination(plan),
    changes: async (query, onList, signal) => {
      const client = node().client();
      const { readChanges } = await import('./changes/read-changes.ts');
      const { stateFolder } = options;
      const asked = { client, stateFolder, nowMs: Date.now, onList, signal, isDemo: isDemo && momentMs === undefined };
      return readChanges(query, asked);
    },
    versions: async (chainId, record) => {
      const { readDemo, readVersions } = await import('./changes/read-versions.ts');
      const client = connection?.client();
      const demo = isDemo && momentMs === undefined && client !== undefined ? () => readDemo(client) : undefined;
      return readVersions(options.stateFolder, chainId, record, demo);
    },
    recentChanges: async chainId => {
      const { stateFolder } = options;
      if (stateFolder === null || momentMs !== undefined) return null;
      const { readLastViewed, recordView, findRecentChanges } = await import('../../memory/diff/recent-changes.ts');
      // The state before this run.
      looked ??= readLastViewed(stateFolder);
      const nowMs = Date.now();
      // A failed write only costs a later comparison.
      const onRecorded = () => recordView(stateFolder, chainId, nowMs).catch(() => {});
      return findRecentChanges(stateFolder, { chainId, nowMs, looked, onRecorded });
    },
    requests: (version, signal) => ring.after(version, signal),
    history: async () =>
      options.stateFolder === null ? [] : (await import('./history/history-file.ts')).readHistory(options.stateFolder),
    saveCommand,
    copy: async (copying, signal) => {
      const { copyOrSave } = await import('./copying/copy-or-save.ts');
      return copyOrSave(copying, options, taken(signal));
    },
    save: async ({ content, path, mayReplace }, signal) => {
      const [{ saveFile }, { contentText }] = await Promise.all([
        import('./copying/save-file.ts'),
        import('./copying/content-text.ts'),
      ]);
      return saveFile(path, contentText(content, taken(signal)), { mayReplace, mode: 0o644, signal });
    },
  };
}

function requireRoot(root: string | null): string {
  if (root === null) throw new Error('there is no folder for histories: set HOME, XDG_DATA_HOME or --history');
  return root;
}

/** Each address once, but for that of the node that is exported from. */
function distinctOtherNodes(
  offered: readonly OfferedNode[],
  own: string,
  hostOnce: (address: string) => string,
): readonly OfferedNode[] {
  const addresses = offered.map(({ address }) => hostOnce(address));
  return offered.filter((_, index) => {
    const address = addresses[index] ?? '';
    return URL.canParse(address) && address !== own && addresses.indexOf(address) === index;
  });
}
