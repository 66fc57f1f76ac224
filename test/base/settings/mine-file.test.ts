import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  changeMine,
  type MineChange,
  mineIdsOnChain,
  minePath,
  NO_MINE_IDS,
  readMine,
} from '../../../src/base/settings/mine-file.ts';
import { anyCharacter } from '../../support/any-character.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-mine-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const path = (): string => minePath({ XDG_CONFIG_HOME: home }) ?? '';
const id = (number: number): string => number.toString(16).padStart(64, '0');
const add = (number: number): MineChange => ({ list: 'parties', id: id(number), isMine: true });
const drop = (number: number): MineChange => ({ ...add(number), isMine: false });
const parties = (chain = 'main') => mineIdsOnChain(readMine(path()).chains, chain).parties;

async function write(text: string): Promise<void> {
  await mkdir(dirname(path()), { recursive: true });
  await writeFile(path(), text, { mode: 0o600 });
}

describe("File of the user's own ids", () => {
  it("The file of the user's own ids is next to the settings, by chain, for its owner only", async () => {
    expect(readMine(path())).toEqual({ chains: {} });
    const address = `0x${'ab'.repeat(20)}`;
    await changeMine(path(), 'main', [add(1), { list: 'submitters', id: address, isMine: true }]);
    await changeMine(path(), 'other', [add(2)]);
    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual({
      main: { parties: [id(1)], submitters: [address] },
      other: { parties: [id(2)] },
    });
    expect((await stat(path())).mode & 0o077).toBe(0);
    expect(await readdir(dirname(path()))).toEqual(['mine.json']);
    expect(readMine(path()).chains.main).toEqual({ ...NO_MINE_IDS, parties: [id(1)], submitters: [address] });
    expect(mineIdsOnChain(readMine(path()).chains, 'toString')).toEqual(NO_MINE_IDS);
  });

  it('A change to the file reports what it changed, and applies nothing twice', async () => {
    expect(await changeMine(path(), 'main', [add(1), add(1)])).toEqual({
      ids: { ...NO_MINE_IDS, parties: [id(1)] },
      made: [add(1)],
    });
    const { mtimeMs } = await stat(path());
    expect((await changeMine(path(), 'main', [add(1), drop(2)])).made).toEqual([]);
    expect((await stat(path())).mtimeMs).toBe(mtimeMs);
    expect((await changeMine(path(), 'main', [drop(1)])).made).toEqual([drop(1)]);
    expect(await readFile(path(), 'utf8')).toBe('{}\n');
  });

  it("The file of the user's own ids accepts as many chains as are read again, and no more", async () => {
    const chains = Array.from({ length: 999 }, (_, number) => [`chain ${number}`, { parties: [id(number)] }]);
    await write(JSON.stringify(Object.fromEntries(chains)));
    await changeMine(path(), 'the 1000th', [add(1)]);
    expect(parties('the 1000th')).toEqual([id(1)]);
    await expect(changeMine(path(), 'one more', [add(1)])).rejects.toThrow('it has 1000 chains, and no more are read');
    await changeMine(path(), 'chain 5', [add(1)]);
    expect(parties('chain 5')).toEqual([id(5), id(1)]);
  });

  it('A change to the file loses nothing that others write at the same time', async () => {
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    await Promise.all(numbers.map(number => changeMine(path(), `chain ${number % 3}`, [add(number)])));
    const all = [0, 1, 2].flatMap(chain => parties(`chain ${chain}`));
    expect(all.toSorted()).toEqual(numbers.map(id));
    expect(await readdir(dirname(path()))).toEqual(['mine.json']);
  });

  it("The file of the user's own ids is read in any case and order, and an error affects only its own entry", async () => {
    await write(`{"main":{"parties":["${id(10).toUpperCase()}",7,"x","${id(10)}"],"later":{"x":1}},"other":[]}`);
    const { chains, problem } = readMine(path());
    expect(chains.main?.parties).toEqual([id(10)]);
    expect(problem).toBe(`${path()}: main.parties.1: must be 64 hex digits; 2 more`);
    await changeMine(path(), 'main', [add(1)]);
    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual({
      main: { parties: [id(10).toUpperCase(), 7, 'x', id(10), id(1)], later: { x: 1 } },
      other: [],
    });
    await changeMine(path(), 'main', [drop(10)]);
    expect(JSON.parse(await readFile(path(), 'utf8')).main.parties).toEqual([7, 'x', id(1)]);
  });

  it.each([
    ['', 'it is not valid JSON: unexpected end of the file'],
    ['{"main":{"parties":["', 'it is not valid JSON'],
    ['[]', 'must be an object'],
    ['{"main":{"parties":"x"}}', 'main.parties: must be a list'],
    ['{"main":[]}', 'main: must be an object'],
    [`{"main":{"parties":["${id(1)}"]},\n"main":{}}`, 'main: appears twice'],
    ['\ufeff{}', 'it is not valid JSON: expected a value'],
  ])("The file of the user's own ids is never overwritten if it is damaged: %j", async (text, reason) => {
    await write(text);
    expect(readMine(path()).problem).toContain(reason);
    await expect(changeMine(path(), 'main', [add(1)])).rejects.toThrow('nothing is changed until it is fixed');
    expect(await readFile(path(), 'utf8')).toBe(text);
    expect(await readdir(dirname(path()))).toEqual(['mine.json']);
  });

  it("The file of the user's own ids is not written through a link to a missing file, and a link to a file remains one", async () => {
    await mkdir(dirname(path()), { recursive: true });
    await symlink(join(home, 'dotfiles.json'), path());
    expect(readMine(path()).problem).toContain('it links to a missing file');
    await expect(changeMine(path(), 'main', [add(1)])).rejects.toThrow('it links to a missing file');
    await writeFile(join(home, 'dotfiles.json'), '{}');
    await changeMine(path(), 'main', [add(1)]);
    expect(JSON.parse(await readFile(join(home, 'dotfiles.json'), 'utf8'))).toEqual({ main: { parties: [id(1)] } });
  });

  it.each([
    ['a folder', () => mkdir(path(), { recursive: true }), 'it is not a regular file'],
    ['100,000 ids', () => write(`{"main":{"parties":${JSON.stringify(manyIds())}}}`), 'it is larger than 1 MiB'],
  ])("The file of the user's own ids is reported and left unchanged if it is or has %s", async (_, make, reason) => {
    await make();
    expect(readMine(path())).toEqual({ chains: {}, problem: `${path()} is not used: ${reason}` });
    await expect(changeMine(path(), 'main', [add(1)])).rejects.toThrow(reason);
  });

  const manyIds = (): readonly string[] => Array.from({ length: 100_000 }, (_, number) => id(number));

  it("The file of the user's own ids is not written beyond the size that can be read again", async () => {
    const most = Array.from({ length: 13_000 }, (_, number) => add(number));
    await changeMine(path(), 'main', most);
    const text = await readFile(path(), 'utf8');
    await expect(changeMine(path(), 'other', most)).rejects.toThrow('it would be larger than the limit of 1 MiB');
    expect(await readFile(path(), 'utf8')).toBe(text);
  });

  it.skipIf(process.getuid?.() === 0)(
    "The file of the user's own ids is not written into a read-only folder",
    async () => {
      await write('{}');
      await chmod(dirname(path()), 0o500);
      await expect(changeMine(path(), 'main', [add(1)])).rejects.toThrow('permission denied');
      await chmod(dirname(path()), 0o700);
      expect(await readFile(path(), 'utf8')).toBe('{}');
    },
  );

  it.each(['', 'x'.repeat(201)])("The file of the user's own ids accepts no chain %j", async chain => {
    await expect(changeMine(path(), chain, [add(1)])).rejects.toThrow('the id of the chain is empty or too long');
  });

  it.each(['__proto__', 'constructor', '\u001b]0;x\u0007', ' ', '1', '{"a":1}'])(
    'The file accepts the chain %j like any other',
    async chain => {
      await changeMine(path(), 'main', [add(1)]);
      await changeMine(path(), chain, [add(2)]);
      expect([parties(), parties(chain)]).toEqual([[id(1)], [id(2)]]);
      await changeMine(path(), chain, [drop(2)]);
      expect([parties(), parties(chain)]).toEqual([[id(1)], []]);
    },
  );

  it("The file of the user's own ids never causes a crash, whatever its content, and no message quotes it", async () => {
    await mkdir(dirname(path()), { recursive: true });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string({ unit: anyCharacter })), async text => {
        await writeFile(path(), text);
        readMine(path());
        const before = await readFile(path());
        await changeMine(path(), 'main', [add(1)]).then(
          () => expect(parties()).toContain(id(1)),
          async () => expect(await readFile(path())).toEqual(before),
        );
      }),
      { numRuns: 60 },
    );
  });
});

const script = (body: string): string => `
  import { changeMine } from ${JSON.stringify(new URL('../../../src/base/settings/mine-file.ts', import.meta.url))};
  const add = number => ({ list: 'parties', id: number.toString(16).padStart(64, '0'), isMine: true });
  const path = ${JSON.stringify(path())};
  ${body}`;

const started = (body: string, shell = 'exec') =>
  spawn('sh', ['-c', `${shell} "$0" --input-type=module -e "$1"`, process.execPath, script(body)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

describe("Process that writes the user's own ids", () => {
  it('A killed process leaves a complete file with the earlier content, and blocks no other process', async () => {
    await changeMine(path(), 'main', [add(0)]);
    for (const writes of [1, 2, 5, 9]) {
      const child = started(
        `for (let number = 1; ; number++) { await changeMine(path, 'main', [add(number)]); console.log(number); }`,
      );
      const ended = once(child, 'exit');
      for (let text = ''; text.split('\n').length <= writes; ) text += String((await once(child.stdout, 'data'))[0]);
      child.kill('SIGKILL');
      await ended;
      const there = parties();
      expect(there[0]).toBe(id(0));
      await changeMine(path(), 'other', [add(writes)]);
      expect(parties()).toEqual(there);
      expect(await readdir(dirname(path()))).toEqual(['mine.json']);
    }
  });

  it('A process loses nothing that others write while processes start and end', async () => {
    const numbers = Array.from({ length: 16 }, (_, number) => number);
    const said = await Promise.all(
      numbers.map(async number => {
        const child = started(
          `await changeMine(path, 'main', [add(${number})]).then(() => console.log('written'), () => console.log('busy'));`,
        );
        const [[text]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
        return String(text).trim();
      }),
    );
    const written = numbers.filter(number => said[number] === 'written').map(id);
    expect(parties().toSorted()).toEqual(written);
    expect(written.length).toBeGreaterThan(0);
  });

  it('A process changes nothing on a full disk', async () => {
    await changeMine(path(), 'main', [add(1)]);
    const before = await readFile(path(), 'utf8');
    // No file may have a byte: what the system says of it comes as it does from a full disk, when it is written.
    const child = started(
      `await changeMine(path, 'main', [add(2)]).catch(error => console.log(error.message));`,
      `trap '' XFSZ; ulimit -f 0; exec`,
    );
    const [text] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(String(text)).toBe(`${path()}: file too large\n`);
    expect(await readFile(path(), 'utf8')).toBe(before);
    expect(await readdir(dirname(path()))).toEqual(['mine.json']);
  });
});
