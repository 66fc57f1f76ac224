import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSettings } from '../../src/settings/settings.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const open = () => openSettings({ XDG_CONFIG_HOME: home });
const file = (): string => join(home, 'blockglass', 'config.json');

async function write(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
}

describe('the settings', () => {
  it('are empty where there is no file, and none is made by reading', async () => {
    const opened = await open();
    expect(opened).toMatchObject({ settings: {}, path: file() });
    expect(opened.problem).toBeUndefined();
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('lie below the home folder where no other is named', async () => {
    expect((await openSettings({ HOME: home })).path).toBe(join(home, '.config', 'blockglass', 'config.json'));
  });

  it('are what the file says', async () => {
    const settings = {
      node: 'main',
      profiles: { main: 'https://n.example' },
      pageSize: 100,
      columns: { provisions: { version: false } },
      aliases: { ['c4'.repeat(32)]: 'cold wallet' },
    };
    await write(JSON.stringify(settings));
    expect((await open()).settings).toEqual(settings);
  });

  it('are kept, for their owner alone', async () => {
    await (await open()).save({ columns: { provisions: { version: false } } });
    expect((await open()).settings.columns).toEqual({ provisions: { version: false } });
    expect((await stat(file())).mode & 0o077).toBe(0);
  });

  it('keep what was not changed', async () => {
    await write('{"node":"main"}');
    await (await open()).save({ pageSize: 7 });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ node: 'main', pageSize: 7 });
  });

  it.each([
    ['{"node":', 'cut off'],
    ['{"pageSize":"many"}', 'of a wrong type'],
    ['{"pageSize":0}', 'out of range'],
    ['{"pageSize":5001}', 'out of range'],
    ['{"profiles":{"main":7}}', 'no address'],
    ['{"aliases":{"c4ce":""}}', 'no word'],
    ['{"aliases":{"c4ce":7}}', 'no word'],
    ['{"aliases":{"41":"epoch"}}', 'no id'],
    [`{"aliases":{"c4ce":"${'x'.repeat(61)}"}}`, 'a word without an end'],
    ['\u0000\u001b[2J', 'no text'],
  ])('%j, which is %s, cost a sentence and never the start', async text => {
    await write(text);
    const opened = await open();
    expect(opened.settings).toEqual({});
    expect(opened.problem).toMatch(/config\.json is not used: /);
    await opened.save({ pageSize: 7 });
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it.each(['[]', '"text"'])('%s, which is no object, cost a sentence', async text => {
    await write(text);
    expect((await open()).problem).toMatch(/is not used: /);
  });

  it('that cannot be written are rejected when they are saved', async () => {
    const opened = await open();
    await writeFile(join(home, 'blockglass'), 'a file where the folder should be');
    await expect(opened.save({ pageSize: 7 })).rejects.toThrow();
  });

  it('that are no ordinary file are a sentence, and nobody waits for them', async () => {
    await mkdir(dirname(file()), { recursive: true });
    for (const make of [() => spawnSync('mkfifo', [file()]), () => symlink('/dev/zero', file()), () => mkdir(file())]) {
      await make();
      const opened = await open();
      expect(opened).toMatchObject({ settings: {}, problem: `${file()} is not used: it is no ordinary file` });
      await rm(file(), { recursive: true });
    }
  });

  it.each([
    ['\ufeff{}', 'it begins with a byte order mark: save it as UTF-8 without one'],
    ['{"node":"http://user:secret@h",,}', 'it is no JSON, from line 1 column 32 on'],
    ['secret', 'it is no JSON'],
    [`{"profiles":{"http://user:secret@h":3}}`, 'one of its members is not as it should be'],
    [' '.repeat(2 ** 20 + 1), 'it is larger than 1 MiB'],
  ])('that cannot be used are a sentence that quotes nothing of them: %#', async (written, reason) => {
    await write(written);
    expect((await open()).problem).toBe(`${file()} is not used: ${reason}`);
  });
});
