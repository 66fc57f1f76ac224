import { lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './run-command.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const file = (): string => join(home, 'blockglass', 'config.json');
const node = (...words: readonly string[]) => run(['node', ...words], { env: { XDG_CONFIG_HOME: home } });
const written = async (): Promise<unknown> => JSON.parse(await readFile(file(), 'utf8'));

async function write(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
}

const SECRET = 'https://user:se%2Fcret@node.example:3008/data/';

describe('node add', () => {
  it('`node add` saves an address under a name, in a file accessible only to its owner', async () => {
    const { code, out, err } = await node('add', 'main', 'node.example:3008/api/v2', '--colour', 'green');
    expect([code, out]).toEqual([0, 'main is http://node.example:3008\n']);
    expect(err).toBe('to make it the default node: blockglass node use main\n');
    expect(await written()).toEqual({ profiles: { main: { url: 'http://node.example:3008', colour: 'green' } } });
    expect((await stat(file())).mode & 0o077).toBe(0);
  });

  it('`node add` restricts the file to its owner if it was not', async () => {
    await write('{"theme":"dark"}');
    await node('add', 'main', 'http://n');
    expect((await stat(file())).mode & 0o077).toBe(0);
    expect(await written()).toEqual({ theme: 'dark', profiles: { main: { url: 'http://n' } } });
  });

  it('`node add` saves a login and never shows it', async () => {
    const told = [await node('add', 'main', SECRET), await node('list'), await node('list', '-o', 'json')];
    told.push(await node('list', '-o', 'csv'), await node('add', 'main', SECRET), await node('use', 'other'));
    for (const { out, err } of told) expect(`${out}${err}`).not.toMatch(/user|cret/);
    expect(told[1]?.out).toContain('https://***@node.example:3008/data');
    expect(await written()).toMatchObject({ profiles: { main: { url: SECRET.replace(/\/$/, '') } } });
  });

  it('`node add` refuses an existing name without `--replace`, and replacing keeps colour and presets', async () => {
    const profile = { url: 'http://a', colour: 'red', presets: { month: ['--last', '4'] } };
    await write(JSON.stringify({ profiles: { main: profile, text: 'http://t' } }));
    for (const name of ['main', 'text']) {
      const { code, err } = await node('add', name, 'http://b');
      expect([code, err]).toEqual([2, expect.stringContaining(`node ${name} exists already. Use --replace`)]);
    }
    expect((await node('add', 'main', 'http://b', '--replace')).code).toBe(0);
    expect(await written()).toEqual({ profiles: { text: 'http://t', main: { ...profile, url: 'http://b' } } });
    await node('add', 'main', 'http://b', '--replace', '--colour', 'blue');
    expect(await written()).toMatchObject({ profiles: { main: { colour: 'blue' } } });
  });

  it.each([
    ['node.example', 'it looks like an address'],
    ['localhost', 'it looks like an address'],
    ['http://n', 'it looks like an address'],
    ['10.0.0.1', 'it looks like an address'],
    ['demo', 'the embedded node has this name'],
    ['', 'use letters, digits'],
    ['a\u001b[2J', 'use letters, digits'],
    ['a@b', 'it looks like an address'],
    ['x'.repeat(41), 'use letters, digits'],
    ['__proto__', 'use letters, digits'],
  ])('`node add` refuses %j as a name', async (name, why) => {
    const { code, err } = await node('add', name, 'http://n');
    expect([code, err]).toEqual([2, expect.stringContaining(`a node cannot have that name: ${why}`)]);
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  it.each([
    ['ftp://x.example', 'is neither http nor https'],
    ['http://user:secret@', 'is not an address'],
    ['', 'is not an address'],
  ])('`node add` refuses %j as an address', async (address, why) => {
    const { code, err } = await node('add', 'main', address);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect(err).not.toContain('secret');
  });

  it('`node add` refuses an unknown colour, and suggests the closest one', async () => {
    expect((await node('add', 'main', 'http://n', '--colour', 'gren')).err).toContain(
      '--colour must be one of green, yellow, red, blue, magenta, cyan, not "gren"; did you mean "green"?',
    );
  });
});

describe('node use', () => {
  it('`node use` sets the default node', async () => {
    await write('{"profiles":{"main":"http://n"}}');
    expect(await node('use', 'main')).toEqual({ code: 0, err: '', out: 'the default node is now main\n' });
    expect(await written()).toEqual({ node: 'main', profiles: { main: 'http://n' } });
  });

  it('`node use` can set the embedded node as the default again', async () => {
    await write('{"node":"main","profiles":{"main":"http://n"}}');
    expect((await node('use', 'demo')).out).toBe('the default node is now the embedded demo node\n');
    expect(await written()).toEqual({ profiles: { main: 'http://n' } });
  });

  it('`node use` reports that the environment variable overrides the default', async () => {
    await write('{"profiles":{"main":"http://n"}}');
    const env = { XDG_CONFIG_HOME: home, BLOCKGLASS_NODE: 'http://user:secret@h' };
    const { err } = await run(['node', 'use', 'main'], { env });
    expect(err).toBe('note: BLOCKGLASS_NODE is set and overrides the default node\n');
  });

  it('`node use` refuses an unknown name, and suggests the closest one', async () => {
    await write('{"profiles":{"main":"http://n","test":"http://t"}}');
    const { code, err } = await node('use', 'mian');
    expect(code).toBe(2);
    expect(err).toContain('no node with that name. Saved nodes: main, test; did you mean "main"?');
  });

  it('`node use` refuses an invalid profile, with its line', async () => {
    await write('{"profiles":{\n"main":{\n"url":7}}}');
    const { code, err } = await node('use', 'main');
    expect([code, err]).toEqual([2, `blockglass: ${file()}: profiles.main.url: must be text\n`]);
  });
});

describe('node list', () => {
  const settings = {
    node: 'main',
    profiles: { main: { url: SECRET, colour: 'red' }, test: 'localhost:3008', odd: { url: '://' } },
  };

  it('`node list` marks the default node', async () => {
    await write(JSON.stringify(settings));
    const { out, err } = await node('list');
    expect(err).toBe(`${file()}: profiles.odd.url: is not an address such as https://node.example:3008\n`);
    expect(out).toBe(
      [
        '   NAME  ADDRESS                             COLOUR',
        '*  main  https://***@node.example:3008/data  red',
        '   test  http://localhost:3008',
        '',
      ].join('\n'),
    );
  });

  it('`node list` prints machine-readable JSON and CSV', async () => {
    await write(JSON.stringify(settings));
    const [main] = JSON.parse((await node('list', '-o', 'json')).out);
    const address = 'https://***@node.example:3008/data';
    expect(main).toEqual({ name: 'main', address, hasLogin: true, colour: 'red', isDefault: true });
    expect((await node('list', '-o', 'csv')).out.split('\r\n').slice(0, 3)).toEqual([
      'name,address,hasLogin,colour,isDefault',
      `main,${address},true,red,true`,
      'test,http://localhost:3008,false,,false',
    ]);
    expect(await node('list', '-o', 'ndjson')).toMatchObject({ code: 2 });
  });

  it('`node list` without nodes says how to add one', async () => {
    expect(await node('list', '-o', 'json')).toMatchObject({ code: 0, out: '[]\n' });
    expect((await node('list')).err).toContain('no nodes saved yet. Add one with blockglass node add NAME URL.');
  });

  it('`node list` does not state a default node if it is unknown', async () => {
    await write('{"node":"main","profiles":{"main":{"url":7}}}');
    const { code, err } = await node('list');
    expect([code, err]).toEqual([
      0,
      `the default node is unknown, so give --node URL or --demo\n${file()}: profiles.main.url: must be text\n`,
    ]);
  });

  it('`node list` reports invalid profiles and shows the others', async () => {
    await write('{"node":"http://user:secret@h","profiles":{"main":"http://n",\n"bad":7,"http://u:secret@h":"x"}}');
    const { code, out, err } = await node('list');
    expect([code, out]).toEqual([0, expect.stringContaining('main')]);
    expect(err).toContain('profiles.bad: must be an address');
    expect(err).toContain('the default node is http://***@h, which has no name here');
    expect(`${out}${err}`).not.toContain('secret');
  });
});

describe('node remove', () => {
  it('`node remove` removes a node, and reports if it was the default', async () => {
    await write('{"node":"main","pageSize":7,"profiles":{"main":"http://n","test":"http://t"}}');
    expect((await node('remove', 'test')).out).toBe('removed test\n');
    expect((await node('remove', 'main')).out).toBe(
      'removed main. It was the default node; the default is now the embedded demo node.\n',
    );
    expect(await written()).toEqual({ pageSize: 7 });
  });

  it('`node remove` also removes an invalid profile', async () => {
    await write('{"profiles":{"bad":{"url":7},"main":"http://n"}}');
    expect((await node('remove', 'bad')).code).toBe(0);
    expect(await written()).toEqual({ profiles: { main: 'http://n' } });
  });
});

describe('node command', () => {
  it('`node` works if another part of the file is invalid, and leaves that part unchanged', async () => {
    const broken = {
      theme: 'pink',
      later: [1],
      profiles: { bad: { url: 7 }, odd: { url: 'http://o', colour: 'pink' } },
    };
    await write(JSON.stringify(broken));
    for (const words of [
      ['add', 'main', 'http://n'],
      ['use', 'main'],
      ['remove', 'main'],
    ])
      expect((await node(...words)).code).toBe(0);
    expect(await written()).toEqual(broken);
  });

  it('`node` writes to the target of a linked file', async () => {
    await write('{"theme":"dark"}');
    await rename(file(), join(home, 'real.json'));
    await symlink(join(home, 'real.json'), file());
    await node('add', 'main', 'http://n');
    expect((await lstat(file())).isSymbolicLink()).toBe(true);
    expect(await written()).toEqual({ theme: 'dark', profiles: { main: { url: 'http://n' } } });
  });

  it('`node` reports that the settings cannot be written', async () => {
    await writeFile(join(home, 'blockglass'), 'a file where the folder should be');
    const { code, err } = await node('add', 'main', 'http://n');
    expect([code, err]).toEqual([2, expect.stringContaining('the settings cannot be written: ')]);
  });

  it.each([
    ['{\n"profiles":7}', 'profiles: must be an object'],
    ['{"profiles":{},\n"profiles":{}}', 'profiles: appears twice'],
    ['{"profiles":{}\n', 'it is not valid JSON: unexpected end of the file'],
  ])('`node` changes nothing if that could lose something: %j', async (text, problem) => {
    await write(text);
    for (const words of [['add', 'main', 'http://n'], ['use', 'main'], ['list'], ['remove', 'main']])
      expect(await node(...words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(problem) });
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it.each([
    [[], 'missing argument. Usage: blockglass node add|use|list|remove'],
    [['ad'], 'did you mean "add"?'],
    [['toString'], 'unknown argument "toString". Usage: blockglass node add|use|list|remove'],
    [['add', 'main'], 'missing argument <address>. Usage: blockglass node add <name> <address>'],
    [['use'], 'missing argument <name>. Usage: blockglass node use <name>'],
    [['list', 'main'], 'unexpected argument "main". See blockglass node --help.'],
    [['use', 'main', '--colour', 'red'], 'node use does not accept --colour. Only node add does.'],
    [['remove', 'main', '-o', 'json'], 'node remove does not accept -o, --output. Only node list does.'],
  ])('`node` rejects %j: %s', async (words, sentence) => {
    expect(await node(...words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
  });
});
