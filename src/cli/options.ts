import { parseArgs } from 'node:util';
import { nearest } from '../text/nearest.ts';
import { UsageError } from './usage-error.ts';

/** A flag of a command. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly kind: 'text' | 'number' | 'switch' | 'boolean';
  /** What stands after it in the help: `URL`. */
  readonly value?: string;
  readonly about: string;
  /** What it does for each list that takes it, by its id; without it for every list the same. */
  readonly lists?: { readonly [list: string]: string };
  readonly repeats?: true;
}

/** Flags as given: each name to its values, in order; a switch has `true`. */
export interface Given {
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly number: (name: string, least: number, most: number) => number | undefined;
  readonly has: (name: string) => boolean;
  readonly words: readonly string[];
}

/** What a command may have in common with others; each says which of them it uses. */
export type SharedFlag = 'node' | 'demo' | 'timeout' | 'log' | 'output';

/** Of every command that asks a node. */
export const ASKING = ['node', 'demo', 'timeout', 'log'] as const;

export const SHARED_FLAGS: readonly (Flag & { readonly name: SharedFlag })[] = [
  {
    name: 'node',
    kind: 'text',
    value: 'URL',
    about: 'the data node, or the name of a profile (BLOCKGLASS_NODE)',
  },
  { name: 'demo', kind: 'switch', about: 'the embedded node with its demo chain' },
  { name: 'timeout', kind: 'number', value: 'SECONDS', about: 'longest wait for an answer (30)' },
  { name: 'output', short: 'o', kind: 'text', value: 'FORMAT', about: 'table, json, ndjson or csv' },
  { name: 'log', kind: 'text', value: 'FILE', about: 'append every request to this file' },
];

/** Of all commands: none of them draws a colour, with the one or without it. */
const EVERYWHERE: readonly Flag[] = [
  { name: 'no-color', kind: 'switch', about: 'no colours' },
  { name: 'help', short: 'h', kind: 'switch', about: 'this help' },
];

export const COMMON_FLAGS: readonly Flag[] = [...SHARED_FLAGS, ...EVERYWHERE];

/** The common flags of a command that uses these. */
export const commonFlags = (uses: readonly SharedFlag[]): readonly Flag[] => [
  ...SHARED_FLAGS.filter(({ name }) => uses.includes(name)),
  ...EVERYWHERE,
];

/** Reads the words after a command. Throws UsageError that names the flag and what it wants. */
export function readFlags(words: readonly string[], flags: readonly Flag[]): Given {
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
  const parsed = parse(withValues(words, flags), options, flags);
  const values = new Map(Object.entries(parsed.values));
  const texts = (name: string): readonly string[] => (values.get(name) ?? []).map(String);
  for (const { name, repeats } of flags) {
    if (repeats !== true && texts(name).length > 1) throw new UsageError(`--${name} is given twice`);
  }
  const text = (name: string): string | undefined => texts(name)[0];
  return {
    words: parsed.positionals,
    text,
    texts,
    has: name => values.has(name),
    number: (name, least, most) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new UsageError(`--${name} wants a number from ${least} to ${most}, not "${given}"`);
    },
  };
}

function parse(
  words: readonly string[],
  options: { readonly [name: string]: { type: 'boolean' | 'string'; multiple: true; short?: string } },
  flags: readonly Flag[],
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(problemOf(message, flags));
  }
}

/** What parseArgs found wrong, with what to do about it. */
function problemOf(message: string, flags: readonly Flag[]): string {
  const dashed = /^Option '([^' ]+).* argument is ambiguous/.exec(message)?.[1];
  if (dashed !== undefined) return `${dashed} wants a value: one that begins with a dash is written behind a =`;
  const bare = /^Option '.*--(\S+) <value>' argument missing/.exec(message)?.[1];
  if (bare !== undefined) {
    const { value } = flags.find(({ name }) => name === bare) ?? {};
    return `--${bare} wants a value behind it${value === undefined ? '' : `: ${value}`}`;
  }
  const problem = message.replace(/\. To specify a positional argument.*$/s, '').replace(/^Option /, '');
  const unknown = /^Unknown option '-(?:-([^']+)|.)'/.exec(problem);
  if (unknown === null) return problem;
  const [, typed = ''] = unknown;
  const names = flags.map(({ name }) => name);
  // `--party-id` where it is called --party.
  const near = nearest(typed, names) ?? names.find(name => typed.startsWith(`${name}-`));
  return `${problem}; ${near === undefined ? '--help lists them' : `did you mean --${near}?`}`;
}

// `--live` alone means true; `--live=false` and `--live false` say otherwise.
function withValues(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  const booleans = new Set(flags.filter(({ kind }) => kind === 'boolean').map(({ name }) => `--${name}`));
  const end = words.indexOf('--');
  return words.flatMap((word, index) => {
    if (!booleans.has(word) || (end >= 0 && index > end)) return [word];
    const next = words[index + 1];
    return next === 'true' || next === 'false' ? [word] : [`${word}=true`];
  });
}
