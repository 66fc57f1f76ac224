import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { download } from '../../../src/history/download/download.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';

const fault = (code: number, message: string) =>
  JSON.stringify({
    error: { code, message: 'InvalidArgument error', details: [{ message, inner: 'x', code: 10000 }] },
  });

/** A node that refuses every export, and lists segments of ten blocks from `first` to 100. */
async function refusing(answer: { readonly status: number; readonly message: string }, first: number | null) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url?.replace(/^.*networkhistory\/|\?.*$/g, '') ?? '');
    if (request.url?.includes('/segments') !== true) {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(fault(3, answer.message));
    } else if (first === null) {
      response.writeHead(500);
      response.end('{"code":13,"message":"Internal error","details":[]}');
    } else response.end(JSON.stringify({ segments: segmentsFrom(first) }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

function segmentsFrom(first: number) {
  return Array.from({ length: (101 - first) / 10 }, (_, index) => ({
    fromHeight: String(first + index * 10),
    toHeight: String(first + index * 10 + 9),
    historySegmentId: `Qm${index}`,
    previousHistorySegmentId: `Qm${index - 1}`,
    databaseVersion: '93',
    chainId: 'c',
  }));
}

async function run(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-refusal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [table] = EXPORT_TABLES;
  if (table === undefined) throw new Error('no tables');
  return download({
    client: createClient({ base: baseAddress(url) }),
    plan: { table, fromBlock: 1n, toBlock: 100n, chainId: 'c', destination: folder, mayOverwrite: false },
    signal: new AbortController().signal,
    onProgress: () => {},
    firstByteMs: 5000,
    idleMs: 5000,
  });
}

const notContiguous = { status: 400, message: 'could not to get contiguous history segments' };

describe('Valid range that is refused', () => {
  it.each([notContiguous, { status: 500, message: 'failed to get contiguous history segments' }])(
    'A refused range is compared with the segments again, whose bounds have changed: HTTP $status',
    async answer => {
      const { url, asked } = await refusing(answer, 11);
      expect(await run(url)).toMatchObject({
        kind: 'failed',
        error: {
          status: answer.status,
          hint: 'the segments of the node have changed (the nearest segment begins at 11, not at 1): choose another range',
        },
      });
      expect(asked).toEqual(['export', 'segments']);
    },
  );

  it('A refused range that is still listed is reported as still listed', async () => {
    const { url } = await refusing(notContiguous, 1);
    expect(await run(url)).toMatchObject({
      error: { hint: expect.stringContaining('still lists all segments of this range, but refuses it') },
    });
  });

  it('A refused range stays as it was when the segments cannot be requested again', async () => {
    const { url, asked } = await refusing(notContiguous, null);
    expect(await run(url)).toMatchObject({ error: { status: 400, hint: expect.not.stringContaining('segments') } });
    expect(asked).toEqual(['export', 'segments']);
  });

  it('A range refused for another reason makes no further request', async () => {
    const { url, asked } = await refusing({ status: 500, message: 'network history service not initialised' }, 1);
    await run(url);
    expect(asked).toEqual(['export']);
  });
});
