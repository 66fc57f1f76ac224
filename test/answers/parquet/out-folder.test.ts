import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutFolder } from '../../../src/answers/parquet/out-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-out-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('An output folder refuses Parquet files of another chain and accepts those of its own', async () => {
  const ofChain = (chainId: string) => OutFolder.open(folder, { program: 'blockglass', chainId });
  const first = await ofChain('c');
  await first.publish(first.manifest, []);
  await first.close();
  await expect(ofChain('d')).rejects.toMatchObject({
    name: 'AnswerError',
    message: `${folder} has Parquet files of chain c`,
  });
  await (await ofChain('c')).close();
  expect(await readdir(folder)).toEqual(['_blockglass.json']);
});
