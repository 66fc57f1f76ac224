import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachedKeys, cacheKeys, MOST_KEYS } from '../../../src/chain/directory/completion-cache.ts';
import { temporaryFolder } from '../../flows/support/folder.ts';

const NODE = 'http://127.0.0.1:1';

/** The one file that is there. */
async function fileIn(folder: string): Promise<string> {
  const [name = ''] = await readdir(join(folder, 'keys'));
  return join(folder, 'keys', name);
}

describe('keys of records', () => {
  it('are kept for this user alone, by node and list, the ones seen last first', async () => {
    await using folder = await temporaryFolder();
    const names = join(folder.path, 'names');
    await cacheKeys(names, NODE, { markets: ['a1', 'b2'], parameters: ['x.y'] });
    await cacheKeys(names, NODE, { markets: ['c3', 'a1'] });
    expect(cachedKeys(names, NODE)).toEqual({ markets: ['c3', 'a1', 'b2'], parameters: ['x.y'] });
    expect(cachedKeys(names, 'http://127.0.0.1:2')).toEqual({});
    expect((await stat(await fileIn(folder.path))).mode & 0o777).toBe(0o600);
  });

  it('are nothing that a shell or the program would take for something else, and not without end', async () => {
    await using folder = await temporaryFolder();
    const names = join(folder.path, 'names');
    const hostile = [
      '-o',
      '--log=/x',
      '',
      ' ',
      'a b',
      'a\nb',
      '$(x)',
      'a;b',
      '\u001b[2J',
      '\u202e',
      'x'.repeat(300),
      '~',
      '*',
    ];
    const many = Array.from({ length: 2 * MOST_KEYS }, (_, index) => `k${index}`);
    await cacheKeys(names, NODE, { markets: [...hostile, ...many], fees: hostile });
    expect(cachedKeys(names, NODE)).toEqual({ markets: many.slice(0, MOST_KEYS) });
    await cacheKeys(null, NODE, { markets: ['a1'] });
    expect(cachedKeys(null, NODE)).toEqual({});
  });

  it('are none where the file is odd, whatever is in it', async () => {
    await using folder = await temporaryFolder();
    const names = join(folder.path, 'names');
    await cacheKeys(names, NODE, { markets: ['a1'] });
    const path = await fileIn(folder.path);
    const sound = await readFile(path, 'utf8');
    const odd = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map(keys => `{"node":"${NODE}","keys":${keys}}`),
    );
    await fc.assert(
      fc.asyncProperty(odd, async text => {
        await writeFile(path, text);
        for (const keys of Object.values(cachedKeys(names, NODE)))
          for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z][\w./:@+-]*$/);
      }),
      { numRuns: 60 },
    );
    await writeFile(path, sound);
    expect(cachedKeys(names, NODE)).toEqual({ markets: ['a1'] });
  });

  it('are not kept where there is no place, and nothing is said', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'names'));
    await writeFile(join(folder.path, 'keys'), '');
    await cacheKeys(join(folder.path, 'names'), NODE, { markets: ['a1'] });
    expect(cachedKeys(join(folder.path, 'names'), NODE)).toEqual({});
  });
});
