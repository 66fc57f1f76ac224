import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPage } from '../../build/man-page.ts';
import { PREFERENCES } from '../../src/base/settings/preferences.ts';
import { COMMANDS, usageText } from '../../src/cli/commands.ts';
import { COMMON_FLAGS } from '../../src/cli/flags.ts';
import { EXPLORER_FLAGS } from '../../src/cli/preference-flags.ts';

/** Parts that were removed: how a page, help or setting would still mention them, and a mention. */
const REMOVED: { readonly [part: string]: readonly [pattern: RegExp, mention: string] } = {
  'the caching proxy': [/--proxy\b|serve .*proxy|src\/proxy/, 'blockglass serve --proxy http://node'],
  'metrics and the queue of the proxy': [
    /\/metrics\b|(?:metrics|queue) of the (?:proxy|cache)|--queue\b/i,
    'Prometheus reads http://127.0.0.1:8080/metrics',
  ],
  'exports into buckets': [
    /--out s3:|(?:export|verify|query|view|convert|audit) [^|\n]*s3:\/\//,
    'blockglass export --table ledger --out s3://bucket/x',
  ],
  'faults on request': [/--faults\b|--fault\b/, 'blockglass serve --faults list'],
  'the recorder of lists': [
    /record-?lists|RECORD_LISTS|(?:records?|stores?) (?:the |all )?lists (?:while|that|as) you/i,
    'The explorer records lists while you browse.',
  ],
  'salvaged rows': [/salvag/i, 'verify salvages the rows of a damaged export'],
  'merged slices': [/--merge\b|merged? (?:the )?slices|slices into one CSV/i, '`--merge` writes one CSV'],
  'the shares of now': [/sharesNow|shares (?:of )?now/i, '`sharesNow` has the current shares'],
  'the commands explain, ddl and snapshots': [
    /blockglass (?:explain|ddl|snapshots)\b|`(?:explain|ddl)(?: [^`]*)?`|`snapshots (?:list|check|prune|export)/,
    'Run `ddl trino`.',
  ],
  'the comparison of many nodes at once': [/diff --nodes|`?--nodes`? compares/, '`diff --nodes a b c`'],
  'the editor of the settings': [/config edit/, 'Run `blockglass config edit`.'],
  'widths and order of columns by hand': [
    /(?:widen|narrow|move) (?:the |a |this )?column|column (?:wider|narrower|to the (?:left|right))/i,
    '| `>` | widen the column |',
  ],
  'counts of the table viewer': [/viewer'?s? counts|counts (?:of|in) the viewer/i, 'g opens the counts in the viewer'],
  'the completion cache': [
    /completion (?:cache|keeps|stores)|completion-cache/i,
    'The completion cache is kept a day.',
  ],
  'the charset probe': [
    /charset probe|asks? the terminal (?:which|what) characters/i,
    'It asks the terminal which characters it can draw.',
  ],
  'lines and columns of mistakes in the settings': [
    /config\.json:\d+:\d+|line \d+,? column \d+|line and (?:the )?column of (?:the |a )mistake/i,
    'config.json:3:14: must be text',
  ],
};

const pages = ['README.md', ...markdownIn('docs')].map(path => ({ path, text: readFileSync(path, 'utf8') }));

function markdownIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name));
}

async function helpOfCommands(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const commands = Object.entries(COMMANDS).map(async ([name, load]) => {
    const command = await load();
    const flags = command.flags.map(flag => `--${flag.name} ${flag.about}`);
    return { path: `help ${name}`, text: [usageText(name, command), command.about, ...flags].join('\n') };
  });
  return Promise.all(commands);
}

const mentions = (texts: readonly { readonly path: string; readonly text: string }[], pattern: RegExp) =>
  texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap(line => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );

describe.each(Object.entries(REMOVED))('The removal of %s', (_part, [pattern, mention]) => {
  it('The removal is noticed if what was removed is mentioned', () => {
    expect(mentions([{ path: 'a.md', text: mention }], pattern)).toEqual([`a.md: ${mention}`]);
  });

  it('The removal leaves no mention in README, pages, man page, help and settings', async () => {
    const flags = [...COMMON_FLAGS, ...EXPLORER_FLAGS].map(flag => `--${flag.name} ${flag.about}`).join('\n');
    const settings = Object.keys(PREFERENCES).join('\n');
    const texts = [
      ...pages,
      ...(await helpOfCommands()),
      { path: 'man page', text: await manPage('1.0.0') },
      { path: 'flags', text: flags },
      { path: 'settings', text: settings },
    ];
    expect(texts.length).toBeGreaterThan(60);
    expect(mentions(texts, pattern)).toEqual([]);
  });
});
