import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { checkArchive } from '../../src/history/check/check-archive.ts';
import { readManifest } from '../../src/history/manifest/manifest.ts';
import { zipArchive } from '../support/zip-writer.ts';
import { bundle } from './support/explorer.ts';
import { temporaryFolder } from './support/folder.ts';

const SEGMENTS = 200;
const BLOCKS = 10;

/** A node with many short segments, which can be made to stop in the middle of an export. */
async function startNode() {
  const whole: string[] = [];
  let halted = Promise.withResolvers<void>();
  let servedUntilHalt = Number.POSITIVE_INFINITY;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://node');
    if (url.pathname.endsWith('/epoch')) {
      response.writeHead(404).end('{"code":5,"message":"Not Found","details":[]}');
      return;
    }
    if (url.pathname.endsWith('/networkhistory/segments')) {
      response.end(segments());
      return;
    }
    const range = `${url.searchParams.get('fromBlock')}-${url.searchParams.get('toBlock')}`;
    const archive = blocksArchive(Number(range.split('-')[0]), Number(range.split('-')[1]));
    if (servedUntilHalt-- > 0) finish(response, range, archive);
    else {
      response.write(archive.subarray(0, archive.length / 2));
      halted.resolve();
    }
  });
  const finish = (response: ServerResponse, range: string, archive: Buffer) => {
    whole.push(range);
    response.end(archive);
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Ranges that were sent to their end, in order. */
    whole,
    /** Sends so many exports more, and half of the next. Resolves when that half is out. */
    haltAfter: (exports: number) => {
      halted = Promise.withResolvers<void>();
      servedUntilHalt = exports;
      return halted.promise;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function segments(): string {
  const list = Array.from({ length: SEGMENTS }, (_, index) => ({
    fromHeight: String(index * BLOCKS + 1),
    toHeight: String((index + 1) * BLOCKS),
    historySegmentId: `Qm${index}`,
    previousHistorySegmentId: index === 0 ? '' : `Qm${index - 1}`,
    databaseVersion: '93',
    chainId: 'test-chain',
  }));
  return JSON.stringify({ segments: list.toReversed() });
}

function blocksArchive(from: number, to: number): Buffer {
  const rows = Array.from({ length: to - from + 1 }, (_, index) => `2026-01-01 00:00:00+00,${from + index},\\x00\n`);
  const [first, last] = [from, to].map(height => String(height).padStart(6, '0'));
  return zipArchive(
    [{ name: `test-chain-blocks-093-${first}-${last}.csv`, text: `vega_time,height,hash\n${rows.join('')}` }],
    true,
  );
}

function startExport(url: string, folder: string) {
  const words = [
    'export',
    '--node',
    url,
    '--table',
    'blocks',
    '--from',
    '1',
    '--to',
    String(SEGMENTS * BLOCKS),
    '--slice',
    '10',
    '--out',
    folder,
  ];
  return spawn(process.execPath, [bundle, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('Resuming an export in slices', () => {
  it('An export in slices that is killed with SIGKILL five times ends complete, with no slice fetched twice', async () => {
    await using folder = await temporaryFolder();
    const node = await startNode();
    try {
      for (const exports of [0, 3, 1, 6, 2]) {
        const halted = node.haltAfter(exports);
        const program = startExport(node.url, folder.path);
        await halted;
        program.kill('SIGKILL');
        await once(program, 'close');
      }
      void node.haltAfter(Number.POSITIVE_INFINITY);
      const program = startExport(node.url, folder.path);
      const [code] = await once(program, 'close');
      expect(code).toBe(0);
      expect(node.whole.length).toBe(20);
      expect(new Set(node.whole).size).toBe(20);
      const verify = spawn(process.execPath, [bundle, 'verify', `${folder.path}/test-chain-blocks-000001-002000`]);
      expect((await once(verify, 'close'))[0]).toBe(0);
    } finally {
      node.close();
    }
  });

  it('An export in slices killed at fifteen moments leaves no half file under a final name, and resumes each time', async () => {
    await using folder = await temporaryFolder();
    const node = await startNode();
    const seed = Date.now() % 100_000;
    const moments = Array.from({ length: 15 }, (_, index) => ((seed + index * 7919) * 104_729) % 1200);
    try {
      for (const afterMs of moments) {
        const program = startExport(node.url, folder.path);
        const ended = once(program, 'close');
        const isDone = await Promise.race([ended.then(() => true), wait(afterMs, false)]);
        program.kill('SIGKILL');
        await ended;
        await expectNothingHalf(folder.path, seed);
        // One that came to its end is begun anew, so that there is something to be killed in.
        if (isDone) await rm(exportFolder(folder.path), { recursive: true });
      }
      const [code] = await once(startExport(node.url, folder.path), 'close');
      expect(code, `seed ${seed}`).toBe(0);
      const names = await readdir(exportFolder(folder.path));
      expect(names.filter(name => !/^manifest\.json$|\.zip$/.test(name))).toEqual([]);
      expect(names.length).toBe(21);
    } finally {
      node.close();
    }
  });
});

const exportFolder = (folder: string): string => join(folder, 'test-chain-blocks-000001-002000');

async function expectNothingHalf(folder: string, seed: number): Promise<void> {
  const names = await readdir(exportFolder(folder)).catch(() => []);
  for (const name of names) {
    const path = join(exportFolder(folder), name);
    if (name.endsWith('.zip')) {
      const { kind } = await checkArchive(path, undefined);
      expect(kind, `${name}, seed ${seed}`).toBe('complete');
    }
    if (name === 'manifest.json') expect(await readManifest(exportFolder(folder))).toBeDefined();
    if (name.endsWith('.csv')) expect((await readFile(path, 'utf8')).split('\n').length).toBe(SEGMENTS * BLOCKS + 2);
  }
}
