import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerSql, makeParquetFolder } from '../answers/dataset/parquet-fixture.ts';
import { crowd } from '../support/crowd.ts';
import { writeArchive } from '../support/long-archive.ts';
import { openTerminal } from '../support/terminal.ts';
import { bundle } from './support/explorer.ts';
import { slowArchive } from './support/halting-node.ts';
import { run, runShell } from './support/program.ts';
import { familyOf, measured } from './support/sql-program.ts';

let folder: string;
/** Where the program makes its temporary files. */
let temporary: string;

const DATA = 'data';
const ZIP = 'c-balances-000001-000010.zip';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-query-flow-'));
  temporary = join(folder, 'tmp');
  await mkdir(temporary);
  await mkdir(join(folder, DATA));
  await makeParquetFolder(join(folder, DATA), [{ name: 'ledger', sql: ledgerSql(4) }]);
  await writeArchive(join(folder, ZIP), slowArchive());
});

afterAll(() => rm(folder, { recursive: true }));

const environment = () => ({ TMPDIR: temporary });
const left = () => readdir(temporary);

/** Processor time that a program has had, in hundredths of a second. */
async function workOf(pid: number): Promise<number> {
  let work = 0;
  for (const member of await familyOf(pid)) {
    const stat = await readFile(`/proc/${member}/stat`, 'latin1').catch(() => '');
    const [, , , , , , , , , , , user = 0, system = 0] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    work += Number(user) + Number(system);
  }
  return work;
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Resolves when a process has made its folder and is deep in something. */
async function atWork(pid: number): Promise<void> {
  await expect.poll(left).not.toEqual([]);
  const before = await workOf(pid);
  await expect.poll(() => workOf(pid)).toBeGreaterThan(before + 40);
}

const CROSS = 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range = 77';

const ENDLESS = [
  ['a join', [CROSS, DATA]],
  ['a sort that spills', ['SELECT * FROM range(200000000) ORDER BY hash(range)', DATA, '--memory', '128']],
  [
    'an expression that the engine cannot be interrupted in',
    ["SELECT length(repeat('x', 2000000000 + range::INT)) FROM range(9)", DATA, '--memory', '8192'],
  ],
  ['a conversion', ['SELECT count(*) FROM balances', ZIP]],
] as const;

describe('SQL query in a terminal', () => {
  it.each(ENDLESS)(
    'A SQL query ends within a second of Ctrl-C in the middle of %s, and leaves nothing',
    async (_, words) => {
      await using terminal = await openTerminal({
        command: process.execPath,
        args: [bundle, 'query', ...words],
        cwd: folder,
        env: environment(),
      });
      await atWork(terminal.pid);
      const family = await familyOf(terminal.pid);
      expect(family.length).toBeGreaterThan(1);
      const beganMs = performance.now();
      await terminal.press('ctrl-c');
      expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
      expect(performance.now() - beganMs).toBeLessThan(1000 * crowd());
      expect(family.filter(isRunning)).toEqual([]);
      expect(await left()).toEqual([]);
    },
  );

  it.each(['SIGTERM', 'SIGHUP'] as const)('A SQL query ends on %s as on Ctrl-C', async signal => {
    await using terminal = await openTerminal({
      command: process.execPath,
      args: [bundle, 'query', CROSS, DATA],
      cwd: folder,
      env: environment(),
    });
    await atWork(terminal.pid);
    terminal.kill(signal);
    expect(await terminal.waitForExit()).toEqual({ exitCode: 130, signal: undefined });
    expect(await left()).toEqual([]);
  });
});

describe('Resource limits of a SQL query', () => {
  it.each([
    ["SELECT repeat('x', 1000000) FROM range(1000000)"],
    ['SELECT range(1000000000)'],
    ['SELECT [x + 1 for x in range(100000000)]'],
    ['SELECT list(range) FROM range(100000000)'],
    ["SELECT string_agg(repeat('x', 1000)) FROM range(10000000)"],
  ])('A SQL query is ended with a message before it exceeds its memory: %s', async sql => {
    const { code, stderr, peak } = await measured([sql, DATA, '--memory', '128'], { cwd: folder, temporary });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/more memory than it may have|Out of Memory/)]);
    // 128 for the engine, 512 of slack, what the program has itself, and what is made between two looks.
    expect(peak).toBeLessThan(128 + 512 + 200 + 500 * crowd());
    expect(await left()).toEqual([]);
  });

  it.each([
    [CROSS],
    ['WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n FROM a) SELECT max(n) FROM a'],
    ['SELECT sleep_ms(60000)'],
  ])('A SQL query is ended with a message after its time limit: %s', async sql => {
    const beganMs = performance.now();
    const { code, stderr } = await measured([sql, DATA, '--timeout', '1'], { cwd: folder, temporary });
    expect([code, stderr]).toEqual([2, expect.stringContaining('no answer after 1 s\n  ask for less')]);
    expect(performance.now() - beganMs).toBeLessThan(5000 * crowd());
    expect(await left()).toEqual([]);
  });

  it('A SQL query ends when nobody reads on', async () => {
    const { code, stdout } = await runShell(
      `blockglass query 'SELECT range AS n FROM range(1000000000)' ${DATA} -o csv | head -3`,
      {
        cwd: folder,
        env: environment(),
      },
    );
    expect([code, stdout]).toEqual([0, 'n\r\n0\r\n1\r\n']);
    expect(await left()).toEqual([]);
  });
});

it.each([
  ["SELECT json_structure(repeat('[', 500000) || repeat(']', 500000))"],
  ["SELECT variant_typeof((repeat('[', 500000) || repeat(']', 500000))::JSON::VARIANT)"],
])('A crash of the SQL engine is one sentence and exit code 5: %s', async sql => {
  const { code, stdout, stderr } = await run(['query', sql, DATA], { cwd: folder, env: environment() });
  expect([code, stdout]).toEqual([5, '']);
  expect(stderr).toMatch(/^blockglass: the SQL engine crashed \(SIG\w+\)\n {2}try: simplify the query: [^\n]*\n$/);
  expect(await left()).toEqual([]);
});

it('A killed program leaves no SQL engine and no folder behind', async () => {
  const child = spawn(process.execPath, [bundle, 'query', CROSS, DATA], {
    cwd: folder,
    env: { ...process.env, ...environment() },
    stdio: 'ignore',
  });
  await atWork(child.pid ?? 0);
  // It is not taken away from who is alive.
  expect((await run(['query', 'SELECT 1', DATA], { cwd: folder, env: environment() })).code).toBe(0);
  expect(await left()).toHaveLength(1);
  const family = await familyOf(child.pid ?? 0);
  expect(family.length).toBeGreaterThan(1);
  child.kill('SIGKILL');
  await once(child, 'close');
  await expect.poll(() => family.filter(isRunning)).toEqual([]);
  expect(await left()).toEqual([]);
});

it('The remains of a program killed with its SQL engine are removed by the next one', async () => {
  const child = spawn(process.execPath, [bundle, 'query', CROSS, DATA], {
    cwd: folder,
    env: { ...process.env, ...environment() },
    stdio: 'ignore',
  });
  await atWork(child.pid ?? 0);
  const family = await familyOf(child.pid ?? 0);
  for (const pid of family.toReversed()) process.kill(pid, pid === child.pid ? 'SIGKILL' : 'SIGSTOP');
  for (const pid of family.slice(1)) process.kill(pid, 'SIGKILL');
  await once(child, 'close');
  expect(await left()).toHaveLength(1);
  expect((await run(['query', 'SELECT 1', DATA], { cwd: folder, env: environment() })).code).toBe(0);
  expect(await left()).toEqual([]);
});
