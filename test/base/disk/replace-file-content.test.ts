import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFileContent } from '../../../src/base/disk/replace-file-content.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-put-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('A new text replaces what was in the file, for this user only', async () => {
  const path = join(folder, 'file');
  await writeFile(path, 'before');
  await chmod(path, 0o644);
  await replaceFileContent(path, 'after');
  expect(await readFile(path, 'utf8')).toBe('after');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
});

test('A text that cannot replace the file leaves nothing behind', async () => {
  const path = join(folder, 'file');
  await mkdir(path);
  await expect(replaceFileContent(path, 'text')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['file']);
});
