import { describe, expect, it } from 'vitest';
import { startStrictNode } from '../support/strict-node.ts';
import { openTerminal } from '../support/terminal.ts';
import { bundle } from './support/explorer.ts';

const open = (args: readonly string[], TERM = 'dumb') =>
  openTerminal({ command: process.execPath, args: [bundle, ...args], env: { TERM }, columns: 120, rows: 60 });

describe('Terminal that cannot place its cursor', () => {
  it.each([
    [['fees', '--theme', 'dark'], 'list fees', 'EPOCH'],
    [['explore', 'parameters', '--plain-output'], 'list parameters', 'KEY'],
    [['explore', 'history', '--demo'], 'segments', 'from'],
  ] as const)(
    'A terminal without cursor control gets for %j the lines of blockglass %s, with a note',
    async (args, command, word) => {
      await using node = await startStrictNode();
      await using terminal = await open(args.some(word => word === '--demo') ? args : [...args, '--node', node.url]);
      expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
      const [told, ...lines] = terminal.raw.split(/\r?\n/);
      expect(told).toBe(`TERM=dumb does not support the explorer; running blockglass ${command}`);
      expect(lines.join('\n').toLowerCase()).toContain(word.toLowerCase());
      expect(terminal.raw).not.toContain('\u001b');
    },
  );

  it('A terminal without cursor control still gets command-line mistakes reported as usual', async () => {
    await using terminal = await open(['no-such-tab']);
    expect(await terminal.waitForExit()).toEqual({ exitCode: 2, signal: undefined });
  });
});
