import { describe, expect, it } from 'vitest';
import { COMMANDS, programHelp } from '../../src/cli/commands.ts';
import { run } from './run-command.ts';

const told = [...programHelp([]).matchAll(/^ {2}blockglass (?!\[)([a-z]+)/gm)].map(([, name]) => name);

describe('the help', () => {
  it('tells of every command, and of no other', () => {
    expect(told).toEqual(Object.keys(COMMANDS));
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

  it('of the shells completes the word that a command begins with', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await run(['completion', shell]);
      for (const words of ['add use list remove', 'path show edit', 'bash zsh fish'])
        expect(out, shell).toContain(words);
    }
  });

  it('of the shells completes every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await run(['completion', shell]);
      for (const name of Object.keys(COMMANDS)) expect(out, shell).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });
});
