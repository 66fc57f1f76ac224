import { minePath, type ReadMine, readMine } from '../base/settings/mine-file.ts';
import { PREFERENCES } from '../base/settings/preferences.ts';
import { PROFILE_COLOURS, type Profile, type Settings } from '../base/settings/settings.ts';
import { baseAddress, shownAddress } from '../chain/api/request.ts';
import { cacheFolder } from '../chain/directory/cache-folder.ts';
import {
  type CachedHistory,
  type CachedKeys,
  cachedHistory,
  cachedKeys,
  DEMO_KEYS,
  keysOf,
  NOTHING_CACHED,
} from '../chain/directory/completion-cache.ts';
import type { ExportNames } from '../chain/directory/names-file.ts';
import { RANGE_WORDS } from '../chain/range/named-range.ts';
import { isSummable } from '../chain/resources/amount-sums.ts';
import { flagOf } from '../chain/resources/filter.ts';
import { RESOURCES, resourceById } from '../chain/resources/registry.ts';
import { TABLES } from '../history/plan/tables.ts';
import type { Command, Commands } from './command.ts';
import type { Context } from './context.ts';
import { commandFirst, flagged, plainWord } from './leading-flags.ts';
import { COMMON_FLAGS, commonFlags, type Flag } from './options.ts';
import { FORMATS } from './output.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';
import { FILTER_FLAGS } from './resource-flags.ts';

/** What is known without asking a node. */
export interface KnownValues {
  readonly profiles: NonNullable<Settings['profiles']>;
  /** The default node: an address or a profile. */
  readonly usualNode: string | undefined;
  readonly history: (node: string | undefined) => CachedHistory;
  /** Keys of records, by list; without a node those of the embedded node. */
  readonly keys: (node: string | undefined) => CachedKeys;
  /** What is the user's, by chain. */
  readonly mine: () => ReadMine['chains'];
  readonly tabs: readonly string[];
}

/** Completions of the last of these words, which follow the program's name. Empty: the shell completes file names. */
export async function completed(
  words: readonly string[],
  commands: Commands,
  known: KnownValues,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const [spelled = '', part] = /^(--[^=]+)=(.*)$/s.exec(typed)?.slice(1) ?? [];
  if (part === undefined) return beginning(await candidates(words, commands, known), typed);
  const values = await candidates([...words.slice(0, -1), spelled, part], commands, known);
  return beginning(values, part).map(value => `${spelled}=${value}`);
}

const beginning = (values: readonly string[], typed: string): readonly string[] =>
  [...new Set(values)].filter(value => value.startsWith(typed));

async function candidates(
  words: readonly string[],
  commands: Commands,
  known: KnownValues,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const before = commandFirst(words.slice(0, -1), Object.keys(commands));
  const [name = ''] = before;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const command = load === undefined ? undefined : await load();
  const flags = flagsOf(command, before);
  const flag = flags.find(({ name: long, short }) => [`--${long}`, `-${short}`].includes(words.at(-2) ?? ''));
  if (flag?.values !== undefined) return flag.values;
  if (flag !== undefined && flag.kind !== 'switch' && flag.kind !== 'boolean')
    return valuesOf(flag.name, { command: name, commands, words: before, typed, known });
  if (typed.startsWith('-')) return flags.map(({ name: long }) => `--${long}`);
  if (before[0] === 'help') return before.length === 1 ? [...Object.keys(commands), 'explore', 'exit-codes'] : [];
  if (command === undefined)
    return plainWord(before) === undefined ? [...Object.keys(commands), 'explore', 'help', ...known.tabs] : known.tabs;
  return firstWords(command, before, known);
}

/** Words that a command takes: a resource, or one of its verbs, and a profile after some of those. */
function firstWords({ form, words: taken }: Command, words: readonly string[], known: KnownValues): readonly string[] {
  const [first] = form.split(' ');
  const given = plainWords(words.slice(1));
  if (words[0] === 'diff') return ['yesterday', 'demo', ...profileNames(known)];
  if (taken !== undefined) return taken.filter(word => !given.includes(word));
  if (given.length === 0) {
    if (first === '<resource>') return RESOURCES.map(({ id }) => id);
    return first?.includes('|') ? first.replace(/^\[|\]$/g, '').split('|') : [];
  }
  if (form === '<resource> <key>' && given.length === 1) return keysFor(words, known, given[0] ?? '');
  if (words[0] === 'mine') return mineWords(given[0] ?? '', words, known);
  return words[0] === 'node' && given.length === 1 && given[0] !== 'add' ? profileNames(known) : [];
}

/** Known ids that can be added, or those that can be removed. */
function mineWords(action: string, words: readonly string[], known: KnownValues): readonly string[] {
  if (action === 'add') return ['markets', 'validators'].flatMap(list => keysFor(words, known, list));
  if (action !== 'remove') return [];
  return Object.values(known.mine()).flatMap(lists => Object.values(lists).flat());
}

/** Words that are neither flags nor their values. */
function plainWords(words: readonly string[]): readonly string[] {
  const word = plainWord(words);
  if (word === undefined) return [];
  return [word, ...plainWords(words.slice(words.indexOf(word) + 1))];
}

function flagsOf(command: Command | undefined, words: readonly string[]): readonly Flag[] {
  if (command === undefined) return [...COMMON_FLAGS, ...PREFERENCE_FLAGS];
  // By the flag itself: a command may have one of its own with the name of a filter.
  const ofFilters: ReadonlySet<Flag> = new Set(FILTER_FLAGS);
  const resource = resourceById(plainWord(words.slice(1)) ?? '');
  const filters = new Set((resource?.filters ?? []).map(flagOf));
  return [...command.flags, ...commonFlags(command.uses, command.formats)].filter(
    flag => !ofFilters.has(flag) || filters.has(flag.name),
  );
}

interface Line {
  readonly command: string;
  readonly commands: Commands;
  readonly words: readonly string[];
  /** The part of the value that is typed. */
  readonly typed: string;
  readonly known: KnownValues;
}

/** Known values of a flag; none for file names and free text. */
async function valuesOf(flag: string, { command, commands, words, typed, known }: Line): Promise<readonly string[]> {
  const preference = PREFERENCES.find(candidate => candidate.flag === flag);
  if (preference !== undefined) return 'least' in preference.values ? [] : preference.values;
  const node = nodeFor(words, known);
  const ofList = resourceById(plainWord(words.slice(1)) ?? '')?.columns ?? [];
  const columns = ofList.map(({ id }) => id);
  const summable = ofList.filter(isSummable).map(({ id }) => id);
  const seen = known.history(node);
  if (command === 'answer' && ['party', 'asset', 'market'].includes(flag)) {
    const beside = await namedBeside(plainWords(words.slice(2)), flag);
    if (beside.length > 0) return beside;
  }
  const list = KEYED[flag];
  if (list !== undefined) return keysFor(words, known, list);
  const values: { readonly [flag: string]: () => readonly string[] | Promise<readonly string[]> } = {
    node: () => profileNames(known),
    output: async () => (await commands[command]?.())?.formats ?? FORMATS,
    colour: () => PROFILE_COLOURS,
    kind: async () => (command === 'mine' ? (await import('./mine.ts')).KIND_WORDS : []),
    chain: () => (command === 'mine' ? Object.keys(known.mine()) : []),
    by: () => ['day', 'month'],
    table: () => TABLES.map(({ id }) => id),
    sort: () => columns.flatMap(id => [id, `${id}:desc`]),
    where: () => columns,
    freq: () => columns,
    sum: () => summable,
    range: () => [...RANGE_WORDS, ...epochsOf(seen)],
    from: () => (command === 'export' ? [...epochsOf(seen), ...seen.from] : []),
    to: () => (command === 'export' ? [...epochsOf(seen), ...seen.to] : []),
    'epoch-seq': () => epochsOf(seen).map(epoch => epoch.slice(1)),
    epochs: () => epochSpans(seen, typed),
    preset: () => presetNames(known, node),
    resource: async () => (await import('../memory/diff/list-rules.ts')).LIST_RULES.map(({ id }) => id),
    for: async () => (command === 'report' ? (await import('./report.ts')).REPORT_PROGRAMS : []),
  };
  return (Object.hasOwn(values, flag) ? values[flag]?.() : undefined) ?? [];
}

/** Flags that take a key of a record, and the list that it is one of. */
const KEYED: { readonly [flag: string]: string } = {
  'market-id': 'markets',
  market: 'markets',
  'asset-id': 'assets',
  asset: 'assets',
  'node-id': 'validators',
};

const nodeFor = (words: readonly string[], { usualNode }: KnownValues): string | undefined =>
  words.includes('--demo') ? undefined : (flagged(words, '--node') ?? usualNode);

const keysFor = (words: readonly string[], known: KnownValues, list: string): readonly string[] =>
  keysOf(known.keys(nodeFor(words, known)), list);

const profileNames = ({ profiles }: KnownValues): readonly string[] => Object.keys(profiles);

function presetNames({ profiles }: KnownValues, node: string | undefined): readonly string[] {
  const profile = node !== undefined && Object.hasOwn(profiles, node) ? profiles[node] : undefined;
  return typeof profile === 'object' ? Object.keys(profile.presets ?? {}) : [];
}

/** The newest known epochs. */
function epochsOf({ epoch }: CachedHistory): readonly string[] {
  if (epoch === null) return [];
  const newest = BigInt(epoch);
  return Array.from({ length: MOST_EPOCHS }, (_, back) => newest - BigInt(back))
    .filter(seq => seq > 0n)
    .map(seq => `e${seq}`);
}

const MOST_EPOCHS = 20;

/** `30..41`: from an epoch to the newest one, or from the one that is typed on. */
function epochSpans(seen: CachedHistory, typed: string): readonly string[] {
  const epochs = epochsOf(seen).map(epoch => epoch.slice(1));
  const from = /^(\d+)\.\./.exec(typed)?.[1];
  if (from !== undefined) return epochs.filter(to => BigInt(to) >= BigInt(from)).map(to => `${from}..${to}`);
  return epochs.map(epoch => `${epoch}..${epochs[0]}`);
}

/** What the names files beside these exports call assets and markets, and the keys of the parties in them. */
async function namedBeside(files: readonly string[], flag: string): Promise<readonly string[]> {
  const { namesOfArchive, namesOfParquet, namesOfSlices, readNamesFile } = await import(
    '../chain/directory/names-file.ts'
  );
  const wordsOf = Object.hasOwn(NAMED_BY, flag) ? NAMED_BY[flag] : undefined;
  const wordsIn = (path: string): readonly string[] => {
    try {
      const saved = readNamesFile(path);
      return saved === undefined ? [] : (wordsOf?.(saved.names) ?? []).filter(isPlain);
    } catch {
      return [];
    }
  };
  return files.flatMap(file => [namesOfArchive(file), namesOfSlices(file), namesOfParquet(file)].flatMap(wordsIn));
}

const NAMED_BY: { readonly [flag: string]: (names: ExportNames['names']) => readonly string[] } = {
  asset: ({ assets }) => [...assets.values()].map(({ symbol }) => symbol),
  market: ({ markets }) => [...markets.values()].map(({ code }) => code),
  party: ({ validators }) => [...validators.values()].map(({ publicKey }) => publicKey),
};

/** Whether a shell reads it as one word. */
const isPlain = (word: string): boolean => /^[\w./:-]+$/.test(word);

/** What can be completed without asking a node: settings, and what is cached of nodes. */
export async function knownValues({
  settings,
  env,
  tabs,
}: Pick<Context, 'settings' | 'env' | 'tabs'>): Promise<KnownValues> {
  const { profiles = {}, node: settled }: Pick<Settings, 'profiles' | 'node'> = await settings().catch(() => ({}));
  const folder = cacheFolder(env);
  return {
    profiles,
    usualNode: env.BLOCKGLASS_NODE || settled,
    mine: () => readMine(minePath(env)).chains,
    tabs,
    history: node => {
      const address = node === undefined ? undefined : addressOf(node, profiles);
      return address === undefined ? NOTHING_CACHED : cachedHistory(folder, address);
    },
    keys: node => {
      const address = node === undefined ? DEMO_KEYS : addressOf(node, profiles);
      return address === undefined ? {} : cachedKeys(folder, address);
    },
  };
}

function addressOf(node: string, profiles: { readonly [name: string]: string | Profile }): string | undefined {
  const profile = Object.hasOwn(profiles, node) ? profiles[node] : undefined;
  const address = typeof profile === 'object' ? profile.url : (profile ?? node);
  try {
    return shownAddress(baseAddress(address));
  } catch {
    return undefined;
  }
}
