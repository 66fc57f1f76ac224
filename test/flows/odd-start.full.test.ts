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

describe('Installation with a missing part', () => {
  it.each([
    ['missing', (path: string) => rm(path)],
    ['cut off', (path: string) => writeFile(path, '(')],
    ['one that throws', (path: string) => writeFile(path, 'throw new Error("no\\nuse")')],
  ] as const)(
    'An installation whose program is %s restores the terminal and says so in a sentence',
    async (_, damage) => {
      await using folder = await temporaryFolder();
      await cp(dirname(program), folder.path, { recursive: true });
      await damage(join(folder.path, 'blockglass.js'));
      const args = [join(folder.path, 'start.js'), '--demo'];
      await using terminal = await openTerminal({ command: process.execPath, args, columns: 200 });
      expect(await lastWords(terminal)).toEqual([
        expect.stringMatching(/^blockglass: the program cannot be loaded \(.*Error.*\). Install it again/),
      ]);
    },
  );

  it('An installation whose program does nothing restores the terminal', async () => {
    await using folder = await temporaryFolder();
    await cp(dirname(program), folder.path, { recursive: true });
    await writeFile(join(folder.path, 'blockglass.js'), '');
    await using terminal = await openTerminal({ command: process.execPath, args: [join(folder.path, 'start.js')] });
    await terminal.waitForExit();
    expect([terminal.inAlternateScreen, terminal.cursorVisible]).toEqual([false, true]);
  });
});

describe('User unknown to the system', () => {
  it('A user without a home folder has the explorer and the commands', async () => {
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

describe('Cache folder without an absolute path', () => {
  it.each([{ XDG_CACHE_HOME: 'cache' }, { XDG_CACHE_HOME: '', HOME: '' }])(
    'The cache folder is not made without an absolute path: %j',
    async env => {
      await using folder = await temporaryFolder();
      await mkdir(join(folder.path, 'here'));
      const cwd = join(folder.path, 'here');
      const home = { HOME: folder.path, ...env };
      expect(spawnSync(process.execPath, [program, '--version'], { cwd, env: home }).status).toBe(0);
      expect(await readdir(cwd)).toEqual([]);
    },
  );
});

describe('Output that cannot be written', () => {
  it.each(['--version', '--help', 'list markets --demo', 'completion bash', 'segments --demo -o csv'])(
    'An output that cannot be written is reported in a sentence: a full disk, %s',
    async words => {
      const { code, stderr } = await runShell(`blockglass ${words} >/dev/full`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^blockglass: cannot write the output: ENOSPC.*$/m);
    },
  );
});

describe('Embedded node without a thread', () => {
  it('An embedded node whose thread cannot be made is reported in a sentence', async () => {
    await using folder = await temporaryFolder();
    const noThreads = join(folder.path, 'no-threads.cjs');
    const code = `require('node:worker_threads').Worker = class { constructor() { throw new Error('no threads'); } };`;
    await writeFile(noThreads, code);
    const words = ['--require', noThreads, program, 'list', 'markets', '--demo'];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'blockglass: no threads\n']);
  });
});
