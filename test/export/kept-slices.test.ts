import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DestinationError } from '../../src/export/destination.ts';
import { withoutRemains } from '../../src/export/kept-slices.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true }));

const failedWith = async (cause: unknown) => {
  const partPath = join(folder, 'a.zip.part');
  await writeFile(partPath, 'half');
  return { kind: 'failed', error: new DestinationError('no', { cause }), partPath, elapsedMs: 1 } as const;
};

it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('what came of a slice goes when it is what fills the disk: %s', async code => {
  const result = await failedWith(Object.assign(new Error('full'), { code }));
  expect(await withoutRemains(result)).toEqual({ ...result, partPath: null });
  expect(await readdir(folder)).toEqual([]);
});

it('a slice that is whole but could not get its name stays', async () => {
  const result = await failedWith(undefined);
  expect(await withoutRemains(result)).toBe(result);
  expect(await readdir(folder)).toEqual(['a.zip.part']);
});
