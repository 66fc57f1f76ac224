import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from '../../../src/base/disk/file-lock.ts';
import { processStart } from '../../../src/base/disk/process-there.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-file-lock-'));
  path = join(folder, 'file');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('nobody else does anything to the file meanwhile, and no lock is left', async () => {
  const order: string[] = [];
  const slow = withLock(path, async () => {
    order.push('first begins');
    expect((await readFile(`${path}.lock`, 'utf8')).trim()).toBe(
      `${hostname()} ${process.pid} ${processStart(process.pid)}`,
    );
    order.push('first ends');
  });
  await Promise.all([slow, withLock(path, async () => void order.push('second'))]);
  expect(order).toEqual(['first begins', 'first ends', 'second']);
  expect(await readdir(folder)).toEqual([]);
});

it('a lock is let go of when what was done fails', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['of a process that is at work', () => `${hostname()} ${process.pid} ${processStart(process.pid)}`, false],
  ['of a process of another machine', () => 'elsewhere 1 1', false],
  ['of a process that has ended', () => `${hostname()} ${spawnSync('true').pid} 1`, true],
  ['of a process whose number another one has now', () => `${hostname()} ${process.pid} 1`, true],
])('a lock %s', async (_, text, isTaken) => {
  await writeFile(`${path}.lock`, text());
  const done = withLock(path, async () => 'done');
  if (isTaken) expect(await done).toBe('done');
  else await expect(done).rejects.toThrow('another blockglass is writing it');
});

it.each([
  [-3000, false],
  [-5100, true],
  [60_000, true],
])('a lock of another machine that was written %i ms from now is taken: %s', async (ms, isTaken) => {
  await writeFile(`${path}.lock`, 'elsewhere 1 1');
  const written = (Date.now() + ms) / 1000;
  await utimes(`${path}.lock`, written, written);
  const done = withLock(path, async () => 'done');
  if (isTaken) expect(await done).toBe('done');
  else await expect(done).rejects.toThrow('another blockglass is writing it');
});

it('a lock that was left is taken by one at a time, however many find it', async () => {
  const { pid } = spawnSync('true');
  let inside = 0;
  let most = 0;
  const act = async () => {
    most = Math.max(most, ++inside);
    // Long enough for those who found the lock at the same time to have removed it.
    for (let times = 0; times < 10; times++) await readdir(folder);
    inside--;
  };
  for (let round = 0; round < 5; round++) {
    await writeFile(`${path}.lock`, `${hostname()} ${pid} 1`);
    await Promise.all(Array.from({ length: 20 }, () => withLock(path, act, 30_000)));
  }
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

it('on a full disk no lock is left that would block the next process', async () => {
  const script = `import { withLock } from ${JSON.stringify(new URL('../../../src/base/disk/file-lock.ts', import.meta.url))};
    await withLock(${JSON.stringify(path)}, async () => {}).catch(error => console.log(error.code));`;
  // No file may have a byte: what the system says of it comes as it does from a full disk, when it is written.
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout).toBe('EFBIG\n');
  expect(await readdir(folder)).toEqual([]);
});
