import { spawnSync } from 'node:child_process';
import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

const version = (cache: string) =>
  spawnSync(process.execPath, [bundle, '--version'], { env: { XDG_CACHE_HOME: cache }, encoding: 'utf8' });

/** The folder that Node makes in ours: one of its version, this processor and this person. */
async function keptCode(cache: string): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  const [name = 'none'] = await readdir(join(cache, 'blockglass'));
  const folder = join(cache, 'blockglass', name);
  return { folder, files: (await readdir(folder)).map(file => join(folder, file)) };
}

describe('Compile cache', () => {
  it('The compile cache is accessible only to its user', async () => {
    await using folder = await temporaryFolder();
    const cache = join(folder.path, 'new');
    version(cache);
    const { files } = await keptCode(cache);
    expect(files).toHaveLength(1);
    for (const path of files) expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(cache, 'blockglass'))).mode & 0o777).toBe(0o700);
  });

  it('The compile cache is not run when it is damaged', async () => {
    await using folder = await temporaryFolder();
    const first = version(folder.path);
    const { files } = await keptCode(folder.path);
    for (const path of files) {
      const code = await readFile(path);
      for (const at of [0, 8, 100, code.length >> 1, code.length - 1]) {
        const damaged = Buffer.from(code);
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        await writeFile(path, damaged);
        expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
        expect(await readFile(path)).not.toEqual(damaged);
      }
      await writeFile(path, code.subarray(0, 5));
      expect(version(folder.path)).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
    }
  });

  const PLACES = [
    ["the program's folder", 0o707, (cache: string) => join(cache, 'blockglass')],
    ['the folder of all caches', 0o777, (cache: string) => cache],
  ] as const;

  it.each(PLACES)(
    'The compile cache is neither run nor written when others may write it: %s',
    async (_, mode, place) => {
      await using folder = await temporaryFolder();
      version(folder.path);
      const { files } = await keptCode(folder.path);
      for (const path of files) await writeFile(path, 'not touched');
      await chmod(place(folder.path), mode);
      expect(version(folder.path)).toMatchObject({ status: 0, stderr: '' });
      for (const path of files) expect(await readFile(path, 'latin1')).toBe('not touched');
    },
  );

  it.each(PLACES)(
    'The compile cache is neither run nor written when it has another owner: %s',
    async (_, _mode, place) => {
      await using folder = await temporaryFolder();
      version(folder.path);
      const { files } = await keptCode(folder.path);
      for (const path of files) await writeFile(path, 'not touched');
      if (process.getuid?.() === 0) await chown(place(folder.path), 12_345, 12_345);
      else await chmod(place(folder.path), 0o777);
      expect(version(folder.path)).toMatchObject({ status: 0, stderr: '' });
      for (const path of files) expect(await readFile(path, 'latin1')).toBe('not touched');
    },
  );

  it('The program works without a compile cache when nothing can be stored', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(version(file)).toMatchObject({ status: 0, stderr: '' });
    expect(version('/proc/nobody')).toMatchObject({ status: 0, stderr: '' });
  });
});
