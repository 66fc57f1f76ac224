import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/cli/command.ts';
import { COMMANDS, commandGroups, summaryOf } from '../../src/cli/commands.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { FLAG_GROUPS } from '../../src/cli/flags.ts';
import { EXPLORER_FLAGS } from '../../src/cli/preference-flags.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';
import { run } from './run-command.ts';

const ROWS = 24;

describe('Help', () => {
  it('The help of the commands lists each once, below its group, with the beginning of what its own help says', async () => {
    const { out } = await run(['help', 'commands']);
    const groups = await commandGroups();
    const listed = groups.map(
      ({ group, commands }) =>
        `${group}\n${commands.map(command => `  ${command.name.padEnd(12)}${summaryOf(command)}\n`).join('')}`,
    );
    expect(out).toBe(listed.join('\n'));
    expect(groups.map(({ group }) => group)).toEqual(GROUPS);
    expect(groups.flatMap(({ commands }) => commands.map(({ name }) => name))).toEqual(Object.keys(COMMANDS));
  });

  it('The help of the program names every command next to its group, on one screen', async () => {
    const { out } = await run(['--help']);
    for (const { group, commands } of await commandGroups())
      expect(out).toContain(`\n  ${group.padEnd(18)}${commands.map(({ name }) => name).join(', ')}\n`);
    expect(out.trimEnd().split('\n').length).toBeLessThan(ROWS);
  });

  it('The help of a command lists its flags by group, each once', async () => {
    const { out } = await run(['help', 'export']);
    const heads = out.match(/^[A-Z][A-Za-z ]*:$/gm)?.map(head => head.slice(0, -1)) ?? [];
    expect(heads).toEqual([...FLAG_GROUPS.filter(group => heads.includes(group)), 'For example']);
    expect(heads).toEqual(expect.arrayContaining(['Range', 'Destination', 'Parquet', 'Connection']));
    const listed = [...out.matchAll(/^ +(?:-\w, )?--([\w-]+)/gm)].map(([, name]) => name);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('The help of the explorer has every tab, and every flag that it takes', async () => {
    const { out } = await run(['help', 'explore']);
    expect(out.match(/one of its tabs: (.*?)\./s)?.[1]?.split(/,\s+/)).toEqual(TAB_IDS);
    for (const { name } of EXPLORER_FLAGS) expect(out).toContain(`--${name} `);
  });

  it('The help of the exit codes has each of them', async () => {
    const { out } = await run(['help', 'exit-codes']);
    const codes = [...out.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual([...new Set(Object.values(EXIT))].toSorted((a, b) => a - b));
  });

  it.each(Object.keys(COMMANDS))('The help of %s shows its arguments and what it does', async name => {
    const { code, out, err } = await run([name, '--help']);
    expect([code, err]).toEqual([0, '']);
    const [form = '', , about = ''] = out.split('\n');
    expect(form).toMatch(new RegExp(`^blockglass ${name}\\b`));
    expect(about.trim().length).toBeGreaterThan(10);
    const command = await COMMANDS[name]?.();
    for (const flag of command?.flags ?? []) {
      expect(out).toContain(`--${flag.name}`);
      expect(flag.about.trim(), flag.name).not.toBe('');
    }
  });

  it.each(Object.keys(COMMANDS))('The help of a command is also available as help %s', async name => {
    expect(await run(['help', name])).toEqual(await run([name, '--help']));
  });

  it('The `help` command covers a list, the program and an unknown command', async () => {
    expect(await run(['help', 'list', 'fees'])).toEqual(await run(['list', 'fees', '--help']));
    for (const words of [[], ['--help']]) expect(await run(['help', ...words])).toEqual(await run(['--help']));
    expect(await run(['help', 'fees'])).toEqual(await run(['help', 'explore']));
    expect(await run(['help', 'lst'])).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "list"?') });
  });

  it.each(['', 'commands', 'explore', 'exit-codes', ...Object.keys(COMMANDS)])(
    'The help fits 80 columns, except for lines meant to be copied: %s',
    async name => {
      const { out } = await run(['help', ...(name === '' ? [] : [name])]);
      const [said = ''] = out.split('For example:');
      expect(said.split('\n').filter(line => line.length > 80 || line !== line.trimEnd())).toEqual([]);
    },
  );

  it('The `completion` command prints a script for each shell, which calls the program', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await run(['completion', shell]);
      expect(out, shell).toContain('completion values');
    }
  });
});
