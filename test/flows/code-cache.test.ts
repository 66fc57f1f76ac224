import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

const version = (cache: string) =>
  spawnSync(process.execPath, [bundle, '--version'], { env: { XDG_CACHE_HOME: cache }, encoding: 'utf8' });

async function keptCode(cache: string): Promise<string> {
  const [folder = 'none'] = await readdir(join(cache, 'blockglass'));
  return join(cache, 'blockglass', folder, 'help');
}

describe('compiled code', () => {
  it('is kept for the person alone, and taken by the next start', async () => {
    await using folder = await temporaryFolder();
    const first = version(folder.path);
    const path = await keptCode(folder.path);
    const runs = async () => (await readFile(path)).readUInt32LE(4);
    expect([(await stat(path)).mode & 0o777, await runs()]).toEqual([0o600, 1]);
    expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
    expect(await runs()).toBe(2);
  });

  it('that is damaged is not run', async () => {
    await using folder = await temporaryFolder();
    const first = version(folder.path);
    const path = await keptCode(folder.path);
    const code = await readFile(path);
    for (const at of [0, 8, 100, code.length >> 1, code.length - 1]) {
      const damaged = Buffer.from(code);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      await writeFile(path, damaged);
      expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
      expect((await readFile(path)).readUInt32LE(4)).toBe(1);
    }
    await writeFile(path, code.subarray(0, 5));
    expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
  });

  it('of another build is removed', async () => {
    await using folder = await temporaryFolder();
    const old = join(folder.path, 'blockglass', 'code-000000000000-v1.0.0-x64');
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'help'), 'old');
    version(folder.path);
    expect(await readdir(join(folder.path, 'blockglass'))).toEqual([expect.not.stringContaining('000000000000')]);
  });

  it('is done without where nothing can be kept', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(version(file)).toMatchObject({ status: 0, stderr: '' });
  });
});
