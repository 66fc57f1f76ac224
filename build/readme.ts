import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { COMMON_FLAGS, commonFlags, type Flag } from '../src/cli/options.ts';
import { EXPLORER_FLAGS } from '../src/explore.ts';
import { flagOf } from '../src/resources/filter.ts';
import { RESOURCES } from '../src/resources/registry.ts';
import type { Binding } from '../src/session/reduce/binding.ts';
import { KEYMAP } from '../src/session/reduce/keymap.ts';
import { SCREEN_KEYS } from '../src/session/reduce/layers.ts';
import { withPart } from './page-part.ts';

/** The pages that have generated parts. */
export const PAGES: readonly string[] = ['README.md', 'docs/keys.md', 'docs/commands.md'];

/** The keys of the program, then those that a screen has for itself. */
export const EVERY_KEY: readonly KeyRow[] = [...KEYMAP, ...SCREEN_KEYS];

/** The parts by name, made from what the program itself uses. */
export const GENERATED: { readonly [name: string]: string } = {
  keys: keysTable(KEYMAP.filter(({ modes }) => modes.includes('table'))),
  'all-keys': keysTable(EVERY_KEY),
  resources: resourcesTable(),
  flags: flagsTable(COMMON_FLAGS),
  'explorer-flags': flagsTable(EXPLORER_FLAGS),
  'all-flags': await flagsOfCommands(),
};

/** The page with its generated parts put in anew. */
export const withGenerated = (page: string): string =>
  Object.entries(GENERATED).reduce((text, [name, table]) => withPart(text, name, table), page);

type KeyRow = Pick<Binding, 'keys' | 'title' | 'group'>;

/** The keys of each group, each with what it does once, in however many modes. */
export function keyGroups(table: readonly KeyRow[]) {
  return [...Map.groupBy(table, ({ group }) => group)].map(([group, bindings]) => {
    const seen = new Map(bindings.map(({ keys, title }) => [`${keys.join(' ')} ${title}`, { keys, title }]));
    return { group, keys: [...seen.values()] };
  });
}

function keysTable(table: readonly KeyRow[]): string {
  const rows = keyGroups(table).flatMap(({ group, keys }) =>
    keys.map(
      ({ keys: names, title }, index) => `| ${index === 0 ? group : ''} | ${names.map(code).join(' ')} | ${title} |\n`,
    ),
  );
  return `| | key | does |\n|---|---|---|\n${rows.join('')}`;
}

function resourcesTable(): string {
  const rows = RESOURCES.map(({ title, id, path, filters }) => {
    const flags = filters.map(filter => code(`--${flagOf(filter)}`)).join(' ');
    return `| ${title} | ${code(id)} | ${code(path)} | ${flags} |\n`;
  });
  return `| tab | resource | path | filters |\n|---|---|---|---|\n${rows.join('')}`;
}

async function flagsOfCommands(): Promise<string> {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => sectionOf(name, await load())),
  );
  return commands.join('');
}

function sectionOf(name: string, { form, about, examples, flags, uses }: Command): string {
  const usage = `\`blockglass ${form === '' ? name : `${name} ${form}`}\``;
  const common = commonFlags(uses).map(({ name: flag }) => code(`--${flag}`));
  const own = flags.length === 0 ? '' : `${flagsTable(flags)}\n`;
  return `### ${name}\n\n${usage}: ${about.replace(/\s+/g, ' ')}\n\n${own}Of the common flags: ${common.join(' ')}\n\n\`\`\`sh\n${examples.map(line => `blockglass ${line}\n`).join('')}\`\`\`\n\n`;
}

function flagsTable(flags: readonly Flag[]): string {
  const rows = flags.map(({ name, short, value, about }) => {
    const long = code(value === undefined ? `--${name}` : `--${name} ${value}`);
    const words = about.replaceAll('|', '\\|').replace(/\s*\n\s*/g, '<br>');
    return `| ${short === undefined ? long : `${code(`-${short}`)} ${long}`} | ${words} |\n`;
  });
  return `| flag | does |\n|---|---|\n${rows.join('')}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

if (import.meta.main) for (const path of PAGES) await writeFile(path, withGenerated(await readFile(path, 'utf8')));
