import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { download } from '../../../src/history/download/download.ts';
import { findExportTable } from '../../../src/history/plan/export-tables.ts';
import { balancesCsv, balancesName } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

const archive = zipOf([{ name: balancesName, content: balancesCsv }]);

/** An export answered with this head, and then the connection closed. */
async function notesOf(head: readonly string[], body: readonly Uint8Array[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'body-end-'));
  const server = createServer(socket => {
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...body])));
    socket.on('error', () => {});
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const table = findExportTable('balances');
  if (table === undefined) throw new Error('no such table');
  try {
    const result = await download({
      client: createClient({ base: new URL(`http://127.0.0.1:${port}`) }),
      plan: { table, fromBlock: 1n, toBlock: 1000n, destination: folder, mayOverwrite: false },
      signal: new AbortController().signal,
      onProgress: () => {},
      firstByteMs: 10_000,
      idleMs: 10_000,
    });
    return result.kind === 'saved' ? result.verdict.notes : [result.kind];
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const chunk = (bytes: Uint8Array) => [
  Buffer.from(`${bytes.length.toString(16)}\r\n`),
  bytes,
  Buffer.from('\r\n0\r\n\r\n'),
];

test('A body that only a closed connection ends is noted, over either HTTP version', async () => {
  for (const version of ['1.0', '1.1']) {
    const notes = await notesOf([`HTTP/${version} 200 OK`, 'Connection: close'], [archive]);
    expect(notes).toEqual([expect.stringContaining('only the closed connection marked its end')]);
  }
});

test('A body with a stated length or last chunk is not noted', async () => {
  expect(await notesOf(['HTTP/1.1 200 OK', `Content-Length: ${archive.length}`], [archive])).toEqual([]);
  expect(await notesOf(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'], chunk(archive))).toEqual([]);
});
