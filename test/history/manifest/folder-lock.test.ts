import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';
import { lockFolder } from '../../../src/history/manifest/folder-lock.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-lock-'));
  path = join(folder, 'blockglass.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inUse = (by: string): string =>
  `another export (process ${by}) is writing to ${folder}: wait for it or choose another folder`;

it('A locked folder is refused with the process that has it', async () => {
  const lock = await lockFolder(folder);
  const { since } = JSON.parse(await readFile(path, 'utf8'));
  await expect(lockFolder(folder)).rejects.toThrow(new DestinationError(inUse(`${process.pid}, since ${since}`)));
  await lock.release();
  await (await lockFolder(folder)).release();
});

it('A folder locked on another machine is refused with the full remedy', async () => {
  const owner = { processId: 999_999_999, processStart: '1', since: 'long ago', token: 'ab'.repeat(16) };
  await writeFile(path, JSON.stringify({ ...owner, host: 'elsewhere' }));
  await expect(lockFolder(folder)).rejects.toThrow(
    new DestinationError(
      `${inUse('999999999 on elsewhere, since long ago')}; if that process no longer runs, delete blockglass.lock there`,
    ),
  );
  await writeFile(path, JSON.stringify({ ...owner, host: hostname() }));
  await (await lockFolder(folder)).release();
});

it.each(['', '4711', '{}'])('A file that is no lock is refused with the remedy: %j', async text => {
  await writeFile(path, text);
  await expect(lockFolder(folder)).rejects.toThrow(
    new DestinationError(`${path} is not a lock of an export: delete it if no export is running there`),
  );
});

it('A file that is too large for a lock is unreadable', async () => {
  await writeFile(path, ' '.repeat(4097));
  await expect(lockFolder(folder)).rejects.toThrow(new UnreadableError(`${path}: it is larger than 4 KiB`));
});

it('A folder whose lock can neither be made nor read is given up in the end', async () => {
  await symlink(join(folder, 'nowhere'), path);
  await expect(lockFolder(folder)).rejects.toThrow(
    new DestinationError(`${path} is locked by one export after another: try again`),
  );
});

it('A folder that is not there cannot be locked', async () => {
  const nowhere = join(folder, 'nowhere');
  await expect(lockFolder(nowhere)).rejects.toThrow(
    new DestinationError(
      `the folder of ${join(nowhere, 'blockglass.lock')} does not exist: create it or choose another`,
    ),
  );
});
