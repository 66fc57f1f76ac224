import { type MineFileContent, minePath, readMine } from '../base/settings/mine-file.ts';
import { PREFERENCES } from '../base/settings/preferences.ts';
import { PROFILE_COLOURS, type Profile, type Settings } from '../base/settings/settings.ts';
import { baseAddress, shownAddress } from '../chain/api/request.ts';
import { cacheFolder } from '../chain/directory/cache-folder.ts';
import { namesOfNode } from '../chain/directory/cached-names.ts';
import type { FetchedNames } from '../chain/directory/fetch-directory.ts';
import type { ExportNames } from '../chain/directory/names-file.ts';
import { parameterKeys } from '../chain/insight/parameter/parameter-facts.ts';
import { RANGE_WORDS } from '../chain/range/parse-range.ts';
import { isSummable } from '../chain/resources/amount-sums.ts';
import { flagName } from '../chain/resources/filter.ts';
import { RESOURCES, resourceById } from '../chain/resources/registry.ts';
import { EXPORT_TABLES } from '../history/plan/export-tables.ts';
import type { Command, Commands } from './command.ts';
import type { Context } from './context.ts';
import { COMMON_FLAGS, commonFlags, type Flag } from './flags.ts';
import { commandFirst, firstPlainIndex, lastFlagValue, type TakesValue, takesLeadingValue } from './leading-flags.ts';
import { FORMATS } from './output.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';
import { FILTER_FLAGS } from './resource-flags.ts';

/** Values known without a request to a node. */
export interface KnownValues {
  readonly profiles: NonNullable<Settings['profiles']>;
  /** The default node: an address or a profile. */
  readonly usualNode: string | undefined;
  /** The names that are cached of a node. */
  readonly names: (node: string) => Promise<FetchedNames>;
  /** The user's own ids, by chain. */
  readonly mine: () => MineFileContent['chains'];
  readonly tabs: readonly string[];
}

/** Completions of the last of these words, which follow the program's name. Empty: the shell completes file names. */
export async function completeWords(
  words: readonly string[],
  commands: Commands,
  known: KnownValues,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const [spelled = '', part] = /^(--[^=]+)=(.*)$/s.exec(typed)?.slice(1) ?? [];
  if (part === undefined) return withPrefix(await candidates(words, commands, known), typed);
  const values = await candidates([...words.slice(0, -1), spelled, part], commands, known);
  return withPrefix(values, part).map(value => `${spelled}=${value}`);
}

const withPrefix = (values: readonly string[], typed: string): readonly string[] =>
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
  const given = plainWords(before.slice(1), command);
  const line = { command: name, commands, words: before, given, known };
  const flags = flagsToComplete(command, given);
  const flag = flagNamed(flags, words.at(-2) ?? '');
  if (flag?.values !== undefined) return flag.values;
  if (flag !== undefined && flag.kind !== 'switch' && flag.kind !== 'boolean') return valuesToComplete(flag.name, line);
  if (typed.startsWith('-')) return flags.map(({ name: long }) => `--${long}`);
  if (before[0] === 'help') return before.length === 1 ? [...Object.keys(commands), 'explore', 'exit-codes'] : [];
  if (command === undefined)
    return firstPlainIndex(before) < 0 ? [...Object.keys(commands), 'explore', 'help', ...known.tabs] : known.tabs;
  return firstWords(command, line);
}

/** Words that a command takes: a resource, or one of its verbs, and a profile after some of those. */
async function firstWords(
  { form, words: taken }: Command,
  { command, words, given, known }: Line,
): Promise<readonly string[]> {
  const [first] = form.split(' ');
  if (command === 'diff') return ['yesterday', 'demo', ...profileNames(known)];
  if (taken !== undefined) return taken.filter(word => !given.includes(word));
  if (given.length === 0) {
    if (first === '<resource>') return RESOURCES.map(({ id }) => id);
    return first?.includes('|') ? first.replace(/^\[|\]$/g, '').split('|') : [];
  }
  if (form === '<resource> <key>' && given.length === 1) return keysToComplete(words, known, given[0] ?? '');
  if (command === 'mine') return mineWords(given[0] ?? '', words, known);
  return command === 'node' && given.length === 1 && given[0] !== 'add' ? profileNames(known) : [];
}

/** Known ids that can be added, or those that can be removed. */
async function mineWords(action: string, words: readonly string[], known: KnownValues): Promise<readonly string[]> {
  if (action === 'add')
    return [...(await keysToComplete(words, known, 'markets')), ...(await keysToComplete(words, known, 'validators'))];
  if (action !== 'remove') return [];
  return Object.values(known.mine()).flatMap(lists => Object.values(lists).flat());
}

/** Words that are neither flags of this command nor their values. */
function plainWords(words: readonly string[], command: Command | undefined): readonly string[] {
  const flags = command === undefined ? [] : everyFlagOf(command);
  const takesValue: TakesValue = (word, next) => {
    const kind = flagNamed(flags, word)?.kind;
    if (kind === undefined) return takesLeadingValue(word);
    return kind === 'boolean' ? next === 'true' || next === 'false' : kind !== 'switch';
  };
  const index = firstPlainIndex(words, takesValue);
  const word = words[index];
  return word === undefined ? [] : [word, ...plainWords(words.slice(index + 1), command)];
}

const flagNamed = (flags: readonly Flag[], word: string): Flag | undefined =>
  flags.find(({ name, short }) => [`--${name}`, `-${short}`].includes(word));

const everyFlagOf = ({ flags, uses, formats }: Command): readonly Flag[] => [...flags, ...commonFlags(uses, formats)];

function flagsToComplete(command: Command | undefined, given: readonly string[]): readonly Flag[] {
  if (command === undefined) return [...COMMON_FLAGS, ...PREFERENCE_FLAGS];
  // By the flag itself: a command may have one of its own with the name of a filter.
  const ofFilters: ReadonlySet<Flag> = new Set(FILTER_FLAGS);
  const filters = new Set((resourceById(given[0] ?? '')?.filters ?? []).map(flagName));
  return everyFlagOf(command).filter(flag => !ofFilters.has(flag) || filters.has(flag.name));
}

interface Line {
  readonly command: string;
  readonly commands: Commands;
  /** The command and the words after it. */
  readonly words: readonly string[];
  /** Those that are neither flags nor their values. */
  readonly given: readonly string[];
  readonly known: KnownValues;
}

/** Known values of a flag; none for file names and free text. */
async function valuesToComplete(
  flag: string,
  { command, commands, words, given, known }: Line,
): Promise<readonly string[]> {
  const preference = PREFERENCES.find(candidate => candidate.flag === flag);
  if (preference !== undefined) return 'least' in preference.values ? [] : preference.values;
  const ofList = resourceById(given[0] ?? '')?.columns ?? [];
  const columns = ofList.map(({ id }) => id);
  const summable = ofList.filter(isSummable).map(({ id }) => id);
  if (command === 'answer' && ['party', 'asset', 'market'].includes(flag)) {
    const beside = await readNamesBesideFiles(given.slice(1), flag);
    if (beside.length > 0) return beside;
  }
  const list = LIST_OF_KEY_FLAG[flag];
  if (list !== undefined) return keysToComplete(words, known, list);
  const values: { readonly [flag: string]: () => readonly string[] | Promise<readonly string[]> } = {
    node: () => profileNames(known),
    output: async () => (await commands[command]?.())?.formats ?? FORMATS,
    colour: () => PROFILE_COLOURS,
    kind: async () => (command === 'mine' ? (await import('./mine.ts')).KIND_WORDS : []),
    chain: () => (command === 'mine' ? Object.keys(known.mine()) : []),
    by: () => ['day', 'month'],
    table: () => EXPORT_TABLES.map(({ id }) => id),
    sort: () => columns.flatMap(id => [id, `${id}:desc`]),
    where: () => columns,
    freq: () => columns,
    sum: () => summable,
    range: () => RANGE_WORDS,
    preset: () => presetNames(known, typedNode(words, known)),
    resource: async () => (await import('../memory/diff/list-rules.ts')).LIST_RULES.map(({ id }) => id),
    for: async () => (command === 'report' ? (await import('./report.ts')).REPORT_PROGRAMS : []),
  };
  return (Object.hasOwn(values, flag) ? values[flag]?.() : undefined) ?? [];
}

/** Flags that take a key of a record, and the list that it is one of. */
const LIST_OF_KEY_FLAG: { readonly [flag: string]: string } = {
  'market-id': 'markets',
  market: 'markets',
  'asset-id': 'assets',
  asset: 'assets',
  'node-id': 'validators',
};

const typedNode = (words: readonly string[], { usualNode }: KnownValues): string | undefined =>
  words.includes('--demo') ? undefined : (lastFlagValue(words, '--node') ?? usualNode);

/** Known keys of a list: ids, then what the chain calls them. */
async function keysToComplete(words: readonly string[], known: KnownValues, list: string): Promise<readonly string[]> {
  if (list === 'parameters') return parameterKeys();
  const node = typedNode(words, known);
  const wordsOf = Object.hasOwn(NAMED, list) ? NAMED[list] : undefined;
  return node === undefined || wordsOf === undefined ? [] : wordsOf(await known.names(node)).filter(needsNoQuotes);
}

const NAMED: { readonly [list: string]: (names: FetchedNames) => readonly string[] } = {
  markets: ({ markets = new Map() }) => [...markets.keys(), ...[...markets.values()].map(({ code }) => code)],
  assets: ({ assets = new Map() }) => [...assets.keys(), ...[...assets.values()].map(({ symbol }) => symbol)],
  validators: ({ validators = new Map() }) => [
    ...validators.keys(),
    ...[...validators.values()].map(({ name }) => name),
  ],
};

const profileNames = ({ profiles }: KnownValues): readonly string[] => Object.keys(profiles);

function presetNames({ profiles }: KnownValues, node: string | undefined): readonly string[] {
  const profile = node !== undefined && Object.hasOwn(profiles, node) ? profiles[node] : undefined;
  return typeof profile === 'object' ? Object.keys(profile.presets ?? {}) : [];
}

/** The names of assets and markets in the names files next to these exports, and the keys of the parties in them. */
async function readNamesBesideFiles(files: readonly string[], flag: string): Promise<readonly string[]> {
  const { archiveNamesPath, parquetNamesPath, slicesNamesPath, readNamesFile } = await import(
    '../chain/directory/names-file.ts'
  );
  const wordsOf = Object.hasOwn(NAMES_OF_FLAG, flag) ? NAMES_OF_FLAG[flag] : undefined;
  const wordsIn = (path: string): readonly string[] => {
    try {
      const saved = readNamesFile(path);
      return saved === undefined ? [] : (wordsOf?.(saved.names) ?? []).filter(needsNoQuotes);
    } catch {
      return [];
    }
  };
  return files.flatMap(file =>
    [archiveNamesPath(file), slicesNamesPath(file), parquetNamesPath(file)].flatMap(wordsIn),
  );
}

const NAMES_OF_FLAG: { readonly [flag: string]: (names: ExportNames['names']) => readonly string[] } = {
  asset: ({ assets }) => [...assets.values()].map(({ symbol }) => symbol),
  market: ({ markets }) => [...markets.values()].map(({ code }) => code),
  party: ({ validators }) => [...validators.values()].map(({ publicKey }) => publicKey),
};

/** Whether a shell reads it as one word, and it is not a flag: a chain may give any name. */
const needsNoQuotes = (word: string): boolean => /^[0-9A-Za-z][\w./:@+-]{0,199}$/.test(word);

/** Values that can be completed without a request to a node: settings, and cached data of nodes. */
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
    names: async node => {
      const address = addressOfNode(node, profiles);
      return address === undefined ? {} : namesOfNode(folder, address);
    },
  };
}

function addressOfNode(node: string, profiles: { readonly [name: string]: string | Profile }): string | undefined {
  const profile = Object.hasOwn(profiles, node) ? profiles[node] : undefined;
  const address = typeof profile === 'object' ? profile.url : (profile ?? node);
  try {
    return shownAddress(baseAddress(address));
  } catch {
    return undefined;
  }
}
