import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startStrictNode } from './strict-node.ts';

const json = { headers: { accept: 'application/json' } };

function exportUrl(base: string, table: string, fromBlock: number, toBlock: number): string {
  return `${base}/api/v2/networkhistory/export?fromBlock=${fromBlock}&toBlock=${toBlock}&table=${table}`;
}

/** What Python's zipfile, a reader that is none of ours, finds in an archive after checking every checksum. */
async function unpack(archive: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-zip-'));
  try {
    await writeFile(join(folder, 'a.zip'), archive);
    await promisify(execFile)('python3', ['-m', 'zipfile', '-t', join(folder, 'a.zip')]);
    await promisify(execFile)('python3', ['-m', 'zipfile', '-e', join(folder, 'a.zip'), join(folder, 'out')]);
    const files = new Map<string, string>();
    for (const name of await readdir(join(folder, 'out'))) {
      files.set(name, await readFile(join(folder, 'out', name), 'utf8'));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([true, false])('The strict node exports a ZIP of one CSV (sizes after data: %s)', async sizesAfterData => {
  await using node = await startStrictNode({ sizesAfterData });
  const response = await fetch(exportUrl(node.url, 'TABLE_BLOCKS', 1, 2000), json);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.has('content-disposition')).toBe(false);
  expect(response.headers.has('content-length')).toBe(false);
  const files = await unpack(await response.bytes());
  expect([...files.keys()]).toEqual(['strict-chain-1-blocks-1-2000.csv']);
  const lines = files.get('strict-chain-1-blocks-1-2000.csv')?.trimEnd().split('\n') ?? [];
  expect(lines[0]).toBe('vega_time,height,hash');
  expect(lines).toHaveLength(2001);
  expect(lines[2000]).toMatch(/^2023-11-14 22:46:40\+00,2000,\\x[0-9a-f]{64}$/);
});

test('The strict node splits the CSV where the schema changes, with the version in the file names', async () => {
  await using node = await startStrictNode();
  const response = await fetch(exportUrl(node.url, 'TABLE_MARKET_DATA', 9001, 12000), json);
  const files = await unpack(await response.bytes());
  expect(Array.from(files, ([name, text]) => [name, text.slice(0, text.indexOf('\n'))]).sort()).toEqual([
    ['strict-chain-1-market_data-1-9001-10000.csv', 'vega_time,id,note'],
    ['strict-chain-1-market_data-2-10001-12000.csv', 'vega_time,id,memo'],
  ]);
});

test.each([
  ['TABLE_BLOCKS', 2, 1000],
  ['TABLE_BLOCKS', 1, 999],
  ['TABLE_BLOCKS', 2001, 1000],
  ['TABLE_BLOCKS', 20_001, 21_000],
  ['TABLE_UNSPECIFIED', 1, 1000],
  ['blocks', 1, 1000],
])('The strict node refuses an export of %s from %i to %i in a message of the stream', async (table, from, to) => {
  await using node = await startStrictNode();
  const response = await fetch(exportUrl(node.url, table, from, to), json);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: { code: 3, message: expect.any(String), details: [] },
  });
});

test('The strict node sends an export framed as JSON in messages, the first with its extensions', async () => {
  await using node = await startStrictNode({ framing: 'json' });
  const text = await (await fetch(exportUrl(node.url, 'TABLE_LEDGER', 1, 1000), json)).text();
  const results = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).result);
  expect(results).toHaveLength(7);
  expect(results.map(result => result.contentType)).toEqual(Array(7).fill('application/zip'));
  expect(results.map(result => 'extensions' in result)).toEqual([true, ...Array(6).fill(false)]);
  const files = await unpack(Buffer.concat(results.map(result => Buffer.from(result.data, 'base64'))));
  expect(files.get('strict-chain-1-ledger-1-1000.csv')).toContain('"two\r\nlines"');
});

test('The strict node sends a tail after every export', async () => {
  await using node = await startStrictNode();
  node.setExportTail('tail');
  const body = await (await fetch(exportUrl(node.url, 'TABLE_LEDGER', 1, 1000), json)).bytes();
  expect(Buffer.from(body).subarray(-4).toString()).toBe('tail');
});

test('The strict node can cut an export', async () => {
  await using node = await startStrictNode();
  node.truncateNext(500);
  const response = await fetch(exportUrl(node.url, 'TABLE_BLOCKS', 1, 1000), json);
  let received = 0;
  const reading = async () => {
    for await (const chunk of response.body ?? []) received += chunk.length;
  };
  await expect(reading()).rejects.toThrow('terminated');
  expect(received).toBe(500);
});
