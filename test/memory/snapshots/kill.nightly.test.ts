import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openSnapshots, snapshotFilePath } from '../../../src/memory/snapshots/index.ts';
import { randomFrom } from '../../support/random-numbers.ts';
import { CHAIN, testFolder } from './made-snapshot.ts';

const URL_OF_DOOR = JSON.stringify(`file://${resolve('src/memory/snapshots/index.ts')}`);

/** Stores one snapshot after the other and says each that is stored: its only record has its id in it. */
const RECORDING = `
  import { openRecorder } from ${URL_OF_DOOR};
  const recorder = openRecorder({ folder: process.argv[1], chainId: process.argv[2], nowMs: Date.now });
  console.log(recorder.setAside === null ? 'open' : 'damaged');
  for (;;) {
    const next = (recorder.newest()?.id ?? 0) + 1;
    const records = Array.from({ length: 300 }, (_, index) => JSON.stringify({ index, of: index % 3 === 0 ? next : 0, text: 'x'.repeat(index) }));
    const facts = { takenMs: Date.now(), endedMs: Date.now(), node: '', blockHeight: null, blockTimeNs: null, genesisTime: null };
    console.log(recorder.add({ ...facts, lists: [{ list: 'parameters', scope: '', kind: 'read', records }] }));
    if (next % 7 === 0) recorder.prune(3_600_000);
  }`;

function startRecorder(folder: string) {
  const words = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', RECORDING, folder, CHAIN];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  // It goes on for ever: a test that fails must not leave it behind.
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    said.out += String(chunk);
  });
  child.stderr.on('data', chunk => {
    said.err += String(chunk);
  });
  return { child, said };
}

it('A recorder that is killed at any moment loses nothing that it had stored', async () => {
  const folder = testFolder();
  const path = snapshotFilePath(folder, CHAIN);
  const random = randomFrom(11);
  let stored = 0;
  for (let round = 0; round < 40; round++) {
    const { child, said } = startRecorder(folder);
    await once(child.stdout, 'data');
    await wait(random() * 150);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(said.err).toBe('');
    const [first, ...ids] = said.out.trim().split('\n');
    expect(first).toBe('open');
    stored = Math.max(stored, ...ids.map(Number));
    const snapshots = openSnapshots(path);
    const there = snapshots.all();
    // The last one may have been stored just before it could say so.
    expect([stored, stored + 1]).toContain(there.length);
    stored = there.length;
    for (const { id } of there.slice(-5)) {
      const list = snapshots.list(id, { list: 'parameters', scope: '' });
      expect(list?.kind === 'read' && list.records.filter(record => record.includes(`"of":${id},`)).length).toBe(100);
    }
    if (round % 10 === 9) expect(snapshots.problems()).toEqual([]);
    snapshots.close();
  }
  expect(stored).toBeGreaterThan(40);
}, 180_000);

it('Of five recorders that start at once, one records and the others report the process that does', async () => {
  const folder = testFolder();
  const recorders = Array.from({ length: 5 }, () => {
    const recorder = startRecorder(folder);
    return { ...recorder, closed: once(recorder.child, 'close') };
  });
  const winner = await Promise.any(
    recorders.map(async recorder => {
      const lost = recorder.closed.then(() => Promise.reject(new Error(recorder.said.err)));
      await Promise.race([once(recorder.child.stdout, 'data'), lost]);
      return recorder;
    }),
  );
  const losers = recorders.filter(recorder => recorder !== winner);
  await Promise.all(losers.map(({ closed }) => closed));
  for (const { child, said } of losers) {
    expect(child.exitCode).toBe(1);
    expect(said.out).toBe('');
    expect(said.err).toMatch(
      new RegExp(`(process ${winner.child.pid} \\(since .* UTC\\)|another blockglass) is recording this chain already`),
    );
  }
  expect(losers.some(({ said }) => said.err.includes(`process ${winner.child.pid}`))).toBe(true);
  winner.child.kill('SIGKILL');
  await winner.closed;
  // The lock goes with its process.
  const { child } = startRecorder(folder);
  const [open] = await once(child.stdout, 'data');
  expect(String(open)).toContain('open');
  child.kill('SIGKILL');
  await once(child, 'close');
}, 180_000);
