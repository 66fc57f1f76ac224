import type { Command } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { EXIT } from '../src/cli/exit-code.ts';
import { COMMON_FLAGS, type Flag } from '../src/cli/options.ts';
import { EXPLORER_FLAGS } from '../src/explore.ts';
import { flagOf } from '../src/resources/filter.ts';
import { RESOURCES } from '../src/resources/registry.ts';
import { PREFERENCES } from '../src/settings/preferences.ts';
import { EVERY_KEY, keyGroups } from './readme.ts';

const EXIT_MEANS = {
  [EXIT.done]: 'Done.',
  [EXIT.fault]: 'A fault of blockglass.',
  [EXIT.usage]: 'The command line, or the place it names, cannot be used as it is.',
  [EXIT.refused]: 'The node refused.',
  [EXIT.unreachable]: 'The node cannot be reached, or took too long.',
  [EXIT.untrusted]: 'What arrived cannot be trusted: undecodable, cut short, failed its check.',
  [EXIT.behind]: 'The node is behind by more than --max-lag.',
  [EXIT.interrupted]: 'Interrupted.',
} as const satisfies { readonly [code in (typeof EXIT)[keyof typeof EXIT]]: string };

const ENVIRONMENT: readonly Entry[] = [
  ['BLOCKGLASS_NODE', 'The data node, where --node names none.'],
  ...PREFERENCES.map(({ env, flag, about: text }): Entry => [env, `As --${flag}: ${text}.`]),
  ['VISUAL, EDITOR', 'What config edit opens the settings with.'],
  ['NO_COLOR', 'No colours, unless it is empty.'],
  [
    'HTTP_PROXY, HTTPS_PROXY, NO_PROXY',
    'Proxies, and what is asked without one. This machine itself never is asked through one.',
  ],
  ['XDG_CONFIG_HOME, XDG_CACHE_HOME', 'Where settings and compiled code are kept.'],
];

const FILES: readonly Entry[] = [
  [
    '~/.config/blockglass/config.json',
    `Settings, all of them optional: node, profiles, columns, aliases, exportWaitSeconds, exportIdleSeconds, ${PREFERENCES.map(({ name }) => name).join(', ')}.`,
  ],
  ['~/.cache/blockglass', 'What Node compiled of the program. It can be deleted at any time.'],
];

const EXAMPLES: readonly Entry[] = [
  ['blockglass', 'The explorer, on the embedded node when no other is named.'],
  ['blockglass list provisions --node node.example:3008 --live -o ndjson --all', 'Every live provision, a line each.'],
  ['blockglass export --table ledger --from 20501 --to 23500 --out ~/exports', 'A checked ZIP of CSV files.'],
];

/** What stands in bold, and what is said of it. */
type Entry = readonly [term: string, text: string];

/** The page that `man blockglass` shows, in roff, from the tables that the program itself works by. */
export async function manPage(version: string): Promise<string> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => ({ name, ...(await load()) })),
  );
  return [
    `.TH BLOCKGLASS 1 "" "blockglass ${version}" "User Commands"\n.nh\n.ad l\n`,
    section('NAME', `blockglass \\- a looking glass for a blockchain data node\n`),
    section('SYNOPSIS', synopsis([{ name: '[explore]', form: '[tab]' }, ...commands])),
    section('DESCRIPTION', paragraph(DESCRIPTION)),
    section('COMMANDS', commands.map(commandPart).join('')),
    section(
      'OPTIONS',
      paragraph(OPTIONS) + [...COMMON_FLAGS, ...EXPLORER_FLAGS].map(flagPart).join('') + entries(VERSION),
    ),
    section('RESOURCES', entries(RESOURCES.map(({ id, title, filters }) => [id, about(title, filters.map(flagOf))]))),
    section('KEYS', keysPart()),
    section('EXIT STATUS', entries(Object.entries(EXIT_MEANS))),
    section('ENVIRONMENT', entries(ENVIRONMENT)),
    section('FILES', entries(FILES)),
    section('EXAMPLES', entries(EXAMPLES)),
  ].join('');
}

const DESCRIPTION =
  "Explores the read-only REST interface of a data node from the keyboard, prints the same views as plain commands, and exports network history, which it checks while it arrives. Without a node's address the embedded node answers, with a demo chain. Data goes to stdout, everything else to stderr.";

const OPTIONS = 'What would change nothing is refused: a command takes those that its --help lists.';

const VERSION: readonly Entry[] = [['--version', 'the version']];

const section = (title: string, body: string): string => `.SH ${title}\n${body}`;

const paragraph = (text: string): string => `.PP\n${line(text)}`;

const synopsis = (commands: readonly Pick<NamedCommand, 'name' | 'form'>[]): string =>
  commands.map(({ name, form }) => `.br\n.B blockglass\n${line(`${name} ${form}`.trim())}`).join('');

type NamedCommand = Command & { readonly name: string };

const commandPart = ({ name, form, about: text, flags }: NamedCommand): string =>
  `.SS ${escaped(`blockglass ${name} ${form}`.trim())}\n${line(text)}${flags.map(flagPart).join('')}`;

/** What stands on lines of its own in the help does so here. */
function flagPart({ name, short, value, about: text }: Flag): string {
  const [first = '', ...rest] = text.split('\n');
  const spelled = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  const table = rest.length === 0 ? '' : `.nf\n${rest.map(line).join('')}.fi\n`;
  return `${entries([[spelled, first]])}${table}`;
}

const about = (title: string, flags: readonly string[]): string =>
  flags.length === 0 ? `${title}.` : `${title}; ${flags.map(flag => `--${flag}`).join(', ')}.`;

const keysPart = (): string => `.PD 0\n${keyGroups(EVERY_KEY).map(keyGroupPart).join('')}.PD\n`;

const keyGroupPart = ({ group, keys }: ReturnType<typeof keyGroups>[number]): string =>
  `.SS ${group}\n${entries(keys.map(({ keys: names, title }) => [names.join(', '), title]))}`;

const entries = (list: readonly Entry[]): string =>
  list.map(([term, text]) => `.TP\n.B "${escaped(term)}"\n${line(text)}`).join('');

const line = (text: string): string => `${escaped(text)}\n`;

/** Characters that roff takes for others, or shows as others: a hyphen or a tilde could not be copied as one. */
const ESCAPES: { readonly [character: string]: string } = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** The text as it stands in a page, no line of it a request. */
export const escaped = (text: string): string =>
  text.replace(/[-\\'"`^~]/g, character => ESCAPES[character] ?? character).replace(/^\./gm, '\\&.');
