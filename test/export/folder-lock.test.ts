import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../src/export/folder-lock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lockModule = JSON.stringify(new URL('../../src/export/folder-lock.ts', import.meta.url).href);

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
    await expect(lockFolder(folder)).rejects.toThrow(/process 1 on elsewhere, .*if it is gone, remove blockglass.lock/);
  });

  it.each(['', '4711', '{}'])('that is none stands, with the way out: %j', async text => {
    await writeFile(join(folder, 'blockglass.lock'), text);
    await expect(lockFolder(folder)).rejects.toThrow('is no lock of an export: remove it');
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
