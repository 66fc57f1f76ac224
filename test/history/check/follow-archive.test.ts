import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type CheckJob, type FollowOptions, followArchive } from '../../../src/history/check/follow-archive.ts';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';
import type { CheckProgress } from '../../../src/history/check/verdict.ts';

const entryDone = { name: 'a', rows: 1, isWhole: true, findings: [] };
const verdict = {
  kind: 'complete',
  reason: 'All is right.',
  findings: [],
  notes: [],
  entries: [entryDone],
  bytes: 1,
  sha256: '',
};

/** Follows a thread that does as it is told instead of checking. */
function followed(does: string, options: FollowOptions = {}) {
  const jobs: CheckJob[] = [];
  const workers: Worker[] = [];
  const following = followArchive(
    'a.zip',
    { table: 'blocks' },
    {
      ...options,
      createWorker: job => {
        jobs.push(job);
        const code = `const { parentPort } = require('node:worker_threads'); const say = m => parentPort.postMessage(m); ${does}`;
        const worker = new Worker(code, { eval: true });
        workers.push(worker);
        return worker;
      },
    },
  );
  return { following, jobs, hasEnded: () => workers.every(({ threadId }) => threadId === -1) };
}

const say = (message: object) => `say(${JSON.stringify(message)});`;
const waits = "parentPort.on('message', () => {});";

describe('Threaded check', () => {
  it('A threaded check covers its input, rows included unless requested otherwise', async () => {
    const job = { role: 'check-archive', path: 'a.zip', expectation: { table: 'blocks' } };
    const { jobs, following } = followed(say({ kind: 'verdict', verdict }));
    await following.verdict;
    expect(jobs).toEqual([{ ...job, readsRows: true }]);
    const other = followed(say({ kind: 'verdict', verdict }), { readsRows: false });
    await other.following.verdict;
    expect(other.jobs).toEqual([{ ...job, readsRows: false }]);
  });

  it('A threaded check receives the growth and the end of the file, and reports its own progress', async () => {
    const told: CheckProgress[] = [];
    const echo = `const heard = [];
      parentPort.on('message', message => {
        heard.push(message);
        say({ kind: 'progress', progress: { heard } });
        if (message.kind !== 'ended') return;
        say({ kind: 'verdict', verdict: { reason: JSON.stringify(heard) } });
        parentPort.close();
      });`;
    for (const onProgress of [(progress: CheckProgress) => told.push(progress), undefined]) {
      const { following } = followed(echo, { onProgress });
      following.grown(5);
      following.ended({ bodyComplete: false });
      const { reason } = await following.verdict;
      const messages = [
        { kind: 'grown', bytes: 5 },
        { kind: 'ended', bodyComplete: false },
      ];
      expect(JSON.parse(reason)).toEqual(messages);
      expect(told).toEqual([{ heard: messages.slice(0, 1) }, { heard: messages }]);
    }
  });

  it('A threaded check reports its verdict after the thread has ended, not before', async () => {
    const heard = Promise.withResolvers<unknown>();
    const words = `${say({ kind: 'verdict', verdict })} ${say({ kind: 'progress', progress: {} })}`;
    const { following, hasEnded } = followed(`${words} parentPort.once('message', () => parentPort.close());`, {
      onProgress: heard.resolve,
    });
    const told: unknown[] = [];
    const telling = following.verdict.then(verdict => told.push(verdict));
    await heard.promise;
    await setImmediate();
    expect([told, hasEnded()]).toEqual([[], false]);
    following.grown(1);
    await telling;
    expect([told, hasEnded()]).toEqual([[verdict], true]);
  });

  it('A threaded check of an unreadable file fails with the error of the file', async () => {
    const { following, hasEnded } = followed(say({ kind: 'unreadable', reason: 'there is no a.zip', code: 'ENOENT' }));
    await expect(following.verdict).rejects.toEqual(new UnreadableError('there is no a.zip', 'ENOENT'));
    await expect(following.verdict).rejects.toMatchObject({ code: 'ENOENT' });
    expect(hasEnded()).toBe(true);
  });

  it('A threaded check that fails has the error of the thread, and no later verdict', async () => {
    const { following, hasEnded } = followed("throw new RangeError('a fault');");
    await expect(following.verdict).rejects.toThrow(new RangeError('a fault'));
    expect(hasEnded()).toBe(true);
  });

  it('A threaded check keeps the first verdict', async () => {
    const first = followed(
      `${say({ kind: 'verdict', verdict })} ${say({ kind: 'unreadable', reason: 'no', code: '' })}`,
    );
    expect(await first.following.verdict).toEqual(verdict);
    const second = followed(
      `${say({ kind: 'unreadable', reason: 'no', code: '' })} ${say({ kind: 'verdict', verdict })}`,
    );
    await expect(second.following.verdict).rejects.toThrow('no');
  });

  it('A threaded check that fails after its verdict arrived keeps the verdict', async () => {
    const words = `${say({ kind: 'verdict', verdict })} ${say({ kind: 'progress', progress: {} })}`;
    const failsWhenTold = "parentPort.on('message', () => { throw new Error('late'); });";
    const { following, hasEnded } = followed(`${failsWhenTold} ${words}`, { onProgress: () => following.grown(1) });
    expect(await following.verdict).toEqual(verdict);
    expect(hasEnded()).toBe(true);
  });

  it('A threaded check whose thread ends silently has no verdict', async () => {
    const { following } = followed('process.exit(3);');
    await expect(following.verdict).rejects.toThrow('The check ended without a verdict (exit code 3).');
  });
});

describe('Stopped threaded check', () => {
  const stopped = { name: 'AbortError', message: 'The check was aborted.' };

  it('A stopped check rejects when the thread has ended, whatever it was doing', async () => {
    const { following, hasEnded } = followed(`${waits} for (;;);`);
    following.abort();
    await expect(following.verdict).rejects.toMatchObject(stopped);
    expect(hasEnded()).toBe(true);
  });

  it('A stopped check also rejects by its signal, before or during the check, and releases the signal', async () => {
    await expect(followed(waits, { signal: AbortSignal.abort() }).following.verdict).rejects.toMatchObject(stopped);
    const abort = new AbortController();
    const { following } = followed(waits, { signal: abort.signal });
    abort.abort();
    await expect(following.verdict).rejects.toMatchObject(stopped);
    const { signal } = new AbortController();
    const whole = followed(say({ kind: 'verdict', verdict }), { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await whole.following.verdict;
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('A stopped check keeps a verdict that arrived before', async () => {
    const told = Promise.withResolvers<unknown>();
    const words = `${say({ kind: 'verdict', verdict })} ${say({ kind: 'progress', progress: {} })} ${waits}`;
    const { following } = followed(words, { onProgress: told.resolve });
    await told.promise;
    following.abort();
    expect(await following.verdict).toEqual(verdict);
  });
});
