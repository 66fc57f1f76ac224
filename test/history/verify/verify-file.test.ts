import { appendFileSync, utimesSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCheckWorker } from '../../../src/history/check/follow-archive.ts';
import { UnreadableError } from '../../../src/history/check/unreadable-error.ts';
import { verifyFile } from '../../../src/history/verify/verify-file.ts';
import { openFiles } from '../check/open-files.ts';
import { balancesCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
  path = join(folder, 'c-balances-000001-001000.zip');
  await writeFile(path, zipOf([{ name: 'c-balances-093-000001-001000.csv', content: balancesCsv }]));
});
afterEach(() => rm(folder, { recursive: true }));

it('The verification of a file reports what the file is', async () => {
  expect((await verifyFile(path, undefined, {})).kind).toBe('complete');
});

it('The verification gives no verdict on a file that is written to meanwhile', async () => {
  const check = verifyFile(path, undefined, {
    createWorker: job => {
      appendFileSync(path, '{"error":{"code":13,"message":"late","details":[]}}');
      return createCheckWorker(job);
    },
  });
  await expect(check).rejects.toThrow(
    new UnreadableError(`${path} changed while it was read: wait until nothing writes to it, then check it again`),
  );
});

it('The verification gives no verdict on a file that was written to without becoming longer', async () => {
  const check = verifyFile(path, undefined, {
    createWorker: job => {
      utimesSync(path, 5, 5);
      return createCheckWorker(job);
    },
  });
  await expect(check).rejects.toThrow(`${path} changed while it was read`);
});

it('The verification gives no verdict on a file that became longer but has its earlier time', async () => {
  utimesSync(path, 5, 5);
  const check = verifyFile(path, undefined, {
    createWorker: job => {
      appendFileSync(path, ' ');
      utimesSync(path, 5, 5);
      return createCheckWorker(job);
    },
  });
  await expect(check).rejects.toThrow(`${path} changed while it was read`);
  expect(openFiles(path)).toEqual([]);
});

it('The verification compares a file with the request, and reads rows only when requested', async () => {
  expect((await verifyFile(path, { table: 'ledger' }, {})).kind).toBe('damaged');
  const name = 'c-balances-093-000001-001000.csv';
  await writeFile(path, zipOf([{ name, content: `${balancesCsv}too,few\n` }]));
  expect((await verifyFile(path, undefined, {})).kind).toBe('damaged');
  expect((await verifyFile(path, undefined, { readsRows: false })).kind).toBe('complete');
});

it('The verification gives no verdict on a missing file, nor when it is stopped', async () => {
  await expect(verifyFile(`${path}x`, undefined, {})).rejects.toThrow(
    new UnreadableError(`there is no ${path}x`, 'ENOENT'),
  );
  await expect(verifyFile(path, undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
