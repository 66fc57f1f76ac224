import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { asciiText } from '../../src/base/text/ascii.ts';
import { startStrictNode } from '../support/strict-node.ts';
import type { EnvironmentChanges } from '../support/terminal-env.ts';
import { hasRows, openExplorer } from './support/explorer.ts';

const SILENT: EnvironmentChanges = { LANG: undefined, LC_ALL: undefined, LC_CTYPE: undefined };
const RULE = '\u2500'.repeat(20);
const ASCII_RULE = '-'.repeat(20);
const QUESTION = '\u001b[6n';

async function start(env: EnvironmentChanges) {
  const node = await startStrictNode();
  const terminal = await openExplorer({
    node: node.url,
    env,
    args: ['parameters'],
    until: hasRows,
  });
  return {
    terminal,
    [Symbol.asyncDispose]: async () => {
      await terminal.close();
      await node.close();
    },
  };
}

describe('Character set of the explorer', () => {
  it.each([
    [SILENT, ASCII_RULE],
    [{ LANG: 'C' }, ASCII_RULE],
    [{ LC_ALL: 'POSIX', LANG: 'C.UTF-8' }, ASCII_RULE],
    [{ LANG: 'C.UTF-8' }, RULE],
    [{ ...SILENT, TERM: 'vt100' }, ASCII_RULE],
    [{ ...SILENT, TERM: 'linux' }, ASCII_RULE],
    [{ ...SILENT, BLOCKGLASS_CHARSET: 'utf-8' }, RULE],
    [{ ...SILENT, BLOCKGLASS_CHARSET: 'ascii' }, ASCII_RULE],
    [{ LANG: 'C.UTF-8', BLOCKGLASS_CHARSET: 'ascii' }, ASCII_RULE],
  ])('The explorer uses the characters of %j, and does not query the terminal', async (env, rule) => {
    await using opened = await start(env);
    await opened.terminal.waitFor(rule);
    expect(opened.terminal.raw).not.toContain(QUESTION);
  });
});

describe('Character set of the commands', () => {
  it('`list --freq` over a pipe prints ASCII where the locale has no more, and else all of it', async () => {
    const words = ['list', 'fees', '--freq', 'market'];
    const node = await startStrictNode();
    const printed = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const { stdout } = await promisify(execFile)(process.execPath, ['dist/start.js', ...words, '--node', node.url], {
        env: { PATH: process.env.PATH, ...env },
      });
      return stdout;
    };
    try {
      const [plain, whole] = await Promise.all([printed({ LC_ALL: 'C' }), printed({ LC_ALL: 'C.UTF-8' })]);
      expect(plain).toMatch(/^[\n\x20-\x7e]+$/);
      expect(whole).toMatch(/[^\x00-\x7f]/);
      expect(await printed({ LC_ALL: 'C', BLOCKGLASS_CHARSET: 'utf-8' })).toBe(whole);
      expect(asciiText(whole)).toBe(plain);
    } finally {
      await node.close();
    }
  });
});
