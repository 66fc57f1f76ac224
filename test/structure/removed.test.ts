import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPage } from '../../build/man-page.ts';
import { PREFERENCES } from '../../src/base/settings/preferences.ts';
import { COMMANDS, usageText } from '../../src/cli/commands.ts';
import { COMMON_FLAGS } from '../../src/cli/flags.ts';
import { EXPLORER_FLAGS } from '../../src/cli/preference-flags.ts';

/** What is no longer part of blockglass, and how a page, help or setting would still speak of it. */
const REMOVED: { readonly [part: string]: RegExp } = {
  'the caching proxy': /--proxy\b|serve .*proxy|src\/proxy/,
  'exports into buckets': /--out s3:|(?:export|verify|query|view|convert|audit) [^|\n]*s3:\/\//,
  'faults on request': /--faults\b|--fault\b/,
  'the recorder of lists': /record-?lists|RECORD_LISTS/i,
  'merged slices': /--merge\b|merged? (?:the )?slices/i,
  'the shares of now': /sharesNow|shares (?:of )?now/i,
  'the commands explain, ddl and snapshots':
    /blockglass (?:explain|ddl|snapshots)\b|`(?:explain|ddl)(?: [^`]*)?`|`snapshots (?:list|check|prune|export)/,
  'widths by hand': /(?:widen|narrow) (?:the |a )?column/i,
  'the completion cache': /completion (?:cache|keeps|stores)|completion-cache/i,
  'the charset probe': /charset probe|asks? the terminal (?:which|what) characters/i,
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

describe.each(Object.entries(REMOVED))('The removal of %s', (_part, pattern) => {
  it('leaves no mention in README, pages, man page, help and settings', async () => {
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

it('The search for removed parts finds a mention', () => {
  const lines = [
    ['the caching proxy', 'blockglass serve --proxy http://node'],
    ['exports into buckets', 'blockglass export --table ledger --out s3://bucket/x'],
    ['merged slices', '`--merge` writes one CSV'],
    ['the commands explain, ddl and snapshots', 'Run `ddl trino`.'],
  ] as const;
  for (const [part, text] of lines) {
    const pattern = REMOVED[part];
    expect(pattern !== undefined && mentions([{ path: 'a.md', text }], pattern)).toEqual([`a.md: ${text}`]);
  }
});
