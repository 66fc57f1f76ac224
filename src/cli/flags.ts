import { parseArgs } from 'node:util';
import { bucketProblem } from '../base/text/bucket-address.ts';
import { readDuration } from '../base/text/duration.ts';
import { joinWithOr } from '../base/text/join-words.ts';
import { nearestWord } from '../base/text/nearest-word.ts';
import { UsageError } from './usage-error.ts';

/** The groups of flags, in the order in which the help of a command has them. Flags without a group come first. */
export const FLAG_GROUPS = [
  'Filters',
  'Rows and pages',
  'Range',
  'Destination',
  'Parquet',
  'Signers',
  'Output',
  'History on disk',
  'Limits',
  'Screen',
  'Connection',
] as const;

type FlagGroup = (typeof FLAG_GROUPS)[number];

/** Flags as the help lists them: those without a group, then each group that has any. */
export function groupedFlags<F extends Pick<Flag, 'group'>>(
  flags: readonly F[],
): readonly { readonly group?: FlagGroup; readonly flags: readonly F[] }[] {
  const own = flags.filter(({ group }) => group === undefined);
  return [
    { flags: own },
    ...FLAG_GROUPS.map(group => ({ group, flags: flags.filter(flag => flag.group === group) })),
  ].filter(part => part.flags.length > 0);
}

interface FlagBase {
  readonly name: string;
  /** Where the help lists it. */
  readonly group?: FlagGroup;
  readonly short?: string;
  /** Placeholder for its value in the help: `URL`. */
  readonly value?: string;
  readonly about: string;
  /** What its value can be, for completion. */
  readonly values?: readonly string[];
  /** Its effect for each list that takes it, by list id; without it the same for every list. */
  readonly lists?: { readonly [list: string]: string };
  readonly repeats?: true;
  /** Takes a file or folder to write. */
  readonly isDestination?: true;
  /** Throws UsageError for a value that it cannot have, whatever the other flags are. */
  readonly check?: (text: string) => unknown;
}

/** A flag of a command. A duration, such as `10m`, has its limits in ms. */
export type Flag = FlagBase &
  (
    | { readonly kind: 'text' | 'switch' | 'boolean' }
    | { readonly kind: 'number' | 'duration'; readonly least: number; readonly most: number }
  );

/** Flags as given: each name to its values, in order; a switch has `true`. */
export interface ParsedFlags {
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  /** Of a flag of this kind. */
  readonly number: (name: string) => number | undefined;
  /** Of a flag of this kind, in ms. */
  readonly duration: (name: string) => number | undefined;
  readonly has: (name: string) => boolean;
  readonly words: readonly string[];
}

/** The snapshot given with --at; undefined for the live node, also for the value `now`. */
export function requestedMoment(given: ParsedFlags): string | undefined {
  const name = given.text('at');
  return name === 'now' ? undefined : name;
}

/** Flags that commands share. Each command lists those it uses. */
export type SharedFlag = 'node' | 'demo' | 'at' | 'timeout' | 'log' | 'output';

/** For every command that connects to a node. */
export const CONNECTION_FLAGS = ['node', 'demo', 'timeout', 'log'] as const;

/** For those whose answers are recorded. */
export const CONNECTION_AND_SNAPSHOT_FLAGS = [...CONNECTION_FLAGS, 'at'] as const;

export const SHARED_FLAGS: readonly (Flag & { readonly name: SharedFlag })[] = [
  {
    name: 'node',
    kind: 'text',
    group: 'Connection',
    value: 'URL',
    about: 'the data node: its URL, or the name of a profile (BLOCKGLASS_NODE)',
  },
  { name: 'demo', kind: 'switch', group: 'Connection', about: 'use the embedded demo node' },
  {
    name: 'at',
    kind: 'text',
    group: 'Connection',
    value: 'TIME',
    about: 'use the snapshot with this id, or the last one at a time (yesterday, 2h, 2026-10-01)',
  },
  timeoutFlag('longest wait for an answer (30)'),
  { name: 'output', short: 'o', kind: 'text', group: 'Output', value: 'FORMAT', about: 'table, json, ndjson or csv' },
  {
    name: 'log',
    kind: 'text',
    group: 'Connection',
    value: 'FILE',
    about: 'append every request to this file',
    isDestination: true,
  },
];

/** For all commands. No command prints colours, but scripts may pass --no-color. */
/** The limit applies to `about`: one answer, all requests of a check, or a query. */
export function timeoutFlag(about: string, group: Flag['group'] = 'Connection') {
  return { name: 'timeout', kind: 'number', group, least: 1, most: 86_400, value: 'SECONDS', about } as const;
}

const FLAGS_OF_ALL_COMMANDS: readonly Flag[] = [
  { name: 'no-color', kind: 'switch', group: 'Output', about: 'no colours' },
  { name: 'help', short: 'h', kind: 'switch', group: 'Output', about: 'this help' },
];

/** Only for the program. */
export const VERSION_FLAG: Flag = { name: 'version', short: 'V', kind: 'switch', about: 'the version' };

export const COMMON_FLAGS: readonly Flag[] = [...SHARED_FLAGS, ...FLAGS_OF_ALL_COMMANDS];

/** The common flags of a command that uses these; `-o` with the formats that it prints. */
export const commonFlags = (uses: readonly SharedFlag[], formats: readonly string[] = []): readonly Flag[] => [
  ...SHARED_FLAGS.filter(({ name }) => uses.includes(name)).map(flag =>
    flag.name === 'output' && formats.length > 0 ? { ...flag, about: joinWithOr(formats) } : flag,
  ),
  ...FLAGS_OF_ALL_COMMANDS,
];

/** Reads the words after a command. Throws UsageError with the flag and its expected value. */
export function readFlags(words: readonly string[], flags: readonly Flag[]): ParsedFlags {
  const options = Object.fromEntries(
    flags.map(({ name, short, kind }) => [
      name,
      {
        type: kind === 'switch' ? ('boolean' as const) : ('string' as const),
        multiple: true as const,
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const parsed = parse(withBooleanValues(withCommandFlagNames(words, flags), flags), options, flags);
  const values = new Map(Object.entries(parsed.values));
  const texts = (name: string): readonly string[] => (values.get(name) ?? []).map(String);
  for (const { name, repeats, isDestination } of flags) {
    if (repeats !== true && texts(name).length > 1) throw new UsageError(`--${name} was given twice. Give it once.`);
    const problem = isDestination === true ? bucketProblem(texts(name)[0] ?? '') : undefined;
    if (problem !== undefined) throw new UsageError(problem);
  }
  const text = (name: string): string | undefined => texts(name)[0];
  const read = (name: string, readText: (flag: LimitedFlag, text: string) => number): number | undefined => {
    const [given, flag] = [text(name), flags.find(one => one.name === name)];
    return given === undefined || flag === undefined || !('least' in flag) ? undefined : readText(flag, given);
  };
  return {
    words: parsed.positionals,
    text,
    texts,
    has: name => values.has(name),
    number: name => read(name, readNumber),
    duration: name => read(name, readDurationMs),
  };
}

/** Throws UsageError for the first value that its flag cannot have, whether or not anything would use it. */
export function checkFlagValues(given: ParsedFlags, flags: readonly Flag[]): void {
  for (const flag of flags)
    for (const text of given.texts(flag.name)) {
      flag.check?.(text);
      if (flag.kind === 'number') readNumber(flag, text);
      if (flag.kind === 'duration') readDurationMs(flag, text);
    }
}

type LimitedFlag = Flag & { readonly least: number; readonly most: number };

function readNumber({ name, least, most }: LimitedFlag, text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}

function readDurationMs({ name, least, most }: LimitedFlag, text: string): number {
  const ns = readDuration(text, 'typed');
  const ms = ns === undefined ? Number.NaN : Number(ns / 1_000_000n);
  if (ms >= least && ms <= most) return ms;
  throw new UsageError(
    `--${name} must be a time from ${inSeconds(least)} to ${inSeconds(most)}, such as 10m, 24h or 90d, not "${text}"`,
  );
}

/** A hundred years. */
export const MAX_DURATION_MS = 36_500 * 86_400_000;

const inSeconds = (ms: number): string => (ms > 0 && ms % 86_400_000 === 0 ? `${ms / 86_400_000}d` : `${ms / 1000}s`);

function parse(
  words: readonly string[],
  options: { readonly [name: string]: { type: 'boolean' | 'string'; multiple: true; short?: string } },
  flags: readonly Flag[],
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(describeParseError(message, flags));
  }
}

/** What parseArgs found wrong, with what to do about it. */
function describeParseError(message: string, flags: readonly Flag[]): string {
  const dashed = /^Option '([^' ]+).* argument is ambiguous/.exec(message)?.[1];
  if (dashed !== undefined)
    return `${dashed} needs a value. Write a value that begins with a dash as ${dashed}=-VALUE.`;
  const bare = /^Option '.*--(\S+) <value>' argument missing/.exec(message)?.[1];
  if (bare !== undefined) {
    const { value } = flags.find(({ name }) => name === bare) ?? {};
    return `--${bare} needs a value${value === undefined ? '' : `: --${bare} ${value}`}`;
  }
  const problem = message.replace(/\. To specify a positional argument.*$/s, '').replace(/^Option /, '');
  const unknown = /^Unknown option '-(?:-([^']+)|.)'/.exec(problem);
  if (unknown === null) return problem;
  const [, typed = ''] = unknown;
  const names = flags.map(({ name }) => name);
  const near = nearestWord(typed, names);
  const flag = typed.length > 0 ? `--${typed}` : problem.slice("Unknown option '".length, -1);
  return `unknown option ${flag}${near === undefined ? '. See --help.' : `; did you mean --${near}?`}`;
}

/** Flags with the same meaning: a command documents one and accepts any. */
const FLAG_SYNONYMS = [
  ['party', 'party-id', 'party-ids'],
  ['market', 'market-id'],
  ['asset', 'asset-id'],
] as const satisfies readonly (readonly string[])[];

/** The other names of a flag. */
export const aliasesOf = (flag: string): readonly string[] =>
  FLAG_SYNONYMS.flatMap((names: readonly string[]) =>
    names.includes(flag) ? names.filter(name => name !== flag) : [],
  );

/** `--party-id` where a command calls it `--party`, and the other way round. */
function withCommandFlagNames(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  const own = new Set(flags.map(({ name }) => name));
  const end = words.indexOf('--');
  return words.map((word, index) => {
    const [, name = '', rest = ''] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
    const same = own.has(name) || (end >= 0 && index > end) ? undefined : aliasesOf(name).find(alias => own.has(alias));
    return same === undefined ? word : `--${same}${rest}`;
  });
}

// `--live` without a value means true; `--live=false` and `--live false` mean false.
function withBooleanValues(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  const booleans = new Set(flags.filter(({ kind }) => kind === 'boolean').map(({ name }) => `--${name}`));
  const end = words.indexOf('--');
  return words.flatMap((word, index) => {
    if (!booleans.has(word) || (end >= 0 && index > end)) return [word];
    const next = words[index + 1];
    return next === 'true' || next === 'false' ? [word] : [`${word}=true`];
  });
}
