import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkArchive } from '../../../src/history/check/check-archive.ts';
import { followArchive } from '../../../src/history/check/follow-archive.ts';
import { readFirstRows } from '../../../src/history/check/read-entries.ts';
import { balances, balancesHeader, balancesName, bytesOf, csv, nodeError } from './samples.ts';
import { zipOf } from './zip-bytes.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blockglass-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const rows = Array.from(
  { length: 20_000 },
  (_, row) => `\\x${bytesOf(row)},2023-01-18 01:12:09+00,\\x${bytesOf(row * 7919)},${row}`,
);
const body = zipOf([{ name: balancesName, content: csv(balancesHeader, ...rows) }]);

function fileOf(name: string, content: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('A check judges a file on disk and gives its hash', async () => {
  const verdict = await checkArchive(fileOf('whole.zip', body), balances);
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(verdict).toMatchObject({
    kind: 'complete',
    sha256,
    bytes: body.length,
    entries: [{ rows: 20_000 }],
  });
});

test('A check hashes a whole file of stored entries over many reads', async () => {
  const content = csv(balancesHeader, ...rows);
  const stored = zipOf([{ name: balancesName, content, method: 0, descriptor: 0 }]);
  const sha256 = createHash('sha256').update(stored).digest('hex');
  expect(await checkArchive(fileOf('stored.zip', stored), balances)).toMatchObject({ kind: 'complete', sha256 });
});

test('A check judges a growing file while its download continues', async () => {
  const path = fileOf('growing.part', new Uint8Array(0));
  const following = followArchive(path, balances);
  for (let at = 0; at < body.length; at += 30_000) {
    appendFileSync(path, body.subarray(at, at + 30_000));
    following.grown(Math.min(body.length, at + 30_000));
  }
  following.ended({ bodyComplete: true });
  expect(await following.verdict).toEqual(await checkArchive(path, balances));
});

test('A checking thread reports its progress while the file still grows', async () => {
  const path = fileOf('progress.part', body.subarray(0, body.length - 100));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const following = followArchive(path, balances, { onProgress: resolve });
  following.grown(body.length - 100);
  expect(await promise).toMatchObject({ entryName: balancesName, entriesDone: [] });
  appendFileSync(path, body.subarray(body.length - 100));
  following.grown(body.length);
  following.ended({ bodyComplete: true });
  expect(await following.verdict).toMatchObject({ kind: 'complete' });
});

test('A check does not confirm an archive whose connection failed after its last byte', async () => {
  const following = followArchive(fileOf('unconfirmed.part', body), balances);
  following.grown(body.length);
  following.ended({ bodyComplete: false });
  const verdict = await following.verdict;
  expect(verdict).toMatchObject({ kind: 'incomplete', findings: [{ fault: 'unconfirmed-end' }] });
});

test('A checking thread passes an error after the archive to the caller', async () => {
  const failed = Buffer.concat([body, Buffer.from(JSON.stringify({ error: nodeError }))]);
  const following = followArchive(fileOf('failed.part', failed), balances);
  following.grown(failed.length);
  following.ended({ bodyComplete: true });
  expect(await following.verdict).toMatchObject({ kind: 'incomplete', nodeError: { code: 13 } });
});

test('A check rejects when it is aborted', async () => {
  const following = followArchive(fileOf('aborted.part', body), balances);
  following.grown(1000);
  following.abort();
  await expect(following.verdict).rejects.toMatchObject({ name: 'AbortError' });
  await expect(checkArchive(join(folder, 'whole.zip'), balances, { signal: AbortSignal.abort() })).rejects.toThrow();
});

test('A check rejects a file that cannot be read', async () => {
  await expect(checkArchive(join(folder, 'absent.zip'), balances)).rejects.toThrow(/there is no/);
  await expect(followArchive(join(folder, 'absent.part'), balances).verdict).rejects.toThrow(/there is no/);
});

test('A preview shows the first rows of any entry, with NULL and the empty text apart', async () => {
  const content = csv(balancesHeader, '\\x01,2023-01-18 01:12:09+00,\\x02,100', '\\x03,,"",7');
  const second = { name: 'c-balances-094-1001-2000.csv', content };
  const stored = {
    name: 'c-balances-095-2001-3000.csv',
    content,
    method: 0,
    descriptor: 0,
  } as const;
  const first = { name: balancesName, content: csv(balancesHeader, ...rows) };
  const path = fileOf('preview.zip', zipOf([first, second, stored], { hasZip64End: true }));
  const { entries } = await checkArchive(path, undefined);
  const rowsOf = (index: number, count: number) =>
    readFirstRows(path, entries[index] ?? { name: '', byteOffset: 0 }, count);
  const expected = [
    ['\\x01', '2023-01-18 01:12:09+00', '\\x02', '100'],
    ['\\x03', null, '', '7'],
  ];
  expect(await rowsOf(1, 5)).toEqual(expected);
  expect(await rowsOf(2, 1)).toEqual(expected.slice(0, 1));
  expect(await rowsOf(0, 3)).toHaveLength(3);
  expect(await readFirstRows(path, { name: 'absent.csv', byteOffset: 0 }, 3)).toEqual([]);
  expect(await readFirstRows(path, { name: second.name, byteOffset: 7 }, 3)).toEqual([]);
});

test('A preview shows rows of a truncated archive', async () => {
  const path = fileOf('cut.zip', body.subarray(0, 20_000));
  const place = { name: balancesName, byteOffset: 0 };
  expect(await readFirstRows(path, place, 2)).toEqual([
    ['\\x00000000', '2023-01-18 01:12:09+00', '\\x00000000', '0'],
    ['\\x00000001', '2023-01-18 01:12:09+00', '\\x00001eef', '1'],
  ]);
  const all = await readFirstRows(path, place, 20_000);
  expect(all.length).toBeGreaterThan(100);
  expect(all.length).toBeLessThan(20_000);
});
