import { existsSync } from 'node:fs';
import { minePath } from './base/settings/mine-file.ts';
import { addPreset, profilePresets } from './base/settings/presets.ts';
import type { SavedView } from './base/settings/saved-view.ts';
import type { ProfileColour, Settings } from './base/settings/settings.ts';
import { openSettings, type SettingsFile, settingsWithFaults } from './base/settings/settings-file.ts';
import { stateFolder } from './base/settings/state-folder.ts';
import { didYouMean } from './base/text/nearest-word.ts';
import { safeLine } from './base/text/safe-text.ts';
import { shellWord } from './base/text/shell-word.ts';
import type { Client } from './chain/api/client.ts';
import { baseAddress, shownAddress } from './chain/api/request.ts';
import { cacheFolder } from './chain/directory/cache-folder.ts';
import { COMMANDS, explorerHelp } from './cli/commands.ts';
import { addressTarget, type Context, chooseTarget, connect, profileTarget, type Target } from './cli/context.ts';
import { describeError } from './cli/describe-error.ts';
import { EXIT, exitCodeFor } from './cli/exit-code.ts';
import {
  COMMON_FLAGS,
  CONNECTION_AND_SNAPSHOT_FLAGS,
  type ParsedFlags,
  readFlags,
  requestedMoment,
} from './cli/flags.ts';
import { terminalKind } from './cli/opens-screen.ts';
import { EXPLORER_FLAGS, type GivenPreferences, readPreferences } from './cli/preference-flags.ts';
import type { LoadedMoment } from './cli/snapshot-context.ts';
import { UsageError } from './cli/usage-error.ts';
import type { LiveChoice, NodeChoice, OfferedNode } from './explorer/services/node/offered-node.ts';
import type { Preferences } from './explorer/services/preferences.ts';
import type { RequestListener, WorldOptions } from './explorer/services/real-world.ts';
import { type ReadView, readView } from './explorer/services/views/views-file.ts';
import { TAB_IDS } from './explorer/tabs.ts';
import { claimTerminal, releaseTerminal } from './explorer/terminal/claimed-terminal.ts';
import { wipeEcho } from './explorer/terminal/wipe-echo.ts';

/** Limiting the young generation while the program loads would delay the first rows. */
const STARTED_AFTER_MS = 1500;

/** Opens the explorer on the node and the tab that the command line names; resolves with the exit code. */
export async function runExplore(words: readonly string[], context: Context): Promise<number> {
  try {
    const view = words[0] === 'view' ? await import('./cli/view.ts') : undefined;
    const own = view?.VIEW_FLAGS.filter(({ name }) => EXPLORER_FLAGS.every(flag => flag.name !== name)) ?? [];
    const flags = [...COMMON_FLAGS, ...EXPLORER_FLAGS, ...own];
    const given = readFlags(view === undefined ? words : words.slice(1), flags);
    if (given.has('help')) {
      await context.stdout.safe(explorerHelp(context.tabs));
      return EXIT.done;
    }
    if (given.has('output'))
      throw new UsageError('the explorer does not accept -o, --output. Use list, show or segments.');
    const said = readPreferences(given, context.env);
    // A wrong or doubtful address is reported before the screen is used; everything slower happens after the first frame.
    const file = openSettings(context.env);
    const settings = async () => settingsWithFaults(file);
    const viewed = await view?.whatToView(given, { ...context, settings });
    const named = viewed === undefined ? readTab(given) : 'history';
    const target = await chooseTarget(given, { env: context.env, settings });
    const { stdin, stdout } = process;
    const kind = terminalKind(words, context.env);
    if (kind === 'no-cursor')
      return await showLinesInstead(given, named ?? startTab(readPreferences(given, context.env), {}), context);
    if (!stdin.isTTY || !stdout.isTTY)
      throw new UsageError(
        'the explorer needs a terminal. Use list, show, segments or export here (blockglass --help).',
      );
    const at = requestedMoment(given);
    if (at !== undefined) await (await import('./cli/snapshot-context.ts')).checkMoment(target, at, context);
    const folder = stateFolder(context.env);
    const isFirstStart = folder !== null && !file.isThere && !existsSync(folder);
    const nodes = explorerNodes(
      { given, said, file, target, folder, isUnasked: viewed?.isNodeUnasked === true },
      context,
    );
    setTimeout(
      async () => (await import('./cli/young-generation.ts')).limitYoungGeneration(),
      STARTED_AFTER_MS,
    ).unref();
    const { explore } = await import('./explorer/explorer.tsx');
    const { host } = claimTerminal();
    wipeEcho(process);
    const { isInterrupted, parting } = await explore({
      host,
      stdin,
      stdout,
      env: context.env,
      tab: named ?? startTab(nodes.preferences, nodes.view),
      label: viewed?.isNodeUnasked === true ? '' : target.label,
      viewed: viewed ?? {},
      preferences: nodes.preferences,
      colour: nodes.colour,
      view: nodes.view,
      program: `blockglass ${context.version}`,
      hasColour: !given.has('no-color'),
      isPlainOutput: given.has('plain-output'),
      isScreenReader: kind === 'screen-reader',
      nodes,
      namesFolder: cacheFolder(context.env),
      stateFolder: folder,
      isFirstStart,
      minePath: minePath(context.env),
    });
    releaseTerminal();
    if (isFirstStart) await noteStart(folder);
    if (parting !== '') await context.stderr.safe(safeLine(parting));
    return isInterrupted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    releaseTerminal();
    await context.stderr.safe(describeError(error));
    return exitCodeFor(error);
  }
}

/** Notes that there was a start. If the folder cannot be made, the next start counts as the first again. */
async function noteStart(folder: string): Promise<void> {
  const { makeFolder } = await import('./base/disk/make-folder.ts');
  try {
    makeFolder(folder);
  } catch {
    // Nothing else depends on it.
  }
}

function readTab(given: ParsedFlags): string | undefined {
  const [tab, ...others] = given.words;
  if (tab !== undefined && !TAB_IDS.includes(tab))
    throw new UsageError(
      `unknown command or tab "${tab}"${didYouMean(tab, ['help', ...Object.keys(COMMANDS), ...TAB_IDS])}`,
      ['blockglass --help lists the commands', `the tabs are ${TAB_IDS.join(', ')}`],
    );
  if (others.length > 0) throw new UsageError(`unexpected argument "${others[0]}". Give one tab.`);
  return tab;
}

/** The first tab unless another is preferred, or the one of the last run is. */
function startTab({ startTab: preferred }: Pick<Preferences, 'startTab'>, { tab: last }: SavedView): string {
  const wanted = preferred === 'last' ? last : preferred;
  return TAB_IDS.find(tab => tab === wanted) ?? TAB_IDS[0] ?? '';
}

/** Prints the list that the explorer would open with, for a terminal that cannot place its cursor. */
async function showLinesInstead(given: ParsedFlags, tab: string, context: Context): Promise<number> {
  const command = tab === 'overview' ? [tab] : tab === 'history' ? ['segments'] : ['list', tab];
  const { TERM = '' } = context.env;
  await context.stderr.safe(
    safeLine(`TERM=${TERM} does not support the explorer; running blockglass ${command.map(shellWord).join(' ')}`),
  );
  const { runCommandLine } = await import('./cli/run.ts');
  return runCommandLine([...command, ...connectionWords(given)], context);
}

/** The flags of the connection, as given. */
const connectionWords = (given: ParsedFlags): readonly string[] =>
  CONNECTION_AND_SNAPSHOT_FLAGS.flatMap(name =>
    !given.has(name) ? [] : name === 'demo' ? [`--${name}`] : given.texts(name).map(value => `--${name}=${value}`),
  );

interface ExplorerNodes
  extends Pick<WorldOptions, 'connect' | 'clientOf' | 'profiles' | 'keepPreset' | 'historyRoot' | 'maxParquetGiB'> {
  /** What the explorer opens with. */
  readonly preferences: Preferences;
  readonly colour: ProfileColour | null;
  readonly view: SavedView;
}

interface ExplorerStart {
  readonly given: ParsedFlags;
  /** Preferences by flag and environment. */
  readonly said: GivenPreferences;
  readonly file: SettingsFile;
  /** The node that the explorer opens with. */
  readonly target: Target;
  /** It is not contacted at the start. */
  readonly isUnasked: boolean;
  /** Folder of the saved views; null for none. */
  readonly folder: string | null;
}

/**
 * The nodes that an explorer can connect to: saved ones, any address, the embedded one. Each keeps one client while the
 * explorer runs, so that its request budget survives a switch to another node and back.
 */
function explorerNodes(
  { given, said, file, target, isUnasked, folder }: ExplorerStart,
  context: Context,
): ExplorerNodes {
  const clients = new Map<string, Promise<Client>>();
  let isOpened = false;
  let demo: Promise<{ readonly url: string }> | undefined;

  function startDemo(): Promise<{ readonly url: string }> {
    demo ??= context.startDemo().catch((error: unknown) => {
      demo = undefined;
      throw error;
    });
    return demo;
  }

  function clientOf(wanted: Target, tell: RequestListener): Promise<Client> {
    const key = `${wanted.kind} ${wanted.address}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const made = connect(wanted, given, { env: context.env, version: context.version, startDemo }, { tell }).then(
      ({ client }) => client,
    );
    clients.set(key, made);
    made.catch(() => clients.delete(key));
    return made;
  }

  // The settings that the node picker last read, so that the file is not read again for each node.
  let latest = file;
  // Profiles may have been added, and others changed, since the explorer was opened.
  const settingsFor = ({ kind }: LiveChoice): SettingsFile => (kind === 'start' ? file : openSettings(context.env));
  const targetFor = (choice: LiveChoice, settings: Settings): Target =>
    choice.kind === 'start' ? target : targetOfChoice(choice, settings);

  /** The saved view of a node; a page size on the command line replaces saved ones. */
  function viewFor(settings: Settings, name: string): ReadView {
    if (folder === null || explorerPreferences(settings, said, target).restore === 'off') return { view: {} };
    const { view, ...read } = readView(folder, name);
    return { ...read, view: said.pageSize === undefined ? view : withoutSizes(view) };
  }

  const at = requestedMoment(given);
  const momentOf = (name: string) => ({ kind: 'moment', at: name, of: { kind: 'start' } }) as const;

  /** An embedded node on a snapshot of the chain that a node is of. It ends with the program. */
  async function connectMoment({ at: name, of, chainId }: Moment, tell: RequestListener) {
    const { nodeArguments } = await import('./cli/snapshot-context.ts');
    const settings = settingsFor(of).settings;
    const wanted = targetFor(of, settings);
    const { read, client, label } = await openMoment({ wanted, name, chainId }, tell);
    isOpened = true;
    const { info, before, after } = read;
    const shown = { id: info.id, takenMs: info.takenMs, flags: nodeArguments(wanted), before, after };
    const { view } = viewFor(settings, wanted.label === '' ? displayAddress(wanted.address) : wanted.label);
    return {
      ...{ client, view, label, moment: shown, profiles: offeredNodes(settings) },
      ...{
        preferences: explorerPreferences(settings, said, wanted),
        notice: null,
        firstByteMs: 600_000,
        idleMs: 300_000,
      },
    };
  }

  const moments = new Map<string, ShownMoment>();

  /** A recently shown snapshot stays available to a user who returns to it, even if its file no longer contains it. */
  async function openMoment({ wanted, name, chainId }: WantedMoment, tell: RequestListener): Promise<ShownMoment> {
    const { readNeighbours, withSnapshot, readMoment } = await import('./cli/snapshot-context.ts');
    const keyOf = (id: string): string => `${wanted.kind} ${wanted.address} ${id}`;
    const lately = moments.get(keyOf(name));
    if (lately !== undefined) {
      const { isReplaced, ...beside } = await readNeighbours(lately.read, context);
      if (!isReplaced) return { ...lately, read: { ...lately.read, ...beside } };
    }
    const read = await readMoment(wanted, name, context, chainId);
    let close = async (): Promise<void> => {};
    const startSnapshot: Context['startSnapshot'] = async recorded => {
      const node = await context.startSnapshot(recorded);
      close = async () => node.close?.();
      return node;
    };
    const { client, label } = await connect(wanted, given, withSnapshot(read, wanted, { ...context, startSnapshot }), {
      tell,
    });
    const key = keyOf(String(read.info.id));
    await moments.get(key)?.close();
    moments.delete(key);
    const shown = { read, client, label, close: () => close() };
    moments.set(key, shown);
    // Each has a thread of its own, and one may step through hundreds.
    for (const [oldest, { close: end }] of [...moments].slice(0, -MAX_RUNNING_MOMENTS)) {
      moments.delete(oldest);
      await end();
    }
    return shown;
  }

  let demoHistory: Promise<string> | undefined;

  // The embedded node fills its tables in a thread of its own while the screen is loaded.
  if (target.kind === 'demo' && !isUnasked && at === undefined)
    startDemo().catch(() => {
      // The connection reports the error; until then it must not end the program.
    });
  const first = viewFor(file.settings, target.label === '' ? displayAddress(target.address) : target.label);
  return {
    view: first.view,
    preferences: explorerPreferences(file.settings, said, target),
    colour: profileColour(file.settings, target.label),
    connect: async (asked, tell) => {
      const choice = asked.kind === 'start' && at !== undefined && !isOpened ? momentOf(at) : asked;
      if (choice.kind === 'moment') return connectMoment(choice, tell);
      const { settings, problem } = settingsFor(choice);
      const timeoutS = given.number('timeout');
      const { exportWaitSeconds = timeoutS ?? 600, exportIdleSeconds = timeoutS ?? 300 } = settings;
      const wanted = targetFor(choice, settings);
      const colour = profileColour(settings, wanted.label);
      const presets = profilePresets(settings, wanted.label);
      const client = await clientOf(wanted, tell);
      const name = wanted.label === '' ? shownAddress(client.base) : wanted.label;
      const { view, problem: unread } = choice.kind === 'start' && !isOpened ? first : viewFor(settings, name);
      isOpened = true;
      return {
        client,
        view,
        label: wanted.label,
        ...(colour !== null && { colour }),
        profiles: offeredNodes(settings),
        ...(presets !== undefined && { presets }),
        preferences: explorerPreferences(settings, said, wanted),
        notice: problem ?? unread ?? null,
        firstByteMs: exportWaitSeconds * 1000,
        idleMs: exportIdleSeconds * 1000,
      };
    },
    clientOf: async (choice, tell) => {
      if (choice.kind === 'moment') return undefined;
      const wanted = targetFor(choice, latest.settings);
      return wanted.kind === 'demo' && demo === undefined ? undefined : clientOf(wanted, tell);
    },
    historyRoot: async choice => {
      const live = choice.kind === 'moment' ? choice.of : choice;
      const { settings } = settingsFor(live);
      const { historyRoot, temporaryHistoryRoot } = await import('./history/store/history-root.ts');
      const wanted = targetFor(live, settings);
      // Each start of the embedded node is another chain.
      if (wanted.kind === 'demo' && !given.has('history')) {
        demoHistory ??= Promise.resolve(temporaryHistoryRoot());
        return demoHistory;
      }
      return historyRoot(context.env, given.text('history') ?? wanted.history ?? settings.history);
    },
    maxParquetGiB: () => latest.settings.maxParquetGiB,
    keepPreset: (profile, name, words) =>
      openSettings(context.env).edit(written => addPreset(written, profile, { name, words })),
    profiles: async () => {
      latest = openSettings(context.env);
      return { profiles: offeredNodes(latest.settings), problem: latest.problem ?? null };
    },
  };
}

/** A snapshot whose node runs. */
interface ShownMoment {
  readonly read: LoadedMoment;
  readonly client: Client;
  readonly label: string;
  readonly close: () => Promise<void>;
}

/** Snapshots whose nodes keep running: the one shown, and those shown before it. */
const MAX_RUNNING_MOMENTS = 3;

interface WantedMoment {
  readonly wanted: Target;
  readonly name: string;
  /** Of the node, if it has answered. */
  readonly chainId: string | undefined;
}

type Moment = Extract<NodeChoice, { readonly kind: 'moment' }>;

function targetOfChoice(choice: Exclude<LiveChoice, { readonly kind: 'start' }>, settings: Settings): Target {
  switch (choice.kind) {
    case 'demo':
      return { kind: 'demo', label: 'demo', address: '' };
    case 'profile': {
      const target = profileTarget(settings, choice.name);
      if (target === undefined) throw new Error(`profile "${choice.name}" is no longer in the settings`);
      return target;
    }
    case 'address':
      return addressTarget(choice.address);
  }
}

/** The preferences of the explorer: the command line, else the file. */
function explorerPreferences(settings: Settings, said: GivenPreferences, { maxLagSeconds }: Target): Preferences {
  const { node: _, profiles: __, exportWaitSeconds: ___, exportIdleSeconds: ____, history: _____, ...rest } = settings;
  const isLive = (said.maxLagSeconds ?? maxLagSeconds) !== undefined;
  return { ...rest, ...(isLive && { isLive, ...(maxLagSeconds !== undefined && { maxLagSeconds }) }), ...said };
}

const withoutSizes = ({ lists = {}, ...view }: SavedView): SavedView => ({
  ...view,
  lists: Object.fromEntries(Object.entries(lists).map(([id, { pageSize: _, ...list }]) => [id, list])),
});

const profileColour = (settings: Settings, label: string): ProfileColour | null =>
  offeredNodes(settings).find(({ name }) => name === label)?.colour ?? null;

const offeredNodes = ({ profiles = {} }: Settings): readonly OfferedNode[] =>
  Object.entries(profiles).map(([name, profile]) => {
    const { url, colour = undefined } = typeof profile === 'string' ? { url: profile } : profile;
    const choice = { kind: 'profile', name } as const;
    return { choice, name, address: displayAddress(url), ...(colour !== undefined && { colour }) };
  });

function displayAddress(url: string): string {
  try {
    return shownAddress(baseAddress(url));
  } catch {
    return 'invalid address';
  }
}
