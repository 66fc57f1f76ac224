import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PathLike } from 'node:fs';
import { link, lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../src/history/manifest/folder-lock.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lockModule = JSON.stringify(new URL('../../../src/history/manifest/folder-lock.ts', import.meta.url).href);

/** Takes the lock until it has it, writes down when it came and went, and then ends as told. */
const contender = (ending: 'release' | 'die'): string => `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as wait } from 'node:timers/promises';
  import { lockFolder } from ${lockModule};
  const [folder, log] = process.argv.slice(-2);
  for (;;) {
    const lock = await lockFolder(folder).catch(error => {
      if (error.name !== 'DestinationError') throw error;
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

function start(ending: 'release' | 'die', log: string) {
  const words = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', contender(ending), folder, log];
  return spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

describe('the lock of a folder', () => {
  it('is held by one process at a time, though half of them are killed while they hold it', async () => {
    const log = `${folder}.log`;
    const processes = Array.from({ length: 12 }, (_, index) => start(index % 2 === 0 ? 'die' : 'release', log));
    await Promise.all(processes.map(process => once(process, 'exit')));
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    await rm(log);
    expect(lines.length).toBe(24);
    for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  }, 30_000);

  it('is refused with the process that has it, and free after it', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`another export (process ${process.pid}, since `);
    await lock.release();
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from a process whose number another has by now', async () => {
    const owner = {
      processId: process.pid,
      host: hostname(),
      processStart: '1',
      since: 'long ago',
      token: '0'.repeat(32),
    };
    await writeFile(join(folder, 'blockglass.lock'), JSON.stringify(owner));
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over though one who was about to take it over died on the way', async () => {
    const dead = { processId: 999_999_999, host: hostname(), processStart: '1', since: 'long ago' };
    const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
    await writeFile(join(folder, 'blockglass.lock'), JSON.stringify({ ...dead, token: first }));
    await writeFile(join(folder, `blockglass.lock.${first}`), JSON.stringify({ ...dead, token: second }));
    await writeFile(join(folder, `blockglass.lock.${second}.new`), JSON.stringify({ ...dead, token: second }));
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('of another machine stands, with the way out', async () => {
    const owner = { processId: 1, host: 'elsewhere', processStart: '', since: 'long ago', token: '0'.repeat(32) };
    await writeFile(join(folder, 'blockglass.lock'), JSON.stringify(owner));
    await expect(lockFolder(folder)).rejects.toThrow(
      /process 1 on elsewhere, .*if that process no longer runs, delete blockglass.lock/,
    );
  });

  it.each(['', '4711', '{}'])('that is malformed stays, with the remedy: %j', async text => {
    await writeFile(join(folder, 'blockglass.lock'), text);
    await expect(lockFolder(folder)).rejects.toThrow('is not a lock of an export: delete it');
    expect(await readFile(join(folder, 'blockglass.lock'), 'utf8')).toBe(text);
  });

  it('never writes through a link', async () => {
    const precious = join(folder, 'precious');
    await writeFile(precious, 'mine');
    await symlink(precious, join(folder, 'blockglass.lock'));
    await expect(lockFolder(folder)).rejects.toThrow();
    expect(await readFile(precious, 'utf8')).toBe('mine');
  });
});

const dead = { processId: 999_999_999, host: hostname(), processStart: '1', since: 'long ago' };
const token = 'ab'.repeat(16);

describe('the file of a lock', () => {
  const lockPath = () => join(folder, 'blockglass.lock');
  const ownerOf = async (path: string) => JSON.parse(await readFile(path, 'utf8'));

  it('names the process that holds it, to its owner alone', async () => {
    const lock = await lockFolder(folder);
    const owner = await ownerOf(lockPath());
    expect(owner).toEqual({
      processId: process.pid,
      host: hostname(),
      processStart: expect.stringMatching(/^\d+$/),
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((await lstat(lockPath())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
    await expect(lockFolder(folder)).rejects.toThrow(
      new DestinationError(
        `another export (process ${process.pid}, since ${owner.since}) is writing to ${folder}: wait for it or choose another folder`,
      ),
    );
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
    await lock.release();
  });

  it('has the time when the process began, in hundredths of a second since the system did', async () => {
    const lock = await lockFolder(folder);
    const began = Number((await ownerOf(lockPath())).processStart) / 100;
    expect(Math.abs(began - (uptime() - process.uptime()))).toBeLessThan(5);
    await lock.release();
  });

  it('of another machine is reported with the full remedy', async () => {
    await writeFile(lockPath(), JSON.stringify({ ...dead, host: 'elsewhere', token }));
    await expect(lockFolder(folder)).rejects.toThrow(
      new DestinationError(
        `another export (process 999999999 on elsewhere, since long ago) is writing to ${folder}: wait for it or choose another folder; if that process no longer runs, delete blockglass.lock there`,
      ),
    );
  });

  it.each(['', 'ab', `${token}0`, `0${token}`, token.toUpperCase(), 1])('is none with the token %j', async wrong => {
    await writeFile(lockPath(), JSON.stringify({ ...dead, token: wrong }));
    await expect(lockFolder(folder)).rejects.toThrow(
      new DestinationError(`${lockPath()} is not a lock of an export: delete it if no export is running there`),
    );
  });

  it('is read only when it is as short as a lock', async () => {
    const text = JSON.stringify({ ...dead, token });
    await writeFile(lockPath(), text.padEnd(4097));
    await expect(lockFolder(folder)).rejects.toThrow('is too large: 4097 bytes, the limit is 4096');
    await writeFile(lockPath(), text.padEnd(4096));
    await (await lockFolder(folder)).release();
  });

  it('that can neither be made nor read is given up in the end', async () => {
    await symlink(join(folder, 'nowhere'), lockPath());
    await expect(lockFolder(folder)).rejects.toThrow(
      new DestinationError(`${lockPath()} is held by other exports in turn: try again`),
    );
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
  });

  it('is tried for again where what was in its way goes', async () => {
    const nowhere = join(folder, 'blockglass.lock');
    await symlink(join(folder, 'nowhere'), nowhere);
    const lock = lockFolder(folder);
    await rm(nowhere);
    await (await lock).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('cannot be made in a folder that is not there', async () => {
    const nowhere = join(folder, 'nowhere');
    await expect(lockFolder(nowhere)).rejects.toThrow(
      new DestinationError(
        `the folder of ${join(nowhere, 'blockglass.lock')} does not exist: create it or choose another`,
      ),
    );
  });
});

describe('the lock of a process that is gone', () => {
  const heir = 'cd'.repeat(16);

  it('is not taken over from another who is about to take it', async () => {
    const { processId, ...rest } = dead;
    const mine = await lockFolder(folder);
    const { processStart } = JSON.parse(await readFile(join(folder, 'blockglass.lock'), 'utf8'));
    await mine.release();
    await writeFile(join(folder, 'blockglass.lock'), JSON.stringify({ processId, ...rest, token }));
    const alive = { ...rest, processId: process.pid, processStart, token: heir };
    const between = 'ef'.repeat(16);
    await writeFile(join(folder, `blockglass.lock.${token}`), JSON.stringify({ ...dead, token: between }));
    await writeFile(join(folder, `blockglass.lock.${between}`), JSON.stringify(alive));
    await expect(lockFolder(folder)).rejects.toThrow(`another export (process ${process.pid}, since long ago)`);
    expect(await readdir(folder)).toEqual([
      'blockglass.lock',
      ...[token, between].map(one => `blockglass.lock.${one}`),
    ]);
  });

  it('is not taken over from another who took it between the look at it and the claim', async () => {
    const lockPath = join(folder, 'blockglass.lock');
    const mine = await lockFolder(folder);
    const alive = await readFile(lockPath, 'utf8');
    await mine.release();
    await writeFile(lockPath, JSON.stringify({ ...dead, token }));
    const overtaken = async (from: PathLike, to: PathLike): Promise<void> => {
      if (String(to) === `${lockPath}.${token}`) await writeFile(lockPath, alive);
      await link(from, to);
    };
    await expect(lockFolder(folder, overtaken)).rejects.toThrow(`another export (process ${process.pid}, since `);
    expect(await readFile(lockPath, 'utf8')).toBe(alive);
    expect(await readdir(folder)).toEqual(['blockglass.lock']);
  });

  it('leaves with what it left, and with nothing that is not known to be of such a process', async () => {
    const put = (name: string, owner: object) => writeFile(join(folder, name), JSON.stringify(owner));
    await put('blockglass.lock', { ...dead, token });
    await put(`blockglass.lock.${heir}.new`, { ...dead, token: heir });
    await put('blockglass.lock.elsewhere', { ...dead, host: 'elsewhere', token: heir });
    await put('blockglass.lock.other', { hello: 'world' });
    await put('my-blockglass.lock.old', { ...dead, token: heir });
    const lock = await lockFolder(folder);
    const stay = ['blockglass.lock.elsewhere', 'blockglass.lock.other', 'my-blockglass.lock.old'];
    expect(await readdir(folder)).toEqual(['blockglass.lock', ...stay]);
    await lock.release();
    expect(await readdir(folder)).toEqual(stay);
  });
});
