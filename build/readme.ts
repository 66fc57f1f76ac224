import { readFile, writeFile } from 'node:fs/promises';
import { flagOf } from '../src/resources/filter.ts';
import { RESOURCES } from '../src/resources/registry.ts';
import { KEYMAP } from '../src/session/reduce/keymap.ts';

/** The README's tables of keys and resources, made from what the program itself uses. */
export const GENERATED = { keys: keysTable(), resources: resourcesTable() } as const;

/** The page with its generated parts put in anew, each between `<!-- name -->` and `<!-- end -->`. */
export function withGenerated(page: string): string {
  return Object.entries(GENERATED).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end -->)`),
        (_, start, end) => `${start}${table}${end}`,
      ),
    page,
  );
}

function keysTable(): string {
  const groups = Map.groupBy(KEYMAP, ({ group }) => group);
  const rows = [...groups].flatMap(([group, bindings]) => {
    const seen = new Map(bindings.map(({ keys, title }) => [`${keys.join(' ')} ${title}`, { keys, title }]));
    return [...seen.values()].map(
      ({ keys, title }, index) => `| ${index === 0 ? group : ''} | ${keys.map(code).join(' ')} | ${title} |\n`,
    );
  });
  return `| | key | does |\n|---|---|---|\n${rows.join('')}`;
}

function resourcesTable(): string {
  const rows = RESOURCES.map(({ title, id, path, filters }) => {
    const flags = filters.map(filter => code(`--${flagOf(filter)}`)).join(' ');
    return `| ${title} | ${code(id)} | ${code(path)} | ${flags} |\n`;
  });
  return `| tab | resource | path | filters |\n|---|---|---|---|\n${rows.join('')}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

if (import.meta.main) await writeFile('README.md', withGenerated(await readFile('README.md', 'utf8')));
