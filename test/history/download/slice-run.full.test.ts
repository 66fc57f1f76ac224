import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { type Boundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Progress } from '../../../src/history/download/progress.ts';
import { exportSlices, type SliceOptions } from '../../../src/history/download/slice-export.ts';
import { readManifest } from '../../../src/history/manifest/manifest.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import { blocksCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';
import { blocksPlan } from './slice-on-disk.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true }));

const inFolder = (...names: readonly string[]) => join(folder, 'c-blocks-000001-003000', ...names);
const FILES = ['000001-001000', '001001-002000', '002001-003000'].map(range => `c-blocks-${range}.zip`);

type Answer = (response: ServerResponse, archive: Buffer, from: number) => void;

const whole: Answer = (response, archive) => {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length });
  response.end(archive);
};
const refusing =
  (status: number, headers = {}): Answer =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"code":13,"message":"no","details":[]}');
  };

/** A node that serves blocks of chain `c` as it is told for each request, and its segments likewise. */
async function nodeThat(exports: Answer, segments: Answer = refusing(404)) {
  const asked: { readonly from: number; readonly atMs: number }[] = [];
  const counts = { underWay: 0, most: 0, segments: 0 };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://node');
    if (pathname.endsWith('/segments')) {
      counts.segments++;
      segments(response, Buffer.alloc(0), 0);
      return;
    }
    const [from, to] = [Number(searchParams.get('fromBlock')), Number(searchParams.get('toBlock'))];
    const range = [from, to].map(height => String(height).padStart(6, '0')).join('-');
    asked.push({ from, atMs: Date.now() });
    counts.underWay++;
    counts.most = Math.max(counts.most, counts.underWay);
    response.on('close', () => counts.underWay--);
    exports(response, zipOf([{ name: `c-blocks-093-${range}.csv`, content: blocksCsv(from, to) }]), from);
  };
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return { url: `http://127.0.0.1:${address.port}`, asked, counts };
}

/** Blocks 1 to 3000 in slices of a thousand. */
async function run(url: string, options: Partial<SliceOptions> = {}) {
  const told: Progress[] = [];
  const result = await exportSlices({
    client: createClient({ base: baseAddress(url) }),
    plan: blocksPlan(1n, 3000n, { destination: folder }),
    boundaries: { kind: 'rule' },
    slices: { segmentsPerSlice: 1, parallel: 1 },
    program: 'blockglass test',
    signal: new AbortController().signal,
    firstByteMs: 10_000,
    idleMs: 10_000,
    retryMs: 1,
    ...options,
    onProgress: step => {
      told.push(step);
      options.onProgress?.(step);
    },
  });
  return { result, told };
}

const listed = (id: string): Boundaries =>
  listedBoundaries(
    [1n, 1001n, 2001n].map(fromHeight => ({
      fromHeight,
      toHeight: fromHeight + 999n,
      historySegmentId: `${id}${fromHeight}`,
      previousHistorySegmentId: fromHeight === 1n ? '' : `${id}${fromHeight - 1000n}`,
      databaseVersion: '93',
      chainId: 'c',
    })),
  );

describe('Slice run', () => {
  it('A slice run reports when it and each slice began and ended, by the given clock', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const { url } = await nodeThat(whole);
    const { result } = await run(url, { nowMs: () => nowMs, onProgress: () => (nowMs += 1000) });
    expect(result).toMatchObject({ kind: 'saved-slices', elapsedMs: nowMs - Date.UTC(2026, 0, 1) });
    const manifest = await readManifest(inFolder());
    expect(manifest).toMatchObject({
      program: 'blockglass test',
      node: url,
      started: '2026-01-01T00:00:00.000Z',
    });
    const times = manifest?.slices.flatMap(({ started, finished }) => [started, finished]) ?? [];
    const all = [manifest?.started ?? '', ...times, manifest?.finished ?? ''];
    expect(all).toEqual(all.toSorted());
    expect(new Set(times).size).toBe(6);
    expect(Date.parse(all.at(-1) ?? '')).toBe(nowMs);
  });

  it('A slice run keeps the times of slices that it keeps', async () => {
    const { url, asked } = await nodeThat(whole);
    await run(url);
    const before = await readManifest(inFolder());
    const { result, told } = await run(url, { nowMs: () => 5000 });
    expect(asked).toHaveLength(3);
    expect(await readManifest(inFolder())).toEqual(before);
    expect(result).toMatchObject({ manifest: before, elapsedMs: 0 });
    expect(told.map(({ slices }) => slices)).toEqual([1, 2, 3].map(done => ({ done, total: 3 })));
  });

  it('A slice run reports the slice in progress and those that are done', async () => {
    const { url } = await nodeThat(whole);
    const { told } = await run(url);
    expect(told[0]).toMatchObject({ slices: { done: 0, total: 3 } });
    const waiting = told.filter(({ phase }) => phase === 'waiting').map(({ slices }) => slices?.done);
    expect([...new Set(waiting)]).toEqual([0, 1, 2]);
    expect(told.at(-1)).toMatchObject({ phase: 'checking', rows: 3000, slices: { done: 3, total: 3 } });
  });

  it.each([1, 2])('A slice run requests %d at once, and no more', async parallel => {
    const held: (() => void)[] = [];
    const { url, asked, counts } = await nodeThat((response, archive, from) => {
      held.push(() => whole(response, archive, from));
      if (held.length >= parallel || from === 2001) for (const send of held.splice(0)) send();
    });
    const slices = { segmentsPerSlice: 1, parallel };
    expect((await run(url, { slices })).result).toMatchObject({ kind: 'saved-slices' });
    // Two that are asked for at once may come in either order.
    expect(asked.map(({ from }) => from).toSorted((a, b) => a - b)).toEqual([1, 1001, 2001]);
    expect(asked.at(-1)?.from).toBe(2001);
    expect(counts.most).toBe(parallel);
  });

  it('A slice run that fails in one slice cancels the others, and leaves nothing of them', async () => {
    const failed = Promise.withResolvers<void>();
    const { url, asked } = await nodeThat((response, archive, from) => {
      if (from === 1) {
        response.writeHead(200, { 'content-type': 'application/zip' });
        response.write(archive.subarray(0, 500));
        failed.promise.then(() => response.end());
      } else {
        response.writeHead(200, { 'content-type': 'application/zip' });
        response.end(Buffer.concat([archive, Buffer.from('{"error":{"code":13,"message":"late","details":[]}}')]));
      }
    });
    const { result } = await run(url, { slices: { segmentsPerSlice: 1, parallel: 2 } });
    failed.resolve();
    expect(result).toMatchObject({
      kind: 'stopped-slices',
      done: 0,
      total: 3,
      isCounted: true,
      cause: { kind: 'not-complete', partPath: inFolder(`${FILES[1]}.part`), verdict: { nodeError: { code: 13 } } },
    });
    expect(asked).toHaveLength(2);
    expect(await readdir(inFolder())).toEqual([`${FILES[1]}.part`, 'manifest.json']);
    expect(await readManifest(inFolder())).toMatchObject({ finished: null, slices: [] });
  });

  it('A slice run whose folder cannot be made stops before any request, with the reason', async () => {
    const { url, asked } = await nodeThat(whole);
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { result } = await run(url, { plan: blocksPlan(1n, 3000n, { destination: file }), nowMs: () => 7 });
    expect(result).toMatchObject({
      kind: 'stopped-slices',
      done: 0,
      total: 3,
      isCounted: false,
      cause: { kind: 'failed', error: expect.any(DestinationError), partPath: null, elapsedMs: 0 },
      notes: [],
      elapsedMs: 0,
    });
    expect(asked).toEqual([]);
  });

  it('A slice run that was stopped before it began makes no request', async () => {
    const { url, asked } = await nodeThat(whole);
    const { result } = await run(url, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ kind: 'stopped-slices', done: 0, cause: { kind: 'cancelled', partPath: null } });
    expect(asked).toEqual([]);
    expect(await readdir(inFolder())).toEqual(['manifest.json']);
  });

  it('A slice run tries a slice four times when the connection breaks, and leaves the last partial file', async () => {
    let breakOff = () => {};
    const { url, asked } = await nodeThat((response, archive) => {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length });
      response.write(archive.subarray(0, 500));
      breakOff = () => response.destroy();
    });
    const { result } = await run(url, { onProgress: ({ bytes }) => bytes === 500 && breakOff() });
    expect(result).toMatchObject({ kind: 'stopped-slices', cause: { kind: 'not-complete', verdict: { bytes: 500 } } });
    expect(asked.map(({ from }) => from)).toEqual([1, 1, 1, 1]);
    expect(await readdir(inFolder())).toEqual([`${FILES[0]}.part`, 'manifest.json']);
  });

  it('A slice run makes no request for any slice while the node wants a wait, and reports the time left', async () => {
    let refused = 0;
    const { url, asked } = await nodeThat((response, archive, from) => {
      if (from === 1 && refused++ === 0) return refusing(429, { 'retry-after': '1' })(response, archive, from);
      whole(response, archive, from);
    });
    const { result, told } = await run(url, { slices: { segmentsPerSlice: 1, parallel: 2 } });
    expect(result).toMatchObject({ kind: 'saved-slices' });
    const [firstAsked, ...later] = asked.toSorted((a, b) => a.atMs - b.atMs);
    const afterThat = later.map(({ atMs }) => atMs - (firstAsked?.atMs ?? 0)).filter(ms => ms > 300);
    expect(afterThat.length).toBeGreaterThanOrEqual(2);
    expect(afterThat.every(ms => ms >= 900)).toBe(true);
    const left = told.flatMap(({ pause }) => (pause?.reason === 'rate-limit' ? [pause.leftMs ?? 0] : []));
    expect(Math.max(...left)).toBeGreaterThan(800);
    expect(left.some(ms => ms < 600)).toBe(true);
    expect(told.at(-1)).not.toHaveProperty('pause');
  });
});

describe('Segments at the end of a slice run', () => {
  const list = (id: string): Answer => {
    const { segments } = { segments: [], ...listed(id) };
    const json = segments.map(one => ({ ...one, fromHeight: `${one.fromHeight}`, toHeight: `${one.toHeight}` }));
    return response => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ segments: json }));
    };
  };
  const unknown =
    'it is unknown whether the history of the node changed during the export, as the node did not list its segments at the end';

  it('The segments are requested again if the node listed some before, and another history is noted', async () => {
    const same = await nodeThat(whole, list('a'));
    expect((await run(same.url, { boundaries: listed('a') })).result).toMatchObject({
      kind: 'saved-slices',
      notes: [],
    });
    expect(same.counts.segments).toBe(1);
    const other = await nodeThat(whole, list('b'));
    const { result } = await run(other.url, { boundaries: listed('a') });
    expect(result).toMatchObject({ notes: [expect.stringContaining('the history of the node changed')] });
    expect((await readManifest(inFolder()))?.notes).toEqual('notes' in result ? result.notes : []);
  });

  it.each<[string, Answer, string]>([
    ['cannot be had', refusing(503), `${unknown}: `],
    ['is nothing any more', refusing(404), unknown],
  ])('The segments are noted as unknown when the list %s', async (_title, segments, note) => {
    const { url } = await nodeThat(whole, segments);
    const { result } = await run(url, { boundaries: listed('a') });
    expect(result).toMatchObject({ kind: 'saved-slices', notes: [expect.stringContaining(note)] });
    expect(result).toMatchObject({ manifest: { notes: 'notes' in result ? result.notes : [] } });
    expect(await readFile(inFolder('manifest.json'), 'utf8')).toContain('it is unknown whether');
  });

  it('The segments are not requested when the node listed none before', async () => {
    const { url, counts } = await nodeThat(whole, list('a'));
    expect((await run(url)).result).toMatchObject({ kind: 'saved-slices', notes: [] });
    expect(counts.segments).toBe(0);
  });
});
