import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database } from '../../../src/answers/engine/database.ts';

const ENDLESS = 'SELECT count(*) FROM range(1e15::BIGINT) a, range(1e15::BIGINT) b';

/** The engines that a process has started. */
async function enginesOf(parent: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(parent)]);
  return stdout.split('\n').flatMap(line => (/engine-child/.test(line) ? [Number.parseInt(line, 10)] : []));
}

/** Dead and not yet taken note of by its parent counts as dead. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

let database: Database;
let pid: number;

beforeEach(async () => {
  const before = await enginesOf(process.pid);
  database = await Database.open({ memoryMiB: 256 });
  const [own] = (await enginesOf(process.pid)).filter(known => !before.includes(known));
  if (own === undefined) throw new Error('no engine was started');
  pid = own;
});

afterEach(() => database.close());

const CRASHED = {
  name: 'AnswerError',
  because: 'untrusted',
  message: expect.stringMatching(/^the SQL engine crashed \(SIG\w+\)$/),
};

test('An engine crash ends only the engine process, with the same one-sentence error then and later', async () => {
  const beside = await database.beside();
  const other = beside.run(ENDLESS).catch((error: unknown) => error);
  await expect(database.all("SELECT json_structure(repeat('[', 500000) || repeat(']', 500000))")).rejects.toMatchObject(
    CRASHED,
  );
  expect(await other).toMatchObject(CRASHED);
  await expect(beside.all('SELECT 1')).rejects.toMatchObject(CRASHED);
  await expect(database.beside()).rejects.toMatchObject(CRASHED);
  await beside.close();
});

test('A result whose engine is killed never passes for a complete one', async () => {
  const { parts } = await database.stream('SELECT range FROM range(100000000)');
  await parts.next();
  process.kill(pid, 'SIGKILL');
  const reading = (async () => {
    for await (const part of parts) expect(part.length).toBeGreaterThan(0);
  })();
  await expect(reading).rejects.toMatchObject(CRASHED);
});

test('Memory that the engine does not track ends it with an out-of-memory message', async () => {
  const hungry = database.all("SELECT length(repeat('a', 2000000000) || range) FROM range(3)");
  await expect(hungry).rejects.toMatchObject({
    name: 'AnswerError',
    because: 'usage',
    message: expect.stringMatching(/^Out of Memory/),
  });
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('An engine that never answers is not waited for on abort or on close', async () => {
  process.kill(pid, 'SIGSTOP');
  const control = new AbortController();
  const asked = database.all('SELECT 1', control.signal);
  control.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  const unheard = expect(database.all('SELECT 1')).rejects.toThrow('the SQL engine is closed');
  await database.close();
  await unheard;
  expect(isRunning(pid)).toBe(false);
});

test('An engine that is closed during a statement ends at once', async () => {
  const endless = database.run(ENDLESS);
  const ended = expect(endless).rejects.toThrow('the SQL engine is closed');
  await database.close();
  await ended;
  expect(isRunning(pid)).toBe(false);
});

test('The abort signal passed on opening ends the engine, whatever it is doing', async () => {
  const control = new AbortController();
  const other = await Database.open({}, control.signal);
  const endless = other.run(ENDLESS);
  control.abort(new Error('Ctrl-C'));
  await expect(endless).rejects.toThrow('Ctrl-C');
  await expect(other.all('SELECT 1')).rejects.toThrow('Ctrl-C');
  await expect(Database.open({}, control.signal)).rejects.toThrow('Ctrl-C');
});

test('Aborting a queued statement does not affect the running one', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const endless = database.run(ENDLESS, first.signal);
  const waiting = database.run('SELECT 1', second.signal);
  second.abort(new Error('not this one'));
  await expect(waiting).rejects.toThrow('not this one');
  expect(await Promise.race([endless.catch(() => 'ended'), (await database.beside()).all('SELECT 2')])).toMatchObject({
    rows: [['2']],
  });
  first.abort(new Error('enough'));
  await expect(endless).rejects.toThrow('enough');
  expect((await database.all('SELECT 3')).rows).toEqual([['3']]);
});

test('The engine leaves terminal signals to the program', async () => {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
  expect((await database.all('SELECT 1')).rows).toEqual([['1']]);
});

test('The engine inherits only the environment variables it needs', async () => {
  const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .map(line => line.split('=')[0] ?? '');
  expect(names.filter(name => /^(?:BLOCKGLASS|AWS|NODE_OPTIONS|VITEST)/.test(name))).toEqual([]);
});

test('Rows longer than one message arrive whole, and a row that is too long is refused with a clear message', async () => {
  const { rows } = await database.all("SELECT repeat('é', 3000000) || range, NULL, '' FROM range(3)");
  expect(rows.map(([text, ...others]) => [text?.length, text?.at(-1), ...others])).toEqual(
    [0, 1, 2].map(n => [3_000_001, String(n), null, '']),
  );
});

test('A killed program leaves neither its engine nor its temporary folder behind', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'blockglass-killed-'));
  const program = fork(fileURLToPath(new URL('engine-owner.ts', import.meta.url)), [temporary], { execArgv: [] });
  try {
    await once(program, 'message');
    const engines = await enginesOf(program.pid ?? 0);
    expect(engines).toHaveLength(1);
    program.kill('SIGKILL');
    await expect.poll(() => engines.some(isRunning), { timeout: 10_000 }).toBe(false);
    expect(existsSync(temporary)).toBe(false);
  } finally {
    program.kill('SIGKILL');
    await rm(temporary, { recursive: true, force: true });
  }
});
