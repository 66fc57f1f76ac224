import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CheckJob, createCheckWorker } from '../../../src/history/check/follow-archive.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import { verifyPipe } from '../../../src/history/verify/verify-file.ts';
import { openFiles } from '../check/open-files.ts';
import { balancesCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const whole = zipOf([{ name: 'c-balances-093-000001-001000.csv', content: balancesCsv }]);
const columnMissing = zipOf([{ name: 'c-balances-093-000001-001000.csv', content: `${balancesCsv}too,few\n` }]);
const pieces = (bytes: Buffer) => Readable.from([bytes.subarray(0, 50), bytes.subarray(50, 51), bytes.subarray(51)]);

it('The verification judges an archive from a pipe like one from a file', async () => {
  const verdict = await verifyPipe(pieces(whole), undefined, { signal });
  expect(verdict).toMatchObject({
    kind: 'complete',
    bytes: whole.length,
    notes: [],
  });
});

it('The verification of a pipe applies the expected content and reading options as for a file', async () => {
  expect(await verifyPipe(pieces(whole), { table: 'ledger' }, { signal })).toMatchObject({ kind: 'damaged' });
  expect(await verifyPipe(pieces(columnMissing), undefined, { signal })).toMatchObject({ kind: 'damaged' });
  expect(await verifyPipe(pieces(columnMissing), undefined, { signal, readsRows: false })).toMatchObject({
    kind: 'complete',
  });
});

it('The verification of a pipe never gives the arriving data a name, during the check or afterwards', async () => {
  const seen: string[] = [];
  async function* coming() {
    for await (const chunk of pieces(whole)) {
      yield chunk;
      seen.push(...(await readdir(folder)));
    }
  }
  await verifyPipe(Readable.from(coming()), undefined, { signal });
  expect([...seen, ...(await readdir(folder))]).toEqual([]);
});

it('The verification of a pipe that breaks or is stopped has no verdict, and leaves nothing', async () => {
  async function* breaking() {
    yield whole.subarray(0, 50);
    throw new Error('broken pipe');
  }
  const threads: Worker[] = [];
  const createWorker = (job: CheckJob) => {
    const thread = createCheckWorker(job);
    threads.push(thread);
    return thread;
  };
  const broken = verifyPipe(Readable.from(breaking()), undefined, { signal, createWorker });
  await expect(broken).rejects.toThrow('broken pipe');
  await vi.waitFor(() => expect(threads.map(({ threadId }) => threadId)).toEqual([-1]));
  const abort = new AbortController();
  const silent = new Readable({
    read() {
      setImmediate(() => abort.abort());
    },
  });
  const stopped = verifyPipe(silent, undefined, { signal: abort.signal });
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  expect(await readdir(folder)).toEqual([]);
  expect(openFiles(folder)).toEqual([]);
});

it('The verification of a pipe that cannot be stored anywhere reports the location as the problem', async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  const check = verifyPipe(Readable.from([]), undefined, { signal });
  await expect(check).rejects.toThrow(
    new DestinationError('the folder of /nowhere/a copy of the pipe does not exist: create it or choose another'),
  );
});
