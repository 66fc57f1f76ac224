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

it('says of a file what it is', async () => {
  expect((await verifyFile(path, undefined, {})).kind).toBe('complete');
});

it('has no verdict on a file that somebody writes to meanwhile', async () => {
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

it('has no verdict on a file that somebody wrote to without making it longer', async () => {
  const check = verifyFile(path, undefined, {
    createWorker: job => {
      utimesSync(path, 5, 5);
      return createCheckWorker(job);
    },
  });
  await expect(check).rejects.toThrow(`${path} changed while it was read`);
});

it('has no verdict on a file that became longer, though it has the time of before', async () => {
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

it('holds it against what was asked for, and reads rows only when that is wanted', async () => {
  expect((await verifyFile(path, { table: 'ledger' }, {})).kind).toBe('damaged');
  const name = 'c-balances-093-000001-001000.csv';
  await writeFile(path, zipOf([{ name, content: `${balancesCsv}too,few\n` }]));
  expect((await verifyFile(path, undefined, {})).kind).toBe('damaged');
  expect((await verifyFile(path, undefined, { readsRows: false })).kind).toBe('complete');
});

it('has no verdict on a file that is not there, nor when it is stopped', async () => {
  await expect(verifyFile(`${path}x`, undefined, {})).rejects.toThrow(
    new UnreadableError(`there is no ${path}x`, 'ENOENT'),
  );
  await expect(verifyFile(path, undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
