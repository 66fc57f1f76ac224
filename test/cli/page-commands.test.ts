import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { commandFirst } from '../../src/cli/leading-flags.ts';
import { COMMON_FLAGS, readFlags } from '../../src/cli/options.ts';
import { checkCommandLine } from '../../src/cli/run.ts';
import { EXPLORER_FLAGS } from '../../src/explore.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';
import { callsIn, commandsOf } from '../support/page-commands.ts';
import { PAGES } from '../support/pages.ts';

const commands = PAGES.flatMap(commandsOf);

/** Reads the words of one call as the program does; throws what it would refuse. */
async function check(typed: readonly string[]): Promise<void> {
  const words = commandFirst(typed, Object.keys(COMMANDS));
  if (Object.hasOwn(COMMANDS, words[0] ?? '')) return checkCommandLine(words);
  if (words[0] === 'COMMAND') return;
  const { words: tabs } = readFlags(words, [...COMMON_FLAGS, ...EXPLORER_FLAGS]);
  expect(tabs.filter(tab => !TAB_IDS.includes(tab))).toEqual([]);
}

describe('the commands on the pages', () => {
  it('are many, on many pages', () => {
    expect(commands.length).toBeGreaterThan(100);
    expect(new Set(commands.map(({ path }) => path)).size).toBeGreaterThan(20);
  });

  it.each(commands)('$path: $line', async ({ line }) => {
    const calls = callsIn(line);
    expect(calls).not.toEqual([]);
    for (const words of calls) await check(words);
  });
});

describe('the README', () => {
  it('says in its table what each command does', () => {
    const readme = PAGES.find(({ path }) => path === 'README.md')?.text ?? '';
    const rows = readme.split('\n').filter(line => /^\| `[\w`, ]+\|/.test(line));
    const named = rows.flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(Object.keys(COMMANDS).filter(name => !named.includes(name))).toEqual([]);
  });
});

describe('the reader of shell lines', () => {
  it('finds every call, without quotes, comments, pipes and redirections', () => {
    expect(callsIn("A_B=c blockglass list fees --where 'a>1' -o csv > x.csv && blockglass --node a#b # end")).toEqual([
      ['list', 'fees', '--where', 'a>1', '-o', 'csv'],
      ['--node', 'a#b'],
    ]);
    expect(callsIn('blockglass query "$(blockglass answer received a.zip --sql)" a.zip | head')).toEqual([
      ['query', 'SELECT', 'a.zip'],
      ['answer', 'received', 'a.zip', '--sql'],
    ]);
    expect(callsIn('npm install -g blockglass')).toEqual([]);
  });

  it('refuses a flag that a command does not have', async () => {
    await expect(check(['list', 'fees', '--frist', '5'])).rejects.toThrow('--first');
    await expect(check(['lst', 'fees'])).rejects.toThrow();
  });
});
