import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openRecorder, openSnapshots, snapshotFilePath } from '../../src/memory/snapshots/index.ts';
import { startAlteredNode } from '../memory/record/altered-node.ts';
import { randomFrom } from '../support/random-numbers.ts';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

const CHAIN = 'demo-chain-1';

/** Runs the program; resolves with its output when it has ended. It is killed when `killed` resolves. */
async function program(words: readonly string[], state: string, killed?: Promise<void>) {
  const child = spawn(process.execPath, [bundle, ...words], {
    env: { ...process.env, XDG_STATE_HOME: state, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', chunk => {
    out += String(chunk);
  });
  child.stderr.on('data', chunk => {
    err += String(chunk);
  });
  const closed = once(child, 'close');
  void killed?.then(() => child.kill('SIGKILL'));
  await closed;
  return { out, err, code: child.exitCode };
}

/** Every snapshot with its lists, and that no record of them is damaged. */
function storedIn(state: string): ReadonlyMap<number, number> {
  const snapshots = openSnapshots(snapshotFilePath(join(state, 'blockglass', 'snapshots'), CHAIN));
  try {
    expect(snapshots.problems()).toEqual([]);
    return new Map(snapshots.all().map(({ id, records }) => [id, records]));
  } finally {
    snapshots.close();
  }
}

it('`record` that is killed at 24 random moments loses no stored snapshot', async () => {
  await using folder = await temporaryFolder();
  await using node = await startAlteredNode(2);
  // Each reading has another value, so that each snapshot writes more than a row.
  let value = 0;
  let [requests, killAfter] = [0, Number.POSITIVE_INFINITY];
  let reached = (): void => {};
  node.alter = async (url, own) => {
    if (++requests === killAfter) reached();
    return url.pathname.endsWith('/network/parameters')
      ? { body: (await own()).replace(/"value":"[\d.]+"/g, () => `"value":"${++value}"`) }
      : undefined;
  };
  const record = (killed?: Promise<void>) => program(['record', '--once', '--node', node.url], folder.path, killed);
  expect((await record()).code).toBe(0);
  const all = requests;
  const random = randomFrom(26);
  let before = storedIn(folder.path);
  let killed = 0;
  for (let round = 0; round < 24; round++) {
    requests = 0;
    // Most of it is reading: three of four are killed behind the last answer, where it is stored.
    killAfter = round % 4 === 0 ? 1 + Math.floor(random() * all) : all;
    const asked = new Promise<void>(resolve => {
      reached = resolve;
    });
    const { code, err } = await record(asked.then(() => wait(round % 4 === 0 ? 0 : random() * 150)));
    expect([null, 0]).toContain(code);
    if (code === null) killed++;
    expect(err).toBe('');
    const after = storedIn(folder.path);
    for (const [id, records] of before) expect(after.get(id)).toBe(records);
    expect(after.size - before.size).toBeLessThanOrEqual(1);
    before = after;
  }
  expect(killed).toBeGreaterThanOrEqual(6);
  killAfter = Number.POSITIVE_INFINITY;
  expect((await record()).code).toBe(0);
  // How many were killed, and how many had stored theirs before.
  console.log(`${killed} of 24 killed, ${before.size} snapshots stored`);
}, 600_000);

it('`record prune` that is killed leaves all of the snapshots, or those it was meant to leave', async () => {
  await using folder = await temporaryFolder();
  const HOUR_MS = 3_600_000;
  const nowMs = Date.now();
  const recorder = openRecorder({
    folder: join(folder.path, 'blockglass', 'snapshots'),
    chainId: CHAIN,
    nowMs: Date.now,
  });
  const add = (hoursAgo: number, of: number): void => {
    const takenMs = nowMs - hoursAgo * HOUR_MS;
    const records = Array.from({ length: 400 }, (_, index) => JSON.stringify({ index, of, text: 'x'.repeat(index) }));
    recorder.add({
      ...{ takenMs, endedMs: takenMs, node: '', blockHeight: null, blockTimeNs: null, genesisTime: null },
      lists: [{ list: 'parameters', scope: '', kind: 'read', records }],
    });
  };
  for (let index = 0; index < 60; index++) add(100 - index, index);
  recorder.close();
  const random = randomFrom(27);
  let left = storedIn(folder.path).size;
  for (let hours = 55; hours > 5; hours -= 5) {
    await program(['record', 'prune', '--keep', `${hours}h`], folder.path, wait(60 + random() * 250));
    const { size } = storedIn(folder.path);
    // The newest counts as now.
    expect([left, hours + 1]).toContain(size);
    left = size;
  }
}, 600_000);
