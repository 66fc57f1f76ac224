import { PREFERENCES } from '../src/base/settings/preferences.ts';
import { flagName } from '../src/chain/resources/filter.ts';
import { RESOURCES } from '../src/chain/resources/registry.ts';
import type { Command } from '../src/cli/command.ts';
import { commandGroups, flagForm, usageText } from '../src/cli/commands.ts';
import { EXIT_MEANS, EXIT_NOTE } from '../src/cli/exit-code.ts';
import { COMMON_FLAGS, type Flag, VERSION_FLAG } from '../src/cli/flags.ts';
import { EXPLORER_FLAGS } from '../src/cli/preference-flags.ts';
import type { Binding } from '../src/explorer/app/binding.ts';
import { KEYMAP, SCREEN_KEYS } from '../src/explorer/app/keymap.ts';
import type { ScreenKey } from '../src/explorer/core/screen.ts';
import { BROWSE_KEYS } from '../src/explorer/screens/browse/keys.ts';

const ENVIRONMENT: readonly Entry[] = [
  ['BLOCKGLASS_NODE', 'The data node to use without --node.'],
  ...PREFERENCES.map(({ env, flag, about: text }): Entry => [env, `As --${flag}: ${text}.`]),
  ['NO_COLOR', 'If it is not empty, there are no colours.'],
  [
    'HTTP_PROXY, HTTPS_PROXY, NO_PROXY',
    'Proxies, and the hosts to reach without one. This machine is always reached without a proxy.',
  ],
  [
    'XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME',
    'Folders of settings, of compiled code, and of snapshots and the memory of checks.',
  ],
];

const FILES: readonly Entry[] = [
  [
    '~/.config/blockglass/config.json',
    `Settings, all optional: node, profiles, columns, aliases, exportWaitSeconds, exportIdleSeconds, history, ${PREFERENCES.map(({ name }) => name).join(', ')}.`,
  ],
  [
    '~/.local/state/blockglass',
    'History and views of the explorer; in snapshots, one SQLite file per chain with what record has stored; in checks, what check remembers of each node.',
  ],
  ['~/.cache/blockglass', 'Code compiled by Node, and names. It can be deleted at any time.'],
];

const EXAMPLES: readonly Entry[] = [
  ['blockglass', 'The explorer, on the embedded node if you name no other.'],
  ['blockglass list provisions --node node.example:3008 --live -o ndjson --all', 'Every live provision, one per line.'],
  ['blockglass export --table ledger --from 20501 --to 23500 --out ~/exports', 'A checked ZIP of CSV files.'],
];

/** A term in bold, and its text. */
type Entry = readonly [term: string, text: string];

/** The page of `man blockglass`, in roff, made from the tables of the program itself. */
export async function manPage(version: string): Promise<string> {
  const groups = await commandGroups();
  const commands = groups.flatMap(group => group.commands);
  return [
    `.TH BLOCKGLASS 1 "" "blockglass ${version}" "User Commands"\n.nh\n.ad l\n`,
    section('NAME', `blockglass \\- explore Vega data nodes, and check exports of their history\n`),
    section(
      'SYNOPSIS',
      synopsis(['blockglass [explore] [tab]', ...commands.map(command => usageText(command.name, command))]),
    ),
    section('DESCRIPTION', paragraph(DESCRIPTION)),
    ...groups.map(({ group, commands: own }) =>
      section(`COMMANDS: ${group.toUpperCase()}`, own.map(commandPart).join('')),
    ),
    section('OPTIONS', paragraph(OPTIONS) + [...COMMON_FLAGS, ...EXPLORER_FLAGS, VERSION_FLAG].map(flagPart).join('')),
    section('RESOURCES', entries(RESOURCES.map(({ id, title, filters }) => [id, about(title, filters.map(flagName))]))),
    section('KEYS', keysPart()),
    section('EXIT STATUS', entries(Object.entries(EXIT_MEANS)) + paragraph(EXIT_NOTE)),
    section('ENVIRONMENT', entries(ENVIRONMENT)),
    section('FILES', entries(FILES)),
    section('EXAMPLES', entries(EXAMPLES)),
  ].join('');
}

const DESCRIPTION =
  'Explores the read-only REST interface of a data node from the keyboard, prints the same views as plain commands, and exports network history, which it checks while it arrives. If you name no node, the embedded node answers with a demo chain. Data goes to stdout, everything else to stderr.';

const OPTIONS = 'A command accepts the flags that its --help lists.';

const section = (title: string, body: string): string => `.SH ${title}\n${body}`;

const paragraph = (text: string): string => `.PP\n${line(text)}`;

const synopsis = (usages: readonly string[]): string =>
  usages.map(usage => `.br\n.B blockglass\n${line(usage.replace('blockglass ', ''))}`).join('');

type NamedCommand = Command & { readonly name: string };

const commandPart = (command: NamedCommand): string =>
  `.SS ${escaped(usageText(command.name, command))}\n${line(command.about)}${command.flags.map(flagPart).join('')}`;

const flagPart = (flag: Flag): string =>
  entries([[`${flag.short === undefined ? '' : `-${flag.short}, `}${flagForm(flag)}`, flag.about]]);

const about = (title: string, flags: readonly string[]): string =>
  flags.length === 0 ? `${title}.` : `${title}; ${flags.map(flag => `--${flag}`).join(', ')}.`;

const keysPart = (): string => `.PD 0\n${keyGroups(EVERY_KEY).map(keyGroupPart).join('')}.PD\n`;

const keyGroupPart = ({ group, keys }: ReturnType<typeof keyGroups>[number]): string =>
  `.SS ${group}\n${entries(keys.map(({ keys: names, title }) => [names.join(', '), title]))}`;

const entries = (list: readonly Entry[]): string =>
  list.map(([term, text]) => `.TP\n.B "${escaped(term)}"\n${line(text)}`).join('');

export type KeyRow = Pick<Binding, 'keys' | 'title' | 'group'>;

type OwnKey = KeyRow & Pick<ScreenKey<unknown, never>, 'footer' | 'position' | 'isInProgramsPlace'>;

/** Keys of the list with those of the program that are shown, in the order in which the list has them. */
export function besideProgram<Key extends OwnKey>(
  own: readonly Key[],
  isShown: (row: Binding) => boolean,
): readonly (Key | Binding)[] {
  const at = (position: OwnKey['position']) => own.filter(key => !key.isInProgramsPlace && key.position === position);
  const inPlaceOf = ({ keys }: Binding) =>
    own.filter(key => key.isInProgramsPlace && key.keys.some(name => keys.includes(name)));
  const isMove = ({ group }: Binding): boolean => group === 'Move';
  return [
    ...at('first'),
    ...KEYMAP.filter(row => isMove(row) && isShown(row)),
    ...at(undefined),
    ...KEYMAP.flatMap(row => (isMove(row) ? [] : [...inPlaceOf(row), ...(isShown(row) ? [row] : [])])),
    ...at('last'),
  ];
}

/** The keys of the program and of the list, then those that other screens have for themselves. */
export const EVERY_KEY: readonly KeyRow[] = [...besideProgram(BROWSE_KEYS, () => true), ...SCREEN_KEYS];

/** The keys of each group, each with what it does once, in however many modes. */
export function keyGroups(table: readonly KeyRow[]) {
  return [...Map.groupBy(table, ({ group }) => group)].map(([group, bindings]) => {
    const seen = new Map(bindings.map(({ keys, title }) => [`${keys.join(' ')} ${title}`, { keys, title }]));
    return { group, keys: [...seen.values()] };
  });
}

const line = (text: string): string => `${escaped(text)}\n`;

/** Characters that roff would change: a copied hyphen or tilde would be another character. */
const ESCAPES: { readonly [character: string]: string } = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** The text for a page; no line of it counts as a request of roff. */
export const escaped = (text: string): string =>
  text.replace(/[-\\'"`^~]/g, character => ESCAPES[character] ?? character).replace(/^\./gm, '\\&.');
