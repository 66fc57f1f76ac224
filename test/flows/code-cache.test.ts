import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

  it.each([
    ['the file', 0o660, (path: string) => path],
    ['its folder', 0o770, (path: string) => dirname(path)],
    ["the program's folder", 0o707, (path: string) => dirname(dirname(path))],
    ['the folder of all caches', 0o777, (path: string) => dirname(dirname(dirname(path)))],
  ] as const)('that others may write is neither run nor written again: %s', async (_, mode, place) => {
    await using folder = await temporaryFolder();
    const first = version(folder.path);
    const path = await keptCode(folder.path);
    const before = await readFile(path);
    await chmod(place(path), mode);
    expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
    // A run that takes the code adds to its count; one that does not starts anew, where it may write.
    const after = await readFile(path);
    expect(after.readUInt32LE(4)).toBe(1);
    if (place(path) !== path) expect(after.equals(before)).toBe(true);
  });

  it('of another owner is neither run nor written again', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    for (const place of [(path: string) => path, dirname, (path: string) => dirname(dirname(path))]) {
      await using folder = await temporaryFolder();
      version(folder.path);
      const path = await keptCode(folder.path);
      await chown(place(path), 12_345, 12_345);
      expect(version(folder.path)).toMatchObject({ status: 0, stderr: '' });
      expect((await readFile(path)).readUInt32LE(4)).toBe(1);
    }
  });

  it('that is a link or a pipe is not waited for', async () => {
    await using folder = await temporaryFolder();
    const first = version(folder.path);
    const path = await keptCode(folder.path);
    await rename(path, `${path}.real`);
    await symlink(`${path}.real`, path);
    expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
    expect((await readFile(`${path}.real`)).readUInt32LE(4)).toBe(1);
    await rm(path);
    spawnSync('mkfifo', [path]);
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
