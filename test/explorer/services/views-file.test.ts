import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processStartTicks } from '../../../src/base/disk/process-running.ts';
import { mergeView } from '../../../src/base/settings/merge-view.ts';
import { saveView } from '../../../src/explorer/services/views/save-view.ts';
import { readView } from '../../../src/explorer/services/views/views-file.ts';

let folder: string;
const path = () => join(folder, 'views.json');

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'blockglass-views-')), 'state', 'blockglass');
});

afterEach(() => rm(join(folder, '..', '..'), { recursive: true }));

const FULL = {
  tab: 'fees',
  lists: {
    fees: {
      filters: { epochSeq: ['40'] },
      sort: { column: 'total', isDescending: true },
      newestFirst: false,
      pageSize: 7,
      columns: { asset: false },
    },
  },
};

const MEMBERS = ['filters', 'sort', 'newestFirst', 'pageSize', 'columns'] as const;

const LISTS = fc.record(
  {
    filters: fc.constantFrom({ epochSeq: ['40'] }, { epochSeq: ['41'] }),
    sort: fc.record({ column: fc.constantFrom('total', 'epoch'), isDescending: fc.boolean() }),
    newestFirst: fc.boolean(),
    pageSize: fc.integer({ min: 1, max: 3 }),
    columns: fc.constantFrom({ asset: false }, { total: false }),
  },
  { requiredKeys: [] },
);

describe('Saved views', () => {
  it('A saved view is restored by the name of the node, from a file that is private to its owner', async () => {
    expect(readView(folder, 'main')).toEqual({ view: {} });
    await saveView(folder, { name: 'main', view: FULL });
    await saveView(folder, { name: '__proto__', view: { tab: 'markets' } });
    await saveView(folder, { name: 'http://[::1]:3008', view: { tab: 'validators' } });
    expect(readView(folder, 'main')).toEqual({ view: FULL });
    expect(readView(folder, '__proto__')).toEqual({ view: { tab: 'markets' } });
    expect(readView(folder, 'constructor')).toEqual({ view: {} });
    expect([(await stat(path())).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readdir(folder)).toEqual(['views.json']);
  });

  it('A view of an earlier release opens without its widths and order of columns, and with all else', async () => {
    const [fees] = Object.values(FULL.lists);
    const earlier = { ...FULL, lists: { fees: { ...fees, order: ['total'], widths: { total: 12 } } } };
    await mkdir(folder, { recursive: true });
    await writeFile(path(), JSON.stringify({ format: 1, views: { main: earlier, other: earlier } }));
    expect(readView(folder, 'main')).toEqual({ view: FULL });
    await saveView(folder, { name: 'main', view: FULL, before: FULL });
    expect(readView(folder, 'main')).toEqual({ view: FULL });
    expect(readView(folder, 'other')).toEqual({ view: FULL });
  });

  it("Saved views of several explorers are written at once without losing each other's data", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `node ${index}`);
    await Promise.all(names.map(name => saveView(folder, { name, view: { tab: name } })));
    for (const name of names) expect(readView(folder, name).view).toEqual({ tab: name });
    expect(await readdir(folder)).toEqual(['views.json']);
  });

  it('Saved views of two explorers on one node combine the changes of both', async () => {
    const hidden = { lists: { fees: { ...FULL.lists.fees, columns: { asset: false, total: false } } } };
    const sorted = { tab: 'provisions', lists: { ...FULL.lists, provisions: { pageSize: 9 } } };
    await saveView(folder, { name: 'main', view: FULL });
    await saveView(folder, { name: 'main', view: hidden, before: FULL });
    await saveView(folder, { name: 'main', view: sorted, before: FULL });
    expect(readView(folder, 'main').view).toEqual({ ...sorted, lists: { ...sorted.lists, ...hidden.lists } });
  });

  it('A saved view loses what an explorer has reset, and keeps everything else', () =>
    fc.assert(
      fc.property(LISTS, LISTS, LISTS, (mine, before, now) => {
        const merged = mergeView({ lists: { fees: mine } }, { lists: { fees: before } }, { lists: { fees: now } });
        for (const member of MEMBERS) {
          const isMine = JSON.stringify(mine[member]) !== JSON.stringify(before[member]);
          expect(merged.lists?.fees?.[member]).toEqual(isMine ? mine[member] : now[member]);
        }
      }),
    ));

  it('Saved views drop the node that was left longest ago when there are too many', async () => {
    for (let index = 0; index < 100; index++) await saveView(folder, { name: `node ${index}`, view: { tab: 'fees' } });
    await saveView(folder, { name: 'node 0', view: { tab: 'markets' } });
    await saveView(folder, { name: 'one more', view: {} });
    expect(readView(folder, 'node 0').view).toEqual({ tab: 'markets' });
    expect(readView(folder, 'node 1').view).toEqual({});
  });

  it('Saved views never grow the file beyond the size that is read again', async () => {
    const big = { lists: { fees: { filters: { market: ['a'.repeat(4000)] } } } };
    const lists = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`list${index}`, big.lists.fees]));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await saveView(folder, { name, view: { lists } });
    expect((await stat(path())).size).toBeLessThanOrEqual(1024 * 1024);
    expect(readView(folder, 'f').view).toEqual({ lists });
    expect(readView(folder, 'a').view).toEqual({});
  });

  it.each([
    ['no JSON', '{"format":1', 'it is not valid JSON'],
    ['a list', '[]', 'it has no views that this program saved'],
    ['of another format', '{"format":2,"views":{}}', 'it has no views that this program saved'],
    ['larger than it may be', ' '.repeat(1024 * 1024 + 1), 'it is larger than 1 MiB'],
  ])(
    'Saved views in a file that is %s cause a message, and the file is moved aside for a new one',
    async (_, text, reason) => {
      await mkdir(folder, { recursive: true });
      await writeFile(path(), text);
      expect(readView(folder, 'main')).toEqual({ view: {}, problem: `${path()} is not used: ${reason}` });
      await saveView(folder, { name: 'main', view: FULL });
      expect(readView(folder, 'main')).toEqual({ view: FULL });
      expect(await readFile(`${path()}.old`, 'utf8')).toBe(text);
    },
  );

  it('Saved views leave no files of explorers that were killed while they wrote', async () => {
    await saveView(folder, { name: 'main', view: FULL });
    await writeFile(join(folder, 'views.json.0123456789ab.part'), '{"form');
    await writeFile(join(folder, 'other.part'), 'of somebody else');
    await saveView(folder, { name: 'main', view: {} });
    expect(await readdir(folder)).toEqual(['other.part', 'views.json']);
  });

  it('A saved view can have a number as its name, among however many others', async () => {
    for (let index = 0; index < 100; index++) await saveView(folder, { name: `node ${index}`, view: { tab: 'fees' } });
    await saveView(folder, { name: '7', view: FULL });
    expect(readView(folder, '7')).toEqual({ view: FULL });
  });

  it('Saved views never block when the file is a pipe, a folder or a broken link', async () => {
    await mkdir(folder, { recursive: true });
    spawnSync('mkfifo', [path()]);
    expect(readView(folder, 'main').problem).toContain('it is not a regular file');
    await rm(path());
    await mkdir(path());
    expect(readView(folder, 'main').problem).toContain('it is not a regular file');
    await expect(saveView(folder, { name: 'main', view: FULL })).rejects.toThrow(/^\S+views\.json: [a-z ]+$/);
    expect(await readdir(folder)).toEqual(['views.json']);
    await rm(path(), { recursive: true });
    await symlink(join(folder, 'nowhere'), path());
    expect(readView(folder, 'main')).toEqual({ view: {} });
  });

  it('Saved views are read from the file as far as possible, whatever it contains', async () => {
    await mkdir(folder, { recursive: true });
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, -1, 1e9, '', 'x'.repeat(5000)));
    const view = fc.record(
      {
        tab: odd,
        lists: fc.dictionary(
          fc.string(),
          fc.record(
            {
              filters: fc.dictionary(fc.string(), odd),
              ...{ sort: odd, newestFirst: odd, pageSize: odd, columns: odd, order: odd, widths: odd, other: odd },
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(view, odd), async main => {
        await writeFile(path(), JSON.stringify({ format: 1, views: { main } }));
        const read = readView(folder, 'main');
        expect(read.problem).toBe(undefined);
        for (const list of Object.values(read.view.lists ?? {})) {
          for (const values of Object.values(list.filters ?? {}))
            expect(values.every(value => value.length > 0)).toBe(true);
          expect(list.pageSize === undefined || (list.pageSize >= 1 && list.pageSize <= 5000)).toBe(true);
        }
        await saveView(folder, { name: 'other', view: read.view });
        expect(readView(folder, 'other').view).toEqual(read.view);
      }),
      { numRuns: 60 },
    );
  });

  it('Saved views wait for another explorer that is writing, though not for one that was killed while writing', async () => {
    await saveView(folder, { name: 'main', view: FULL });
    const lock = join(folder, 'views.json.lock');
    const owner = { processId: process.pid, host: hostname(), processStart: processStartTicks(process.pid), since: '' };
    const lockOf = (change: object) => JSON.stringify({ ...owner, token: '0'.repeat(32), ...change });
    await writeFile(lock, lockOf({}));
    await expect(saveView(folder, { name: 'main', view: {} })).rejects.toThrow('another blockglass is writing it');
    expect(readView(folder, 'main').view).toEqual(FULL);
    await writeFile(lock, lockOf({ host: 'elsewhere' }));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    await saveView(folder, { name: 'main', view: {} });
    expect(readView(folder, 'main').view).toEqual({});
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    await writeFile(lock, lockOf({ processId: gone }));
    await saveView(folder, { name: 'main', view: FULL });
    expect(readView(folder, 'main').view).toEqual(FULL);
    // Of what has another content, or is of another machine, only the age tells.
    const texts = ['', 'x', lockOf({ host: 'elsewhere' }), lockOf({ processId: 0 }), lockOf({ processId: -1 })];
    const waiting = texts.map(async (text, index) => {
      const own = join(folder, String(index));
      await mkdir(own);
      await writeFile(join(own, 'views.json.lock'), text);
      await expect(saveView(own, { name: 'main', view: {} })).rejects.toThrow('another blockglass is writing it');
      expect(await readdir(own)).toEqual(['views.json.lock']);
    });
    await Promise.all(waiting);
  });

  it('A saved view contains no password of the address that is its name', async () => {
    await saveView(folder, { name: 'http://127.0.0.1:9', view: FULL });
    expect(await readFile(path(), 'utf8')).not.toContain('@');
  });
});
