import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedHistory, cacheHistory, NOTHING_CACHED } from '../../../src/chain/directory/completion-cache.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const names = () => join(home, 'blockglass', 'names');
const folder = () => join(dirname(names()), 'history');
const NODE = 'https://node.example';

async function keptFile(): Promise<string> {
  await cacheHistory(names(), NODE, { epoch: '7' });
  const [name = ''] = await readdir(folder());
  return join(folder(), name);
}

describe('what was last known of a history', () => {
  it('is kept of the nodes that were asked last, and of no more than a hundred', async () => {
    await cacheHistory(names(), 'http://first', { epoch: '1' });
    const [first = ''] = await readdir(folder());
    await utimes(join(folder(), first), 1, 1);
    for (let index = 0; index < 110; index++) await cacheHistory(names(), `http://n${index}`, { epoch: String(index) });
    expect(await readdir(folder())).toHaveLength(100);
    expect(cachedHistory(names(), 'http://first')).toEqual(NOTHING_CACHED);
    expect(cachedHistory(names(), 'http://n109').epoch).toBe('109');
  });

  it('is kept however many write it at once', async () => {
    const nodes = Array.from({ length: 120 }, (_, index) => `http://n${index}`);
    await Promise.all(nodes.map(node => cacheHistory(names(), node, { epoch: '1' })));
    const left = await readdir(folder());
    expect(left.filter(name => name.endsWith('.part'))).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(100);
  });

  it('is nothing, and holds up nobody, where the file is a pipe, a device, a folder or a large one', async () => {
    const path = await keptFile();
    for (const make of [
      () => spawnSync('mkfifo', [path]),
      () => symlink('/dev/zero', path),
      () => mkdir(path),
      () => writeFile(path, ' '.repeat(65 * 1024)),
    ]) {
      await rm(path, { recursive: true });
      await make();
      expect(cachedHistory(names(), NODE)).toEqual(NOTHING_CACHED);
    }
  });

  it('holds nothing but numbers, whatever stands in the file', async () => {
    const path = await keptFile();
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('12', '1\n2', '9'.repeat(20), ['3', 4, null]));
    await fc.assert(
      fc.asyncProperty(fc.record({ node: fc.constant(NODE), from: odd, to: odd, epoch: odd }), async kept => {
        await writeFile(path, JSON.stringify(kept));
        const { from, to, epoch } = cachedHistory(names(), NODE);
        for (const text of [...from, ...to, epoch ?? '0']) expect(text).toMatch(/^\d{1,19}$/);
      }),
    );
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 5));
    expect(cachedHistory(names(), NODE)).toEqual(NOTHING_CACHED);
  });
});
