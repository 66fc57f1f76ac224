import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flagName } from '../src/chain/resources/filter.ts';
import { RESOURCES } from '../src/chain/resources/registry.ts';
import type { Command } from '../src/cli/command.ts';
import { commandGroups, flagForm, summaryOf, usageText } from '../src/cli/commands.ts';
import { EXIT_MEANS } from '../src/cli/exit-code.ts';
import { COMMON_FLAGS, commonFlags, type Flag, groupedFlags } from '../src/cli/flags.ts';
import { EXPLORER_FLAGS } from '../src/cli/preference-flags.ts';
import type { Binding } from '../src/explorer/app/binding.ts';
import type { KeyTarget } from '../src/explorer/app/focus.ts';
import { KEYMAP } from '../src/explorer/app/keymap.ts';
import type { AnyScreen } from '../src/explorer/core/any-screen.ts';
import { BROWSE_KEYS } from '../src/explorer/screens/browse/keys.ts';
import type { Pane } from '../src/explorer/screens/browse/panes.ts';
import { SCREENS } from '../src/explorer/screens/registry.ts';
import { besideProgram, type KeyRow, keyGroups } from './man-page.ts';
import { withPart } from './page-part.ts';

/** The pages that people write and that have generated parts. */
export const PAGES: readonly string[] = ['README.md', 'docs/reference/commands.md', 'docs/reference/settings.md'];

/** The folder in which every page is generated as a whole. */
export const GENERATED_FOLDER = 'docs/generated';

/** The page that explains how to use a command, from docs/. */
const GUIDES: { readonly [command: string]: string } = {
  list: 'guides/lists.md',
  show: 'guides/meaning.md',
  statement: 'guides/statement.md',
  what: 'guides/meaning.md#know-what-a-value-is',
  overview: 'guides/overview.md',
  check: 'guides/check.md',
  record: 'guides/record.md',
  diff: 'guides/diff.md',
  status: 'guides/status.md',
  segments: 'guides/exports.md',
  fetch: 'guides/history.md',
  export: 'guides/exports.md',
  verify: 'guides/verify.md',
  audit: 'guides/audit.md',
  convert: 'guides/parquet.md',
  query: 'guides/query.md',
  answer: 'guides/answers.md',
  report: 'guides/report.md',
  view: 'guides/query.md#view-a-table',
  mine: 'reference/settings.md#mark-ids-as-yours',
  node: 'guides/nodes.md',
  config: 'reference/settings.md',
  completion: 'guides/install.md',
};

/** The keys of each screen, and of each part of the list. */
const KEY_SECTIONS: readonly KeySection[] = [
  { screen: 'list', keys: keysOfPanes(['list']) },
  { screen: 'record', keys: keysOfPanes(['record']) },
  { screen: 'filter bar', keys: keysOfPanes(['filters', 'offered-filters']) },
  ...Object.entries(SCREENS)
    .filter(([name, screen], index, all) => {
      return name !== 'browse' && all.findIndex(([, other]) => other === screen) === index;
    })
    .map(([, screen]) => ({ screen: screen.title.replace(/^the /, ''), keys: keysOfScreen(screen) })),
];

/** The keys of some parts of the list, in the order in which it has them. */
function keysOfPanes(panes: readonly Pane[]): readonly ListedKey[] {
  const own = (shown: readonly Pane[]) => BROWSE_KEYS.filter(key => key.panes.some(pane => shown.includes(pane)));
  // A key that a part has for itself only now and then is one of the program at other times.
  const isOfProgram = ({ keys, targets, group }: Binding, pane: Pane): boolean => {
    const always = own([pane]).filter(({ when }) => when === undefined);
    const isOwn = keys.every(key => always.some(({ keys: others }) => others.includes(key)));
    const hasLines = pane === 'list' || pane === 'record';
    return targets.includes(pane === 'filters' ? 'field' : 'screen') && !isOwn && (hasLines || group !== 'Move');
  };
  return besideProgram(own(panes), row => panes.some(pane => isOfProgram(row, pane)));
}

function targetsOf(screen: AnyScreen): readonly KeyTarget[] {
  const field = screen.input?.field;
  // A prompt is nothing but its field.
  if (screen.isOverlay && screen.kind === 'form' && field !== undefined) return ['field'];
  const target = screen.isOverlay ? 'overlay' : 'screen';
  return field === undefined ? [target] : [target, 'field'];
}

type ListedKey = KeyRow & { readonly when?: unknown };

interface KeySection {
  readonly screen: string;
  readonly keys: readonly ListedKey[];
}

/** What somebody new needs of a list, in this order. */
const FIRST_KEYS = ['tab', 'enter', 'g', 'f', '/', 's', 'y', ':', '?', 'q'] as const;

const groups = await commandGroups();

/** The parts by name, made from what the program itself uses. */
export const GENERATED: { readonly [name: string]: string } = {
  keys: firstKeysTable(),
  resources: resourcesTable(),
  flags: flagsTable(COMMON_FLAGS),
  commands: commandsTable(),
  'command-groups': commandGroupsTable(),
  'exit-codes': exitCodesTable(),
  'explorer-flags': flagsTable(EXPLORER_FLAGS),
};

/** The pages that are generated as a whole, by their paths. */
export const GENERATED_PAGES: { readonly [path: string]: string } = Object.fromEntries([
  ...groups.map(({ group, commands }) => [`${GENERATED_FOLDER}/${groupFile(group)}`, groupPage(group, commands)]),
  [`${GENERATED_FOLDER}/keys.md`, keysPage()],
]);

/** The page with its generated parts put in anew. */
export const withGenerated = (page: string): string =>
  Object.entries(GENERATED).reduce((text, [name, table]) => withPart(text, name, table), page);

function firstKeysTable(): string {
  const keys = keysOfPanes(['list']).filter(({ when }) => when === undefined);
  const rows = FIRST_KEYS.map(
    name => `| ${code(name)} | ${keys.find(key => key.keys.includes(name))?.title ?? ''} |\n`,
  );
  return `| key | does |\n|---|---|\n${rows.join('')}`;
}

function keysTable(table: readonly KeyRow[]): string {
  const rows = keyGroups(table).flatMap(({ group, keys }) =>
    keys.map(
      ({ keys: names, title }, index) => `| ${index === 0 ? group : ''} | ${names.map(code).join(' ')} | ${title} |\n`,
    ),
  );
  return `| | key | does |\n|---|---|---|\n${rows.join('')}`;
}

function keysPage(): string {
  const all = KEY_SECTIONS.flatMap(({ keys }) => keys);
  const id = ({ group, keys, title }: ListedKey): string => [group, title, ...keys].join(' ');
  const isCommon = (key: ListedKey): boolean =>
    all.filter(other => id(other) === id(key)).length > KEY_SECTIONS.length / 2;
  const common = [...new Map(all.filter(isCommon).map(key => [id(key), key])).values()];
  const sections = [
    `## most screens\n\n${keysTable(common)}`,
    ...KEY_SECTIONS.map(({ screen, keys }) => {
      const own = keys.filter(key => !isCommon(key));
      return `## ${screen}\n\n${own.length === 0 ? 'No keys of its own.\n' : keysTable(own)}`;
    }),
  ];
  return page(
    'Keys',
    `\`?\` in the explorer shows the keys of the current screen, and runs the one you choose. A key that cannot act now shows the reason. The first table has the keys that more than half of the screens have.\n\n${sections.join('\n')}`,
  );
}

function groupFile(group: string): string {
  return `commands-${group.toLowerCase().replaceAll(' ', '-')}.md`;
}

function keysOfScreen(screen: AnyScreen): readonly ListedKey[] {
  const { keys: own } = screen;
  const targets = targetsOf(screen);
  const hasLines = screen.kind !== 'form' || screen.lines !== undefined;
  // A key that is the screen's own only now and then is one of the program at other times.
  const always = own.filter(({ when }) => when === undefined);
  const isOwn = (row: Binding): boolean =>
    row.keys.every(key => always.some(({ keys }) => keys.includes(key))) ||
    own.some(({ keys, title }) => title === row.title && keys.join() === row.keys.join());
  const isHere = (row: Binding): boolean =>
    row.targets.some(target => targets.includes(target)) && !isOwn(row) && (hasLines || row.group !== 'Move');
  return [...own, ...KEYMAP.filter(isHere)];
}

function resourcesTable(): string {
  const rows = RESOURCES.map(({ title, id, path, filters }) => {
    const flags = filters.map(filter => code(`--${flagName(filter)}`)).join(' ');
    return `| ${title} | ${code(id)} | ${code(path)} | ${flags} |\n`;
  });
  return `| tab | list | path | filters |\n|---|---|---|---|\n${rows.join('')}`;
}

function commandsTable(): string {
  const rows = groups.flatMap(({ group, commands }) =>
    commands.map((command, index) => {
      const { name } = command;
      return `| ${index === 0 ? group : ''} | [${name}](../generated/${groupFile(group)}#${name}) | ${summaryOf(command)} |\n`;
    }),
  );
  return `| | command | does |\n|---|---|---|\n${rows.join('')}`;
}

/** For the start page: the commands of each group, with the page about it. */
function commandGroupsTable(): string {
  const rows = groups.map(({ group, commands }) => {
    const linkTo = (name: string) => `[${name}](docs/${GUIDES[name] ?? `generated/${groupFile(group)}#${name}`})`;
    return `| ${group} | ${commands.map(({ name }) => linkTo(name)).join(', ')} |\n`;
  });
  return `| | commands |\n|---|---|\n${rows.join('')}`;
}

function exitCodesTable(): string {
  const rows = Object.entries(EXIT_MEANS).map(([exit, means]) => `| ${exit} | ${means} |\n`);
  return `| code | means |\n|---|---|\n${rows.join('')}`;
}

type NamedCommand = Command & { readonly name: string };

function groupPage(group: string, commands: readonly NamedCommand[]): string {
  return page(`Commands: ${group.toLowerCase()}`, commands.map(commandSection).join('\n'));
}

function commandSection(command: NamedCommand): string {
  const { name, about, examples, flags, uses } = command;
  const guide = GUIDES[name];
  const shared = commonFlags(uses).map(flag => code(`--${flag.name}`));
  return [
    `## ${name}\n`,
    `\`\`\`\n${usageText(name, command)}\n\`\`\`\n`,
    `${sentence(about)}${guide === undefined ? '' : ` How to use it: [${pageName(guide)}](../${guide}).`}\n`,
    `\`\`\`sh\n${examples.map(line => `blockglass ${line}\n`).join('')}\`\`\`\n`,
    ...(flags.length === 0 ? [] : [flagsTable(flags)]),
    `Also ${shared.join(' ')}: see [commands.md](../reference/commands.md#flags-that-commands-share).\n`,
  ].join('\n');
}

function pageName(path: string): string {
  return path.replace(/^.*\/|#.*/g, '');
}

function flagsTable(flags: readonly Flag[]): string {
  const parts = groupedFlags(flags);
  const hasGroups = parts.length > 1;
  const rows = parts.flatMap(({ group = '', flags: own }) =>
    own.map((flag, index) => `| ${hasGroups ? `${index === 0 ? group : ''} | ` : ''}${flagCells(flag)} |\n`),
  );
  return `${hasGroups ? '| ' : ''}| flag | does |\n${hasGroups ? '|---' : ''}|---|---|\n${rows.join('')}`;
}

function flagCells(flag: Flag): string {
  const { short, about } = flag;
  const long = code(flagForm(flag)).replaceAll('|', '\\|');
  const words = about.replaceAll('|', '\\|');
  return `${short === undefined ? long : `${code(`-${short}`)} ${long}`} | ${words}`;
}

function page(title: string, body: string): string {
  return `<!-- Generated from the program by \`npm run readme\`. -->\n# ${title}\n\n${body}`;
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function sentence(text: string): string {
  const line = flat(text);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${line.endsWith('.') ? '' : '.'}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

async function writePages(): Promise<void> {
  for (const path of PAGES) await writeFile(path, withGenerated(await readFile(path, 'utf8')));
  await mkdir(GENERATED_FOLDER, { recursive: true });
  const there = (await readdir(GENERATED_FOLDER)).map(name => join(GENERATED_FOLDER, name));
  for (const path of there) if (GENERATED_PAGES[path] === undefined) await rm(path);
  for (const [path, text] of Object.entries(GENERATED_PAGES)) await writeFile(path, text);
}

if (import.meta.main) await writePages();
