import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/base/settings/settings-faults.ts';
import { editSettingsFile, openSettings } from '../../../src/base/settings/settings-file.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = (): string => join(home, 'blockglass', 'config.json');
const written = async (): Promise<unknown> => JSON.parse(await readFile(file(), 'utf8'));

async function write(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text, { mode: 0o600 });
}

const withMember = (name: string, value: unknown) => editSettingsFile(file(), rest => ({ ...rest, [name]: value }));

describe('Settings change', () => {
  it('A change is applied to the current file, not to what was read at the start', async () => {
    const opened = openSettings({ XDG_CONFIG_HOME: home });
    await write('{"theme":"dark"}');
    await opened.save({ pageSize: 7 });
    expect(await written()).toEqual({ theme: 'dark', pageSize: 7 });
  });

  it('A change loses none of those that others make at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `member ${index}`);
    await Promise.all(names.map(name => withMember(name, name)));
    expect(await written()).toEqual(Object.fromEntries(names.map(name => [name, name])));
    expect(await readdir(dirname(file()))).toEqual(['config.json']);
  });

  it.each([
    ['{"node":', 'it is not valid JSON: unexpected end of the file, at node'],
    ['', 'it is not valid JSON: unexpected end of the file'],
    ['{"theme":"dark",\n"theme":"light"}', 'theme: appears twice'],
    ['{"profiles":{"main":"http://a",\n"main":"http://b"}}', 'profiles.main: appears twice'],
    ['{"later":{"x":1,"x":2}}', 'later.x: appears twice'],
  ])('A change is refused if it would lose something of a file written in the meantime: %j', async (text, reason) => {
    const opened = openSettings({ XDG_CONFIG_HOME: home });
    await write(text);
    await expect(opened.save({ pageSize: 7 })).rejects.toThrow(
      `${file()}: ${reason}; nothing is changed until it is fixed`,
    );
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it('A change quotes no part of a file that was broken in the meantime', async () => {
    await write('{"node":"http://me:secret@h"');
    await expect(withMember('pageSize', 7)).rejects.toThrow(/^(?!.*secret)/);
  });

  it.each([
    ['profiles', Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`n${index}`, 'http://n'])), 'at most'],
    ['later', 'x'.repeat(2 ** 20), 'larger than the limit of 1 MiB'],
    ['later', Array.from({ length: 60 }).reduce((inner: unknown) => [inner], 0), 'nested too deeply'],
    ['theme', 'pink', 'theme: must be one of'],
  ])('A change is refused if the result could not be read again: %s', async (name, value, reason) => {
    await write('{"pageSize":7}');
    await expect(withMember(name, value)).rejects.toThrow(reason);
    expect(await written()).toEqual({ pageSize: 7 });
  });

  it('A change follows links, and never replaces one with a file', async () => {
    await mkdir(dirname(file()), { recursive: true });
    await writeFile(join(home, 'real.json'), '{"theme":"dark"}', { mode: 0o600 });
    await symlink(join(home, 'real.json'), file());
    await withMember('pageSize', 7);
    expect(JSON.parse(await readFile(join(home, 'real.json'), 'utf8'))).toEqual({ theme: 'dark', pageSize: 7 });
    expect(await readdir(home)).toEqual(['blockglass', 'real.json']);
  });

  it('A change that fails reports where and why, and leaves nothing behind', async () => {
    await writeFile(join(home, 'blockglass'), 'a file where the folder should be');
    await expect(withMember('pageSize', 7)).rejects.toThrow(/config\.json: (?:not a directory|file already exists)$/);
    await expect(editSettingsFile('/proc/none/config.json', rest => rest)).rejects.toThrow('/proc/none/config.json: ');
    expect(await readdir(home)).toEqual(['blockglass']);
  });

  it('A change keeps all other content, which can be read again', async () => {
    await mkdir(dirname(file()), { recursive: true });
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('profiles', 'node', '__proto__', 'constructor', 'toJSON', 'a.b'),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }), async content => {
        const text = JSON.stringify(content);
        await writeFile(file(), text);
        await withMember('pageSize', 7);
        const expected: unknown = JSON.parse(JSON.stringify({ ...JSON.parse(text), pageSize: 7 }));
        expect(await written()).toEqual(expected);
        expect(readSettings(await readFile(file(), 'utf8')).settings.pageSize).toBe(7);
      }),
      { numRuns: 60 },
    );
  });

  it('A change is complete or absent if the program is killed during it', async () => {
    await write('{"pageSize":1}');
    const source = new URL('../../../src/base/settings/settings-file.ts', import.meta.url).href;
    const script = `
      const { editSettingsFile } = await import(${JSON.stringify(source)});
      for (let n = 1; ; n++) {
        await editSettingsFile(${JSON.stringify(file())}, rest => ({ ...rest, later: 'x'.repeat(n % 7 * 50_000), n }));
        console.log(n);
      }
    `;
    for (const edits of [1, 5, 30]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'close');
      let told = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        told += String(text);
        if (told.split('\n').length > edits) child.kill('SIGKILL');
      }
      await ended;
      expect(await written()).toMatchObject({ pageSize: 1 });
    }
    expect((await stat(file())).mode & 0o077).toBe(0);
  });
});
