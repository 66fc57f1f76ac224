import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileGrowth } from '../../../src/export/check/archive-file.ts';
import { checkArchive } from '../../../src/export/check/check-archive.ts';
import { UnreadableError } from '../../../src/export/regular-file.ts';
import { balancesCsv } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

it('a file that is cut while it is read cannot be read: that is no verdict, and no fault of the program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  const path = join(folder, 'cut.zip');
  try {
    const whole = zipOf([{ name: 'c-balances-093-000001-001000.csv', content: balancesCsv }]);
    await writeFile(path, whole.subarray(0, 60));
    const check = checkArchive(path, undefined, { growth: FileGrowth.finished(whole.length) });
    await expect(check).rejects.toThrow(new UnreadableError(`${path} was cut to 60 bytes while it was read`));
  } finally {
    await rm(folder, { recursive: true });
  }
});
