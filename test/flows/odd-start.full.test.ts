import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { bundle, openExplorer } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';
import { runShell } from './support/program.ts';

const program = resolve(bundle);

/** What a person sees of a start in a terminal that came to nothing. */
async function lastWords(terminal: Terminal): Promise<readonly string[]> {
  const { exitCode } = await terminal.waitForExit();
  expect([exitCode, terminal.inAlternateScreen, terminal.cursorVisible]).toEqual([1, false, true]);
  return terminal
    .screen()
    .split('\n')
    .filter(line => line !== '');
}

describe('an installation with a missing part', () => {
  it.each([
    ['missing', (path: string) => rm(path)],
    ['cut off', (path: string) => writeFile(path, '(')],
    ['one that throws', (path: string) => writeFile(path, 'throw new Error("no\\nuse")')],
  ] as const)('whose program is %s gives the terminal back and says so in a sentence', async (_, damage) => {
    await using folder = await temporaryFolder();
    await cp(dirname(program), folder.path, { recursive: true });
    await damage(join(folder.path, 'blockglass.js'));
    const args = [join(folder.path, 'start.js'), '--demo'];
    await using terminal = await openTerminal({ command: process.execPath, args, columns: 200 });
    expect(await lastWords(terminal)).toEqual([
      expect.stringMatching(/^blockglass: the program cannot be loaded \(.*Error.*\). Install it again/),
    ]);
  });

  it('whose program does nothing gives the terminal back', async () => {
    await using folder = await temporaryFolder();
    await cp(dirname(program), folder.path, { recursive: true });
    await writeFile(join(folder.path, 'blockglass.js'), '');
    await using terminal = await openTerminal({ command: process.execPath, args: [join(folder.path, 'start.js')] });
    await terminal.waitForExit();
    expect([terminal.inAlternateScreen, terminal.cursorVisible]).toEqual([false, true]);
  });
});

describe('a person whom the machine does not know', () => {
  it('has the explorer and the commands, without a home folder', async () => {
    await using folder = await temporaryFolder();
    const noHome = join(folder.path, 'no-home.cjs');
    await writeFile(
      noHome,
      `require('node:os').homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };`,
    );
    const env = { HOME: undefined, XDG_CONFIG_HOME: undefined, NODE_OPTIONS: `--require=${noHome}` };
    await using terminal = await openExplorer({ args: ['--demo'], env });
    await terminal.press('q');
    expect(await terminal.waitForExit()).toEqual({ exitCode: 0, signal: undefined });
    const words = [
      program,
      'export',
      '--table',
      'trades',
      '--demo',
      '--from',
      '22501',
      '--to',
      '23500',
      '--out',
      folder.path,
    ];
    const { status, stderr } = spawnSync(process.execPath, words, {
      env: { PATH: process.env.PATH, NODE_OPTIONS: env.NODE_OPTIONS },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('homedir')]);
  });
});

describe('a cache folder that is not named by its whole path', () => {
  it.each([{ XDG_CACHE_HOME: 'cache' }, { XDG_CACHE_HOME: '', HOME: '' }])('is not made: %j', async env => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'here'));
    const cwd = join(folder.path, 'here');
    const home = { HOME: folder.path, ...env };
    expect(spawnSync(process.execPath, [program, '--version'], { cwd, env: home }).status).toBe(0);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('output that nothing takes', () => {
  it.each(['--version', '--help', 'list markets --demo', 'completion bash', 'segments --demo -o csv'])(
    'is told of in a sentence: a full disk, %s',
    async words => {
      const { code, stderr } = await runShell(`blockglass ${words} >/dev/full`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^blockglass: cannot write the output: ENOSPC.*$/m);
    },
  );
});

describe('an embedded node whose thread cannot be made', () => {
  it('is a sentence', async () => {
    await using folder = await temporaryFolder();
    const noThreads = join(folder.path, 'no-threads.cjs');
    const code = `require('node:worker_threads').Worker = class { constructor() { throw new Error('no threads'); } };`;
    await writeFile(noThreads, code);
    const words = ['--require', noThreads, program, 'list', 'markets', '--demo'];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'blockglass: no threads\n']);
  });
});
