import { execFileSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodeFor } from '../../../src/cli/exit-code.ts';
import {
  openRegularFile,
  openRegularFileSync,
  readRegularFile,
  toUnreadableError,
} from '../../../src/history/check/regular-file.ts';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-regular-'));
  await writeFile(join(folder, 'file'), 'text');
  await mkdir(join(folder, 'folder'));
  await symlink(join(folder, 'circle'), join(folder, 'circle'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('Opening a regular file', () => {
  it.each([
    ['absent', /there is no .*absent$/],
    ['file/below', /there is no .*below: part of the path is not a folder$/],
    ['folder', /folder is a folder$/],
    ['circle', /its links form a loop$/],
    ['pipe', /pipe is a pipe or a device, not a file$/],
    ['../../../../../../dev/zero', /zero is a pipe or a device, not a file/],
    ['x'.repeat(300), /the name is too long$/],
  ])('A file that is not regular is refused at once in one sentence: %s', async (name, sentence) => {
    const path = join(folder, name);
    const errors = [
      await openRegularFile(path).catch((error: unknown) => error),
      await readRegularFile(path, 9).catch(e => e),
    ];
    expect(() => openRegularFileSync(path)).toThrow(sentence);
    for (const error of errors) {
      expect(error).toBeInstanceOf(UnreadableError);
      expect(String(error)).toMatch(sentence);
      expect(exitCodeFor(error)).toBe(2);
    }
  });

  it.each([
    ['EACCES', 'no permission to read x'],
    ['EPERM', 'the system does not allow reading x'],
    ['EIO', 'x cannot be read: the disk reports an error'],
    ['EISDIR', 'x is a folder'],
    ['ENXIO', 'x is a pipe or a device, not a file'],
    ['EMFILE', 'x cannot be read: boom'],
  ])('A file that the system refuses with %s is reported in one sentence', (code, sentence) => {
    expect(toUnreadableError('x', Object.assign(new Error('boom'), { code }))).toEqual(
      new UnreadableError(sentence, code),
    );
  });

  it('A file is read through a link, and only up to the agreed size', async () => {
    await symlink('file', join(folder, 'link'));
    expect(await readRegularFile(join(folder, 'link'), 4)).toBe('text');
    await expect(readRegularFile(join(folder, 'link'), 3)).rejects.toThrow('is too large: 4 bytes, the limit is 3');
  });

  it('A file is opened, and a path that is not a regular file leaves nothing open', async () => {
    const descriptor = openRegularFileSync(join(folder, 'file'));
    closeSync(descriptor);
    for (let turn = 0; turn < 20; turn++) expect(() => openRegularFileSync(join(folder, 'folder'))).toThrow();
    const next = openRegularFileSync(join(folder, 'file'));
    closeSync(next);
    expect(next).toBeLessThan(descriptor + 20);
  });

  it('A file error of another kind stays as it is', () => {
    const fault = new TypeError('ours');
    expect(toUnreadableError('x', fault)).toBe(fault);
    for (const other of [{ code: 'EIO' }, 'EIO', Object.assign(new Error('x'), { code: 5 }), new UnreadableError('x')])
      expect(toUnreadableError('x', other)).toBe(other);
    expect(new UnreadableError('x')).toMatchObject({ name: 'UnreadableError', code: '' });
  });
});
