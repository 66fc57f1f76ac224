import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeAmbiguity, settingsFaultText } from '../../../src/base/settings/settings-faults.ts';
import { openSettings, settingsWithFaults } from '../../../src/base/settings/settings-file.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const open = async () => openSettings({ XDG_CONFIG_HOME: home });
const file = (): string => join(home, 'blockglass', 'config.json');

async function write(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
}

describe('Settings', () => {
  it('The settings are empty if there is no file, and reading creates none', async () => {
    const opened = await open();
    expect(opened).toMatchObject({ settings: {}, path: file() });
    expect(opened.problem).toBeUndefined();
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it('The settings are in the home folder unless another folder is given', async () => {
    expect((await openSettings({ HOME: home })).path).toBe(join(home, '.config', 'blockglass', 'config.json'));
  });

  it('The settings are those in the file', async () => {
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

  it('The settings are saved for their owner only', async () => {
    await (await open()).save({ columns: { provisions: { version: false } } });
    expect((await open()).settings.columns).toEqual({ provisions: { version: false } });
    expect((await stat(file())).mode & 0o077).toBe(0);
  });

  it('The settings keep what was not changed', async () => {
    await write('{"node":"main"}');
    await (await open()).save({ pageSize: 7 });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toMatchObject({ node: 'main', pageSize: 7 });
  });

  it('The settings lose what is removed, and nothing else', async () => {
    await write('{"node":"main","pageSize":7,"later":[1]}');
    await (await open()).save({ node: undefined });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ pageSize: 7, later: [1] });
  });

  it.each([
    ['{"node":', 'at node'],
    ['[]', 'it is not a JSON object'],
    ['"text"', 'it is not a JSON object'],
    ['\u0000\u001b[2J', 'it is not valid JSON: expected a value'],
  ])('Unusable settings, %j, are reported in one sentence, and never overwritten', async text => {
    await write(text);
    const opened = await open();
    expect(opened.settings).toEqual({});
    expect(opened.problem).toMatch(/config\.json is not used: it is not /);
    await expect(opened.save({ pageSize: 7 })).rejects.toThrow('is not used');
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it.each([
    ['{\n"pageSize":"many"}', 'pageSize: must be a whole number from 1 to 5000'],
    ['{"pageSize":0}', 'pageSize: must be a whole number from 1 to 5000'],
    ['{"pageSize":5001}', 'pageSize: must be a whole number from 1 to 5000'],
    ['{"pageSize":1.5}', 'pageSize: must be a whole number from 1 to 5000'],
    ['{"theme":\n"pink"}', 'theme: must be one of auto, dark, light, contrast, mono'],
    ['{"preview":true}', 'preview: must be one of on, off'],
    ['{"node":""}', 'node: must not be empty'],
    ['{"profiles":7}', 'profiles: must be an object'],
    ['{"profiles":\n{"main":7}}', 'profiles.main: must be an address, or an object with a url'],
    ['{"profiles":{\n"main":{\n"colour":"red",\n"url":8}}}', 'profiles.main.url: must be text'],
    ['{"profiles":{"main":{}}}', 'profiles.main: has no url'],
    [
      '{"profiles":{"main":{"url":"n","colour":\n"pink"}}}',
      'profiles.main.colour: must be one of green, yellow, red, blue, magenta, cyan',
    ],
    ['{"profiles":{"main":{"url":"n","presets":{"x":["a",\n7]}}}}', 'profiles.main.presets.x.1: must be text'],
    ['{"columns":{"fees":{"total":"no"}}}', 'columns.fees.total: must be true or false'],
    ['{"aliases":{"c4ce":""}}', 'aliases.c4ce: must not be empty'],
    ['{"aliases":{"c4ce":7}}', 'aliases.c4ce: must be text'],
    ['{"aliases":{\n\n"41":"epoch"}}', 'aliases.41: its name must have at least 4 characters'],
    [`{"aliases":{"c4ce":"${'x'.repeat(61)}"}}`, 'aliases.c4ce: must have at most 60 characters'],
    ['{"node":"a",\n"node":"b"}', 'node: appears twice'],
    ['{"tehme":"dark"}', 'tehme: is not a setting'],
    ['{"profiles":{"main":{"url":"n","color":"red"}}}', 'profiles.main.color: is not a setting'],
  ])('The settings %j have an error, which is reported with its line: %s', async (text, sentence) => {
    await write(text);
    expect((await open()).faults.map(settingsFaultText)).toEqual([sentence]);
  });

  it('The settings are used as far as they are valid', async () => {
    await write(
      JSON.stringify({
        theme: 'pink',
        times: 'clock',
        pageSize: 70,
        profiles: {
          main: { url: 'http://n', colour: 'pink', presets: { a: ['x'], b: 'y', c: ['x', 7] } },
          other: 7,
          third: 'http://3',
        },
        aliases: { c4ce: 'cold wallet', 41: 'epoch' },
        columns: { fees: { total: false, asset: 7 }, oracles: 7 },
      }),
    );
    const { settings, problem } = await open();
    expect(settings).toEqual({
      times: 'clock',
      pageSize: 70,
      profiles: { main: { url: 'http://n', presets: { a: ['x'] } }, third: 'http://3' },
      aliases: { c4ce: 'cold wallet' },
      columns: { fees: { total: false } },
    });
    expect(problem).toMatch(/^settings .*; \d more: blockglass config show$/);
  });

  it('A profile whose address cannot be used has an error, which does not quote it', async () => {
    const profiles = {
      ...{ a: 'ftp://x', b: { url: 'ftp://me:secret@x' }, c: 'http://h:secret', d: { url: 'http://u:pa/ss@h' } },
      ...{ good: 'localhost:3008', fine: { url: 'https://u:p@h/path' } },
    };
    await write(JSON.stringify({ profiles }));
    const { settings, faults } = await open();
    expect(settings).toEqual({ profiles: { good: profiles.good, fine: profiles.fine } });
    expect(faults.map(settingsFaultText)).toEqual([
      'profiles.a: must be http or https',
      'profiles.b.url: must be http or https',
      'profiles.c: is not an address such as https://node.example:3008',
      'profiles.d.url: is not an address such as https://node.example:3008',
    ]);
  });

  it('A node given twice in the settings is not used, because it is unclear which one is meant', async () => {
    const doubled = '"main":"http://a","main":"http://b","odd":{"url":"http://c","url":"http://d"},"third":"http://3"';
    await write(`{"node":"main","node":"third","theme":"dark","theme":"light","profiles":{${doubled}}}`);
    const { settings, faults } = await open();
    expect(settings).toEqual({ theme: 'light', profiles: { third: 'http://3' } });
    expect(faults).toHaveLength(4);
    await write('{"profiles":{"main":"http://a"},"profiles":{"main":"http://b"}}');
    expect((await open()).settings).toEqual({});
  });

  it('Unknown settings of a later release are no problem, and are kept', async () => {
    await write('{"sound":"loud","theme":"dark"}');
    const opened = await open();
    expect([opened.problem, opened.settings]).toEqual([undefined, { theme: 'dark' }]);
    await opened.save({ pageSize: 7 });
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ sound: 'loud', theme: 'dark', pageSize: 7 });
  });

  it('The settings do not give the name of the embedded node to another node', async () => {
    await write('{"node":"demo","profiles":{"demo":\n"http://n"}}');
    const opened = await open();
    expect(opened.settings).toEqual({ node: 'demo', profiles: {} });
    expect(opened.faults.map(settingsFaultText)).toEqual(['profiles.demo: its name is reserved for the embedded node']);
    expect(nodeAmbiguity(settingsWithFaults(opened), 'demo')).toBeDefined();
  });

  it('The settings accept no profile whose name may be an address with a password', async () => {
    await write('{"profiles":{"http://me:secret@h":"x","main":"http://n"}}');
    const { settings, faults } = await open();
    expect(settings.profiles).toEqual({ main: 'http://n' });
    expect(faults.map(settingsFaultText)).toEqual([
      'profiles.***: its name has an @: put the address, with its login, in the value',
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])('The settings accept profiles of any name: %s', async name => {
    await write(`{"profiles":{"${name}":"http://n"}}`);
    const { settings, faults } = await open();
    expect([Object.entries(settings.profiles ?? {}), faults]).toEqual([[[name, 'http://n']], []]);
  });

  it.each([
    [{ XDG_CONFIG_HOME: 'config', HOME: '/h' }, '/h/.config/blockglass/config.json'],
    [{ XDG_CONFIG_HOME: '.', HOME: '/h' }, '/h/.config/blockglass/config.json'],
    [{ XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/blockglass/config.json'],
    [{ HOME: 'h' }, ''],
  ])('The settings are in no folder that depends on the current directory: %j', (env, path) => {
    expect(openSettings(env).path).toBe(path);
  });

  it('The settings are in doubt behind a link that leads nowhere, and the link remains', async () => {
    await mkdir(dirname(file()), { recursive: true });
    await symlink(join(home, 'nowhere'), file());
    const opened = await open();
    expect(opened.problem).toBe(
      `${file()} is not used: it links to a missing file. Create that file, or remove the link`,
    );
    expect(nodeAmbiguity(settingsWithFaults(opened), undefined)).toBeDefined();
    await expect(opened.save({ pageSize: 7 })).rejects.toThrow('remove the link');
    await expect(stat(join(home, 'nowhere'))).rejects.toThrow('ENOENT');
  });

  it('The settings are in doubt if they cannot be reached, because they may give a node', async () => {
    await mkdir(dirname(file()), { recursive: true });
    await symlink('config.json', file());
    const opened = await open();
    expect(opened.problem).toBe(`${file()} is not used: it cannot be read (ELOOP)`);
    expect(nodeAmbiguity(settingsWithFaults(opened), undefined)).toBeDefined();
  });

  it('The settings are absent if a file is in the place of their folder', () => {
    expect(openSettings({ XDG_CONFIG_HOME: '/dev/null/none' })).toMatchObject({ isThere: false, faults: [] });
  });

  it('Settings that cannot be written fail when they are saved', async () => {
    const opened = await open();
    await writeFile(join(home, 'blockglass'), 'a file where the folder should be');
    await expect(opened.save({ pageSize: 7 })).rejects.toThrow();
  });

  it('Settings in anything but a regular file are reported in one sentence, without blocking', async () => {
    await mkdir(dirname(file()), { recursive: true });
    for (const make of [() => spawnSync('mkfifo', [file()]), () => symlink('/dev/zero', file()), () => mkdir(file())]) {
      await make();
      const opened = await open();
      expect(opened).toMatchObject({ settings: {}, problem: `${file()} is not used: it is not a regular file` });
      await rm(file(), { recursive: true });
    }
  });

  it.each([
    ['\ufeff{}', 'it begins with a byte order mark: save it as UTF-8 without one'],
    ['{"node":"http://user:secret@h",,}', 'it is not valid JSON: expected a name in double quotes, at node'],
    ['{"http://user:secret@h":\n}', 'it is not valid JSON: expected a value, at ***'],
    ['secret', 'it is not valid JSON: expected a value'],
    [' '.repeat(2 ** 20 + 1), 'it is larger than 1 MiB'],
  ])('Unusable settings are reported in one sentence that does not quote them: %#', async (written, reason) => {
    await write(written);
    expect((await open()).problem).toBe(`${file()} is not used: ${reason}`);
  });

  it('Faults of the settings quote no value, and no name that may be an address', async () => {
    const login = 'http://user:secret@h';
    const wrong = [
      { [login]: login },
      { profiles: { [login]: 7, 'user:secret': { url: [login] }, a: { url: 'n', [login]: 1, colour: login } } },
      { theme: login, times: [login], node: { login }, columns: { [login]: login }, aliases: { [login]: { login } } },
      { profiles: { a: { url: 'n', presets: { [login]: [7] } } } },
    ];
    for (const settings of wrong) {
      await write(JSON.stringify(settings, null, 1));
      const { faults, problem } = await open();
      expect(faults.length).toBeGreaterThan(0);
      expect(`${faults.map(settingsFaultText).join()} ${problem}`).not.toMatch(/secret|user/);
    }
  });

  it('The settings open with any content, and the values used are valid', async () => {
    const names = ['node', 'profiles', 'theme', 'pageSize', 'aliases', 'columns', 'main', 'url', 'presets', 'x'];
    const values = fc.letrec(tie => ({
      value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.constantFrom('dark', 7, true), tie('object')),
      object: fc.dictionary(fc.constantFrom(...names), tie('value')),
    }));
    await mkdir(dirname(file()), { recursive: true });
    await fc.assert(
      fc.asyncProperty(values.object, fc.constantFrom(0, 2), async (value, indent) => {
        await writeFile(file(), JSON.stringify(value, null, indent));
        const { settings } = await open();
        const read = JSON.stringify(settings);
        await writeFile(file(), read);
        const again = await open();
        // Right is what has no fault.
        expect(again.faults).toEqual([]);
        expect(JSON.stringify(again.settings)).toBe(read);
      }),
    );
  });
});

describe('Choice of the node from the settings', () => {
  const profiles = '"profiles":{"main":"http://n","bad":{"url":7},"odd":{"url":"http://o","colour":"pink"}}';
  const doubt = async (text: string, wanted?: string) => {
    await write(text);
    const found = nodeAmbiguity(settingsWithFaults(await open()), wanted);
    return found === undefined ? undefined : settingsFaultText(found);
  };

  it.each([
    [`{${profiles}}`, 'main'],
    [`{${profiles}}`, 'odd'],
    [`{${profiles}}`, undefined],
    [`{"node":"main",${profiles}}`, undefined],
    [`{"node":7,${profiles}}`, 'main'],
    ['{"theme":"pink"}', undefined],
    ['{"profiles":7}', undefined],
    ['{"sound":7}', undefined],
  ])('The choice of the node is clear with %s for %s', async (text, wanted) => {
    expect(await doubt(text, wanted)).toBeUndefined();
  });

  it.each([
    [`{${profiles}}`, 'bad', /profiles\.bad\.url: must be text/],
    [`{"node":"bad",${profiles}}`, undefined, /profiles\.bad\.url/],
    [`{"node":7,${profiles}}`, undefined, /node: must be text/],
    ['{"node":"a","node":"b"}', undefined, /node: appears twice/],
    ['{"profiles":{"main":"a","main":"b"}}', 'main', /profiles\.main: appears twice/],
    ['{"profiles":7}', 'main', /profiles: must be an object/],
    ['{"node":"main","profiles":7}', undefined, /profiles: must be an object/],
    ['{"node":', undefined, /it is not valid JSON/],
    ['{"node":', 'main', /it is not valid JSON/],
  ])('The choice of the node is in doubt with %s for %s', async (text, wanted, sentence) => {
    expect(await doubt(text, wanted)).toMatch(sentence);
  });
});
