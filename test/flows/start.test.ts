import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openTerminal } from '../support/terminal.ts';
import { bundle, hasRows } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

/** Modules of Node that take milliseconds to load and are no use to raw mode. */
const COSTLY = ['http', 'https', 'tls', 'zlib', 'crypto', 'sqlite', 'child_process', 'dns', 'readline'];

const MAX_BYTES = 1_850_000;
const MAX_BYTES_AT_START = 11_000;

describe('Program start', () => {
  it('The program turns raw mode on before drawing and before anything slow is loaded, including itself', async () => {
    await using folder = await temporaryFolder();
    const noted = join(folder.path, 'modules.json');
    const recorder = pathToFileURL('test/flows/support/modules-at-claim.mjs').href;
    await using terminal = await openTerminal({
      command: process.execPath,
      args: ['--import', recorder, bundle, '--demo'],
      env: { MODULES_AT_CLAIM: noted },
    });
    await terminal.waitFor(hasRows);
    const { isRaw, hasWritten, builtins, files } = JSON.parse(await readFile(noted, 'utf8'));
    expect([isRaw, hasWritten]).toEqual([true, false]);
    expect(COSTLY.filter(name => builtins.includes(`NativeModule ${name}`))).toEqual([]);
    const own = files.filter((url: string) => url.startsWith('file:'));
    expect(own.map((url: string) => basename(url))).toEqual(['start.js']);
  });

  it('The program runs from wherever its folder is copied, and by a link to it, including its threads', async () => {
    await using folder = await temporaryFolder();
    await cp(dirname(bundle), join(folder.path, 'lib/copy'), { recursive: true });
    await writeFile(join(folder.path, 'lib/package.json'), '{ "type": "module" }');
    await symlink(join(folder.path, 'lib/copy/start.js'), join(folder.path, 'blockglass'));
    const words = [join(folder.path, 'blockglass'), 'list', 'parameters', '--demo', '--first', '1', '-o', 'ndjson'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['key', 'value']);
  });

  it('The program can be loaded directly by any tool, without the start file', async () => {
    const program = join(dirname(bundle), 'blockglass.js');
    const words = [program, 'list', 'parameters', '--demo', '--first', '1', '-o', 'ndjson'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['key', 'value']);
  });

  it.each([
    ['two pool threads on one processor', {}, 2],
    ['as many as it was told to', { UV_THREADPOOL_SIZE: '3' }, 3],
  ])('The program has %s', async (_, env, expected) => {
    const processor = /Cpus_allowed_list:\s*(\d+)/.exec(await readFile('/proc/self/status', 'latin1'))?.[1] ?? '0';
    const args = ['-c', processor, process.execPath, bundle, '--demo'];
    await using terminal = await openTerminal({ command: 'taskset', args, env });
    await terminal.waitFor(hasRows);
    const threads = await readdir(`/proc/${terminal.pid}/task`);
    const names = await Promise.all(threads.map(id => readFile(`/proc/${terminal.pid}/task/${id}/comm`, 'latin1')));
    expect(names.filter(name => name === 'libuv-worker\n')).toHaveLength(expected);
  });

  it('The start file and the program are small', async () => {
    expect((await stat(bundle)).size).toBeLessThan(MAX_BYTES_AT_START);
    expect((await stat(join(dirname(bundle), 'blockglass.js'))).size).toBeLessThan(MAX_BYTES);
  });
});
