import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, lstatSync, type PathLike, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockError, takeLock, withLock } from '../../../src/base/disk/file-lock.ts';
import { processStartTicks } from '../../../src/base/disk/process-running.ts';

let folder: string;
let path: string;
let lockPath: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-file-lock-'));
  path = join(folder, 'file');
  lockPath = join(folder, 'blockglass.lock');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const token = 'ab'.repeat(16);
const heir = 'cd'.repeat(16);
const dead = { processId: 999_999_999, host: hostname(), processStart: '1', since: 'long ago', token };
const here = { ...dead, processId: process.pid, processStart: processStartTicks(process.pid) };
const elsewhere = { ...dead, processId: 1, host: 'elsewhere', processStart: '' };
/** A lock ages while it is waited for. */
const BRIEFLY_MS = 50;
const put = (to: string, owner: object) => writeFile(to, JSON.stringify(owner));

it('A file lock keeps everyone else from the file meanwhile, and is removed afterwards', async () => {
  const order: string[] = [];
  let second: Promise<void> | undefined;
  const slow = withLock(path, async () => {
    order.push('first begins');
    second = withLock(path, async () => void order.push('second'));
    expect(JSON.parse(await readFile(`${path}.lock`, 'utf8'))).toMatchObject({ processId: process.pid });
    order.push('first ends');
  });
  await slow;
  await second;
  expect(order).toEqual(['first begins', 'first ends', 'second']);
  expect(await readdir(folder)).toEqual([]);
});

it('A file lock is released when the locked work fails', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['of a process that is at work', () => here, false],
  ['of a process of another machine', () => elsewhere, false],
  ['of a process that has ended', () => ({ ...dead, processId: spawnSync('true').pid }), true],
  ['of a process whose number another one has now', () => ({ ...here, processStart: '1' }), true],
  ['that names no process', () => ({}), false],
])('A file lock is taken over or respected by its owner: a lock %s', async (_, owner, isTaken) => {
  await put(`${path}.lock`, owner());
  const done = withLock(path, async () => 'done', BRIEFLY_MS);
  if (isTaken) expect(await done).toBe('done');
  else await expect(done).rejects.toThrow('another blockglass is writing it');
});

it.each([
  ['of another machine', -3000, false, elsewhere],
  ['of another machine', -5100, true, elsewhere],
  ['of another machine', 60_000, true, elsewhere],
  ['that names no process', -3000, false, {}],
  ['that names no process', -5100, true, {}],
  ['of a process that is at work', -60_000, false, here],
])('A lock %s that was written %i ms from now is taken: %s', async (_, ms, isTaken, owner) => {
  await put(`${path}.lock`, owner);
  const written = (Date.now() + ms) / 1000;
  await utimes(`${path}.lock`, written, written);
  const done = withLock(path, async () => 'done', BRIEFLY_MS);
  if (isTaken) expect(await done).toBe('done');
  else await expect(done).rejects.toThrow('another blockglass is writing it');
});

it('A stale file lock is taken over by one process at a time, however many find it', async () => {
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
    await put(`${path}.lock`, round % 2 === 0 ? { ...dead, processId: pid } : {});
    if (round % 2 === 1) await utimes(`${path}.lock`, 1, 1);
    await Promise.all(Array.from({ length: 20 }, () => withLock(path, act, 30_000)));
  }
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

it('A lock that was waited for is as old as the last look at it', async () => {
  await put(lockPath, here);
  const ages: number[] = [];
  const late = (from: PathLike, to: PathLike): void => {
    ages.push(Date.now() - lstatSync(from).mtimeMs);
    if (ages.length === 1) utimesSync(from, 1, 1);
    else rmSync(lockPath);
    linkSync(from, to);
  };
  const lock = await takeLock(lockPath, { waitMs: 30_000, staleMs: 5000, hardLink: late });
  expect(ages.length).toBe(2);
  expect(Math.max(...ages)).toBeLessThan(5000);
  await lock.release();
});

it('A lock that is of another owner by now is not released', async () => {
  const lock = await takeLock(lockPath);
  await put(lockPath, elsewhere);
  await lock.release();
  expect(JSON.parse(await readFile(lockPath, 'utf8'))).toEqual(elsewhere);
});

it('A full disk leaves no file lock that would block the next process', async () => {
  const script = `import { withLock } from ${JSON.stringify(new URL('../../../src/base/disk/file-lock.ts', import.meta.url))};
    await withLock(${JSON.stringify(path)}, async () => {}).catch(error => console.log(error.code));`;
  // No file may have a byte: what the system says of it comes as it does from a full disk, when it is written.
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout).toBe('EFBIG\n');
  expect(await readdir(folder)).toEqual([]);
});

const lockModule = JSON.stringify(new URL('../../../src/base/disk/file-lock.ts', import.meta.url).href);

/** Takes the lock until it has it, writes down when it came and went, and then ends as told. */
const contender = (ending: 'release' | 'die', options: object): string => `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as wait } from 'node:timers/promises';
  import { takeLock } from ${lockModule};
  const [path, log] = process.argv.slice(-2);
  for (;;) {
    const lock = await takeLock(path, ${JSON.stringify(options)}).catch(error => {
      if (error.name !== 'LockError') throw error;
    });
    if (lock === undefined) {
      await wait(5);
      continue;
    }
    appendFileSync(log, 'in ' + process.pid + '\\n');
    await wait(5);
    appendFileSync(log, 'out ' + process.pid + '\\n');
    if (${JSON.stringify(ending)} === 'die') process.kill(process.pid, 'SIGKILL');
    await lock.release();
    break;
  }
`;

function start(script: string, log: string) {
  const words = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script, lockPath, log];
  return spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

describe('Lock', () => {
  it.each([{}, { waitMs: 100, staleMs: 30_000 }])(
    'A lock is held by one process at a time, though half of them are killed while they hold it: %j',
    async options => {
      const log = `${folder}.log`;
      const scripts = Array.from({ length: 12 }, (_, index) => contender(index % 2 === 0 ? 'die' : 'release', options));
      await Promise.all(scripts.map(script => once(start(script, log), 'exit')));
      const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
      await rm(log);
      expect(lines.length).toBe(24);
      for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
      await (await takeLock(lockPath)).release();
      expect(await readdir(folder)).toEqual([]);
    },
    30_000,
  );

  it('A lock is refused with the process that has it, and free after it', async () => {
    const lock = await takeLock(lockPath);
    await expect(takeLock(lockPath)).rejects.toMatchObject({ path: lockPath, holder: { processId: process.pid } });
    await lock.release();
    await (await takeLock(lockPath)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('A lock is taken over from a process whose number another has by now', async () => {
    await put(lockPath, { ...here, processStart: '1' });
    await (await takeLock(lockPath)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('A lock is taken over though one who was about to take it over died on the way', async () => {
    await put(lockPath, dead);
    await put(`${lockPath}.${token}`, { ...dead, token: heir });
    await put(`${lockPath}.${heir}.new`, { ...dead, token: heir });
    await (await takeLock(lockPath)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('A lock of another machine stands, however old it is', async () => {
    await put(lockPath, elsewhere);
    await utimes(lockPath, 1, 1);
    await expect(takeLock(lockPath)).rejects.toMatchObject({ holder: elsewhere });
  });

  it.each(['', '4711', '{}'])('A lock that is malformed stays: %j', async text => {
    await writeFile(lockPath, text);
    await utimes(lockPath, 1, 1);
    await expect(takeLock(lockPath)).rejects.toMatchObject({ holder: 'malformed' });
    expect(await readFile(lockPath, 'utf8')).toBe(text);
  });

  it('A lock never writes through a link', async () => {
    const precious = join(folder, 'precious');
    await writeFile(precious, 'mine');
    await symlink(precious, lockPath);
    await expect(takeLock(lockPath)).rejects.toThrow();
    expect(await readFile(precious, 'utf8')).toBe('mine');
  });

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'A lock is held once on a file system without links too: %s',
    async code => {
      const hardLink = () => {
        throw Object.assign(new Error('no links'), { code });
      };
      await put(lockPath, dead);
      const lock = await takeLock(lockPath, { hardLink });
      await expect(takeLock(lockPath, { hardLink })).rejects.toMatchObject({ holder: { processId: process.pid } });
      await lock.release();
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

describe('File of a lock', () => {
  it('The file of a lock names the process that holds it, to its owner alone', async () => {
    const lock = await takeLock(lockPath);
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toEqual({
      processId: process.pid,
      host: hostname(),
      processStart: expect.stringMatching(/^\d+$/),
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((await lstat(lockPath)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
    await expect(takeLock(lockPath)).rejects.toThrow(LockError);
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
    await lock.release();
  });

  it('The file of a lock has the time when the process began, in hundredths of a second since the system did', async () => {
    const lock = await takeLock(lockPath);
    const began = Number(JSON.parse(await readFile(lockPath, 'utf8')).processStart) / 100;
    expect(Math.abs(began - (uptime() - process.uptime()))).toBeLessThan(5);
    await lock.release();
  });

  it.each(['', 'ab', `${token}0`, `0${token}`, token.toUpperCase(), 1])(
    'The file of a lock is none with the token %j',
    async wrong => {
      await put(lockPath, { ...dead, token: wrong });
      await expect(takeLock(lockPath)).rejects.toMatchObject({ holder: 'malformed' });
    },
  );

  it.each([0, -1, 1.5, '1', null])('The file of a lock is none with the process %j', async processId => {
    await put(lockPath, { ...dead, processId });
    await expect(takeLock(lockPath)).rejects.toMatchObject({ holder: 'malformed' });
  });

  it('The file of a lock is read only when it is as short as a lock', async () => {
    const text = JSON.stringify(dead);
    await writeFile(lockPath, text.padEnd(4097));
    await expect(takeLock(lockPath)).rejects.toMatchObject({
      holder: 'unreadable',
      message: 'it is larger than 4 KiB',
    });
    await writeFile(lockPath, text.padEnd(4096));
    await (await takeLock(lockPath)).release();
  });

  it('The file of a lock that can neither be made nor read is given up in the end', async () => {
    await symlink(join(folder, 'nowhere'), lockPath);
    await expect(takeLock(lockPath)).rejects.toMatchObject({ name: 'LockError', holder: undefined });
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
  });

  it('The file of a lock is tried for again where what was in its way goes', async () => {
    await symlink(join(folder, 'nowhere'), lockPath);
    const lock = takeLock(lockPath);
    await rm(lockPath);
    await (await lock).release();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('Lock of a process that is gone', () => {
  it('The lock of a process that is gone is not taken over from another who is about to take it', async () => {
    const between = 'ef'.repeat(16);
    await put(lockPath, dead);
    await put(`${lockPath}.${token}`, { ...dead, token: between });
    await put(`${lockPath}.${between}`, { ...here, token: heir });
    await expect(takeLock(lockPath)).rejects.toMatchObject({ holder: { ...here, token: heir } });
    expect(await readdir(folder)).toEqual([
      'blockglass.lock',
      ...[token, between].map(one => `blockglass.lock.${one}`),
    ]);
  });

  it('The lock of a process that is gone is not taken over from another who took it between the look at it and the claim', async () => {
    const alive = { ...here, token: heir };
    await put(lockPath, dead);
    const overtaken = (from: PathLike, to: PathLike): void => {
      if (String(to) === `${lockPath}.${token}`) writeFileSync(lockPath, JSON.stringify(alive));
      linkSync(from, to);
    };
    await expect(takeLock(lockPath, { hardLink: overtaken })).rejects.toMatchObject({ holder: alive });
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toEqual(alive);
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
  });

  it('The lock of a process that is gone leaves with what it left, and with nothing that is not known to be of such a process', async () => {
    await put(lockPath, dead);
    await put(`${lockPath}.${heir}.new`, { ...dead, token: heir });
    await put(`${lockPath}.elsewhere`, { ...elsewhere, token: heir });
    await writeFile(`${lockPath}.${token}.new`, '{"proc');
    await put(`${lockPath}.other`, { hello: 'world' });
    await put(join(folder, 'my-blockglass.lock.old'), { ...dead, token: heir });
    const lock = await takeLock(lockPath);
    const stay = ['blockglass.lock.elsewhere', 'blockglass.lock.other', 'my-blockglass.lock.old'];
    expect(await readdir(folder)).toEqual(['blockglass.lock', ...stay]);
    await lock.release();
    expect(await readdir(folder)).toEqual(stay);
  });
});
