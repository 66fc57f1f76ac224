import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder } from '../../../src/chain/directory/cache-folder.ts';
import { namesOfNode, readCachedNames, writeCachedNames } from '../../../src/chain/directory/cached-names.ts';
import { asset, directoryWith, market, validator } from './directories.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-names-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const OF = { chainId: 'chain-1', node: 'https://node.example' };
const specs = [{ use: 'settlement', specId: 's' }] as const;
const { aliases: _, ...names } = directoryWith({
  markets: [['01', market({ specs })]],
  assets: [['02', asset({ decimals: null })]],
  validators: [['03', validator()]],
});
const CACHED = { names: { ...names, rewardAsset: '02' }, cachedAtMs: 1_800_000_000_000 };

const folder = () => join(home, 'blockglass', 'names');

async function keptFile(): Promise<string> {
  await writeCachedNames(folder(), OF, CACHED);
  const [name = ''] = await readdir(folder());
  return join(folder(), name);
}

describe('Folder of the name cache', () => {
  it('The folder of the name cache is in the cache or home folder, and there is none without either', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toBe('/c/blockglass/names');
    expect(cacheFolder({ XDG_CACHE_HOME: 'relative', HOME: '/h' })).toBe('/h/.cache/blockglass/names');
    expect(cacheFolder({ XDG_CACHE_HOME: '', HOME: 'relative' })).toBeNull();
  });
});

describe('Name cache file', () => {
  it('The name cache is read as it was written, for its owner only, and leaves no other files', async () => {
    const path = await keptFile();
    await writeCachedNames(folder(), OF, CACHED);
    expect(await readCachedNames(folder(), OF)).toEqual(CACHED);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect(await readdir(folder())).toHaveLength(1);
  });

  it('The name cache belongs to its chain and its node', async () => {
    await keptFile();
    expect(await readCachedNames(folder(), { ...OF, chainId: 'chain-2' })).toBeUndefined();
    expect(await readCachedNames(folder(), { ...OF, node: 'https://other.example' })).toBeUndefined();
    expect(await readCachedNames(folder(), { chainId: 'chain-', node: '1https://node.example' })).toBeUndefined();
  });

  it('The name cache is found by the address of a node alone: that of the chain that it was of last', async () => {
    const path = await keptFile();
    await utimes(path, 1, 1);
    expect(await namesOfNode(folder(), OF.node)).toEqual(CACHED.names);
    const names = { ...CACHED.names, markets: new Map([['04', market()]]) };
    await writeCachedNames(folder(), { ...OF, chainId: 'chain-2' }, { ...CACHED, names });
    await writeFile(join(folder(), 'broken.json'), '{');
    expect(await namesOfNode(folder(), OF.node)).toEqual(names);
    expect(await namesOfNode(folder(), 'https://other.example')).toEqual({});
    expect(await namesOfNode(join(home, 'nowhere'), OF.node)).toEqual({});
    expect(await namesOfNode(null, OF.node)).toEqual({});
  });

  it('The name cache stays in its folder whatever the chain calls itself', async () => {
    const chainIds = fc.oneof(
      fc.constantFrom('../../x', '/etc/passwd', 'a\u0000b', '.', 'CON', 'x'.repeat(9999)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(chainIds, async chainId => {
        await writeCachedNames(folder(), { ...OF, chainId }, CACHED);
        expect(await readCachedNames(folder(), { ...OF, chainId })).toEqual(CACHED);
      }),
      { numRuns: 25 },
    );
    for (const name of await readdir(folder())) expect(name).toMatch(/^[0-9a-f]{40}\.json$/);
    expect([await readdir(home), await readdir(join(home, 'blockglass'))]).toEqual([['blockglass'], ['names']]);
  });

  it('The name cache keeps only the nodes that were asked last', async () => {
    for (let port = 0; port < 40; port++) {
      const of = { ...OF, node: `http://127.0.0.1:${port}` };
      await writeCachedNames(folder(), of, CACHED);
    }
    expect((await readdir(folder())).length).toBe(32);
    expect(await readCachedNames(folder(), { ...OF, node: 'http://127.0.0.1:39' })).toEqual(CACHED);
  });

  const broken: readonly (readonly [what: string, change: (text: string) => string])[] = [
    ['is cut off', text => text.slice(0, -1)],
    ['is of another format', text => text.replace('"format":3', '"format":2')],
    ['has no time', text => text.replace(/"cachedAtMs":\d+/, '"cachedAtMs":"now"')],
    ['has a member more', text => text.replace('{', '{"more":1,')],
    ['has decimals that nothing has', text => text.replace('"decimals":null', '"decimals":1e9')],
    ['has decimals below 0', text => text.replace('"decimals":null', '"decimals":-1')],
    ['has a number for a name', text => text.replace('"symbol":"HUSD"', '"symbol":7')],
    ['has a name without an end', text => text.replace('HUSD', 'x'.repeat(201))],
    ['is larger than any', text => `${text}${' '.repeat(17 * 1024 * 1024)}`],
    ['is empty', () => ''],
    ['is a list', () => '[]'],
  ];
  it.each(broken)('The name cache is empty when the file %s', async (_what, change) => {
    const path = await keptFile();
    const text = await readFile(path, 'utf8');
    expect(change(text)).not.toBe(text);
    await writeFile(path, change(text));
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
  });

  it('The name cache is empty when others can write to the file, or it is a link, a folder or missing', async () => {
    const path = await keptFile();
    await chmod(path, 0o620);
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
    await chmod(path, 0o600);
    const elsewhere = join(home, 'elsewhere.json');
    await writeFile(elsewhere, await readFile(path));
    await rm(path);
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
    await symlink(elsewhere, path);
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
    await rm(path);
    await mkdir(path);
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
  });

  it('The name cache is left out when it cannot be written, and no part of it stays', async () => {
    await writeFile(join(home, 'blockglass'), 'a file');
    await writeCachedNames(folder(), OF, CACHED);
    expect(await readCachedNames(folder(), OF)).toBeUndefined();
    const path = join(home, 'names');
    await writeCachedNames(path, OF, CACHED);
    const [name = ''] = await readdir(path);
    await rm(join(path, name));
    await mkdir(join(path, name));
    await writeFile(join(path, name, 'in-the-way'), '');
    await writeCachedNames(path, OF, CACHED);
    expect(await readdir(path)).toEqual([name]);
  });

  it.skipIf(process.platform !== 'linux')(
    'The name cache is left out on a file system where no folder can be created',
    async () => {
      await writeCachedNames('/proc/nobody/blockglass/names', OF, CACHED);
      expect(await readCachedNames('/proc/nobody/blockglass/names', OF)).toBeUndefined();
    },
  );

  it('The name cache is empty when the file holds anything else, without an error', async () => {
    const path = await keptFile();
    const valid = JSON.parse(await readFile(path, 'utf8'));
    const changed = fc.record({ markets: fc.jsonValue(), assets: fc.jsonValue(), cachedAtMs: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          changed.map(members => ({ ...valid, ...members })),
        ),
        async value => {
          await writeFile(path, JSON.stringify(value));
          const found = await readCachedNames(folder(), OF);
          if (found !== undefined) expect(found.names.validators).toEqual(names.validators);
        },
      ),
      { numRuns: 60 },
    );
  });
});
