import { describe, expect, it } from 'vitest';
import { COMMANDS, programHelp, usageOf } from '../../src/cli/commands.ts';
import { run } from './run-command.ts';

const told = [...programHelp([]).matchAll(/^ {2}blockglass (?!\[|help)([a-z]+)/gm)].map(([, name]) => name);

describe('the help', () => {
  it('lists every command, and no other', () => {
    expect(told).toEqual(Object.keys(COMMANDS));
  });

  it('calls each command as its own help does', async () => {
    const usages = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => usageOf(name, await load())));
    const help = String(programHelp([]));
    expect(usages.filter(usage => !help.includes(`\n  ${usage}`))).toEqual([]);
    expect(usages).toContain('blockglass report --party ID [file or folder]...');
  });

  it.each(Object.keys(COMMANDS))('of %s says what it takes and what it does', async name => {
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

  it.each(Object.keys(COMMANDS))('of a command can be asked for by help %s', async name => {
    expect(await run(['help', name])).toEqual(await run([name, '--help']));
  });

  it('of a list, of the program, and of no command', async () => {
    expect(await run(['help', 'list', 'fees'])).toEqual(await run(['list', 'fees', '--help']));
    for (const words of [[], ['explore'], ['fees'], ['--help']])
      expect(await run(['help', ...words])).toEqual(await run(['--help']));
    expect(await run(['help', 'lst'])).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "list"?') });
  });

  it.each(['', ...Object.keys(COMMANDS)])(
    'fits 80 cells, but for lines that are there to be copied: %s',
    async name => {
      const { out } = await run([...(name === '' ? [] : [name]), '--help']);
      const [said = ''] = out.split('For example:');
      expect(said.split('\n').filter(line => line.length > 80 || line !== line.trimEnd())).toEqual([]);
    },
  );

  it('of the shells has a script each, which asks the program', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await run(['completion', shell]);
      expect(out, shell).toContain('completion values');
    }
  });
});
