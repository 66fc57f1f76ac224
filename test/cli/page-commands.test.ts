import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { COMMON_FLAGS, readFlags, VERSION_FLAG } from '../../src/cli/flags.ts';
import { commandFirst } from '../../src/cli/leading-flags.ts';
import { EXPLORER_FLAGS } from '../../src/cli/preference-flags.ts';
import { checkCommandLine } from '../../src/cli/run.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';
import { callsIn, commandsOf } from '../support/page-commands.ts';
import { PAGES } from '../support/pages.ts';

const commands = PAGES.flatMap(commandsOf);

/** Reads the words of one call as the program does; throws what it would refuse. */
async function check(typed: readonly string[]): Promise<void> {
  const words = commandFirst(typed, Object.keys(COMMANDS));
  if (Object.hasOwn(COMMANDS, words[0] ?? '')) return checkCommandLine(words);
  if (words[0] === 'COMMAND') return;
  const { words: tabs } = readFlags(words, [...COMMON_FLAGS, ...EXPLORER_FLAGS, VERSION_FLAG]);
  expect(tabs.filter(tab => !TAB_IDS.includes(tab))).toEqual([]);
}

describe('Commands in the docs', () => {
  it('The docs have many commands on many pages', () => {
    expect(commands.length).toBeGreaterThan(100);
    expect(new Set(commands.map(({ path }) => path)).size).toBeGreaterThan(20);
  });

  it.each(commands)('The command in $path is valid: $line', async ({ line }) => {
    const calls = callsIn(line);
    expect(calls).not.toEqual([]);
    for (const words of calls) await check(words);
  });
});

describe('README', () => {
  it('The README names every command in its table, with a page about it', () => {
    const readme = PAGES.find(({ path }) => path === 'README.md')?.text ?? '';
    const rows = readme.split('\n').filter(line => GROUPS.some(group => line.startsWith(`| ${group} |`)));
    const named = rows.flatMap(row => [...row.matchAll(/\[(\w+)\]\(docs\//g)].map(([, name]) => name));
    expect(named).toEqual(Object.keys(COMMANDS));
  });
});
