import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { archiveNamesPath, readNamesFile, saveNamesFile } from '../../../src/chain/directory/names-file.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  path = archiveNamesPath(join(folder, 'c-ledger-000001-001000.zip'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const asset = (symbol: string, decimals: number | null = 6) => ({
  symbol,
  name: symbol,
  status: 'STATUS_ENABLED',
  decimals,
  quantum: '1',
});
const market = (code: string) => ({
  ...{ code, name: code, state: 'STATE_SETTLED', decimalPlaces: 1, positionDecimalPlaces: -2, asset: 'a1', specs: [] },
});
const named = (...assets: readonly string[]) => ({
  chainId: 'c',
  names: { ...NO_NAMES, assets: new Map(assets.map(symbol => [symbol, asset(symbol)])) },
});
const listed = () => [...(readNamesFile(path)?.names.assets.keys() ?? [])];

test('A names file next to an export is read as it was written, for this user only', async () => {
  const kept = {
    chainId: 'c',
    names: { ...NO_NAMES, assets: new Map([['a1', asset('USDT')]]), markets: new Map([['m1', market('X')]]) },
  };
  expect(path).toBe(join(folder, 'c-ledger-000001-001000.names.json'));
  expect(await saveNamesFile(path, kept)).toBeUndefined();
  const { aliases: _, ...names } = kept.names;
  expect(readNamesFile(path)).toEqual({ chainId: 'c', names, witnesses: [], ranges: [], epochs: [] });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('A names file keeps earlier names next to newer ones of the same chain', async () => {
  await saveNamesFile(path, named('old', 'both'));
  await saveNamesFile(path, named('both', 'new'));
  expect(listed().toSorted()).toEqual(['both', 'new', 'old']);
});

test('A names file keeps the newest ranges when there are too many, and stays readable', async () => {
  const range = (day: number) => ({
    ...{ table: 'ledger', fromBlock: String(day), toBlock: String(day), name: `day ${day}`, from: null, until: null },
  });
  const first = Array.from({ length: 1000 }, (_, day) => range(day));
  for (const ranges of [first, [range(1000)]])
    expect(await saveNamesFile(path, { ...named('a'), ranges, epochs: [] })).toBeUndefined();
  expect(readNamesFile(path)?.ranges.map(({ name }) => name)).toEqual(
    [...first.slice(1), range(1000)].map(r => r.name),
  );
});

test('A names file of another chain is not overwritten, and the conflict is reported', async () => {
  await saveNamesFile(path, named('mine'));
  expect(await saveNamesFile(path, { ...named('other'), chainId: 'd' })).toBe('the file there is for chain c');
  expect(listed()).toEqual(['mine']);
});

test.each([
  '',
  'notes of mine',
  '{"format":1}',
  '[]',
  '{"format":2,"chainId":"c","markets":[],"assets":[],"validators":[]}',
])('A file that holds %j is not a names file, and stays as it is', async text => {
  await writeFile(path, text);
  expect(() => readNamesFile(path)).toThrow('it is not a names file');
  expect(await saveNamesFile(path, named('a'))).toBe('it is not a names file');
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('A names file that is too large or not a regular file is not read', async () => {
  await writeFile(path, Buffer.alloc(16 * 1024 * 1024 + 1));
  expect(() => readNamesFile(path)).toThrow('larger than 16 MiB');
  await rm(path);
  await mkdir(path);
  expect(() => readNamesFile(path)).toThrow('it is not a regular file');
  await rm(path, { recursive: true });
  await symlink('/dev/zero', path);
  expect(() => readNamesFile(path)).toThrow('it is not a regular file');
});

test('A names file that cannot be written is reported, and nothing is thrown', async () => {
  expect(await saveNamesFile(join(folder, 'no', 'such', 'x.names.json'), named('a'))).toMatch(/no such file/);
});

test('A names file with any content is read as names or refused with one error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async json => {
      const odd = JSON.parse(json);
      await writeFile(path, JSON.stringify({ format: 1, chainId: 'c', markets: [], assets: odd, validators: [] }));
      try {
        expect(readNamesFile(path)?.names.assets).toBeInstanceOf(Map);
      } catch (error) {
        expect(String(error)).toContain('it is not a names file');
      }
    }),
    { numRuns: 200 },
  );
});
