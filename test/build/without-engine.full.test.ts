import { type ExecFileException, execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerSql, makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { openTerminal } from '../support/terminal.ts';

let folder: string;
let program: string;

// As it is installed by who has not installed the engine: nothing that could be found lies in a folder above.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-without-'));
  await cp('dist', join(folder, 'dist'), { recursive: true });
  program = join(folder, 'dist/start.js');
  await writeFile(join(folder, 'telling.cjs'), TELLING);
  await mkdir(join(folder, 'data'));
  await makeParquetFolder(join(folder, 'data'), [{ name: 'ledger', sql: ledgerSql(2) }]);
});

afterAll(() => rm(folder, { recursive: true }));

/** Files that the program has loaded of what answers questions, told at its end. */
const TELLING = `process.on('exit', () => process.stderr.write(Object.keys(require.cache).filter(path => /answers\\.js$|duckdb/.test(path)).map(path => 'loaded ' + path + '\\n').join('')));`;

const env = () => ({ ...process.env, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, TMPDIR: folder, NODE_PATH: '' });

const run = (words: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(resolve => {
    const args = ['--require', join(folder, 'telling.cjs'), program, ...words];
    execFile(process.execPath, args, { cwd: folder, env: env() }, (error: ExecFileException | null, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

describe('Program without the engine', () => {
  it.each([
    ['a question', ['query', 'SELECT 1', 'data']],
    ['what can be asked', ['query', '--tables', 'data']],
  ])('The program without the engine answers %s with one sentence and the install command', async (_, words) => {
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^loaded .*answers\.js$/m);
    expect(stderr.replace(/^loaded .*\n/gm, '')).toBe(
      'blockglass: this needs DuckDB, which is not installed\n  try: install it next to blockglass: npm install -g @duckdb/node-api\n',
    );
    expect((await readdir(folder)).filter(name => name.startsWith('blockglass-answers-'))).toEqual([]);
  });

  it.each([
    ['--version'],
    ['--help'],
    ['query --help'],
    ['list parameters --demo --first 2'],
    ['export --help'],
    ['completion values query --'],
  ])('The command `blockglass %s` works without the engine and does not load it', async line => {
    const { code, stdout, stderr } = await run(line.split(' '));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toBe('');
  });

  it('The explorer starts without the engine and does not load it', async () => {
    await using terminal = await openTerminal({
      command: process.execPath,
      args: ['--require', join(folder, 'telling.cjs'), program, '--demo'],
      cwd: folder,
      env: { NODE_PATH: '' },
    });
    await terminal.waitFor(/^> +\S/m);
    await terminal.press('q');
    expect((await terminal.waitForExit()).exitCode).toBe(0);
    expect(terminal.raw).not.toContain('loaded ');
  });
});
