import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { type DownloadOptions, download } from '../../../src/history/download/download.ts';
import type { Progress } from '../../../src/history/download/progress.ts';
import { DestinationError } from '../../../src/history/plan/destination-error.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { findExportTable } from '../../../src/history/plan/export-tables.ts';
import { type StrictNode, startStrictNode } from '../../support/strict-node.ts';
import { blocksCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = 'strict-chain-1-blocks-000001-002000.zip';

function planFor(members: Partial<ExportPlan> = {}): ExportPlan {
  const table = findExportTable('blocks');
  if (table === undefined) throw new Error('no such table');
  return {
    table,
    fromBlock: 1n,
    toBlock: 2000n,
    chainId: 'strict-chain-1',
    destination: folder,
    mayOverwrite: false,
    ...members,
  };
}

function run(url: string, plan: ExportPlan, options: Partial<DownloadOptions> = {}) {
  const progress: Progress[] = [];
  const client = createClient({ base: baseAddress(url), random: () => 0 });
  const result = download({
    client,
    plan,
    signal: new AbortController().signal,
    firstByteMs: 10_000,
    idleMs: 10_000,
    ...options,
    onProgress: step => {
      progress.push(step);
      options.onProgress?.(step);
    },
  });
  return { result, progress };
}

async function strictNode(options: Parameters<typeof startStrictNode>[0] = {}): Promise<StrictNode> {
  const node = await startStrictNode(options);
  onTestFinished(() => node.close());
  return node;
}

/** A good archive of a strict node, as bytes. */
async function archive(): Promise<Buffer> {
  const node = await strictNode();
  const query = 'fromBlock=1&toBlock=2000&table=TABLE_BLOCKS';
  const answer = await fetch(`${node.url}/api/v2/networkhistory/export?${query}`, { headers: { accept: '*/*' } });
  return Buffer.from(await answer.arrayBuffer());
}

/** A node that serves this archive under a name of its own choice. */
const serving = (body: Buffer, disposition: string): Promise<string> =>
  sending(disposition, response => response.end(body));

/** A node that answers with an archive, to be sent as told. */
async function sending(disposition: string, send: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': disposition });
    send(response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return `http://127.0.0.1:${address.port}`;
}

describe('Export download', () => {
  it.each([false, true])(
    'A complete download gets its final name, with sizes after the data: %s',
    async sizesAfterData => {
      const node = await strictNode({ sizesAfterData });
      const { result, progress } = run(node.url, planFor());
      expect(await result).toMatchObject({ kind: 'saved', verdict: { kind: 'complete' } });
      const [name = '', ...others] = await readdir(folder);
      expect(others).toEqual([]);
      expect(name).toMatch(/\.zip$/);
      expect((await readFile(join(folder, name))).subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'));
      expect(progress[0]).toMatchObject({ phase: 'waiting', bytes: 0 });
      expect(progress.at(-1)?.phase).toBe('checking');
    },
  );

  it('A download leaves the part file of an earlier run, and reports it', async () => {
    const node = await strictNode({});
    await run(node.url, planFor()).result;
    const [name = ''] = await readdir(folder);
    await rm(join(folder, name));
    await writeFile(join(folder, `${name}.part`), 'killed');
    const result = await run(node.url, planFor()).result;
    expect(result.kind === 'saved' && result.verdict.notes.join()).toContain(
      `${join(folder, name)}.part is from another export to this file, which was interrupted or still runs`,
    );
    expect((await readdir(folder)).toSorted()).toEqual([name, `${name}.part`]);
  });

  it('A download of JSON messages is unpacked and complete', async () => {
    const node = await strictNode({ framing: 'json' });
    expect(await run(node.url, planFor()).result).toMatchObject({ kind: 'saved' });
  });

  it('A download with an error after the bytes is not reported as complete, and the node is quoted', async () => {
    const node = await strictNode();
    const detail = { '@type': 'type.googleapis.com/vega.ErrorDetail', code: 10000, message: 'failed', inner: 'why' };
    node.setExportTail(JSON.stringify({ error: { code: 13, message: 'Internal error', details: [detail] } }));
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({
      kind: 'not-complete',
      verdict: { kind: 'incomplete', nodeError: { code: 13, details: [{ message: 'failed', inner: 'why' }] } },
      brokenBy: null,
    });
    expect((await readdir(folder)).every(name => name.endsWith('.part'))).toBe(true);
  });

  it('A download that breaks off stays a part file', async () => {
    const node = await strictNode();
    node.truncateNext(500);
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'not-complete', verdict: { kind: 'incomplete', bytes: 500 } });
    const [name = ''] = await readdir(folder);
    expect(outcome).toMatchObject({ partPath: join(folder, name), brokenBy: expect.stringMatching(/./) });
    expect(name).toMatch(/\.zip\.part$/);
    expect((await readFile(join(folder, name))).length).toBe(500);
  });

  it('A download that the node refuses fails with its error and leaves nothing', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ toBlock: 1500n })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: { kind: 'refused', status: 500 }, partPath: null });
    expect(await readdir(folder)).toEqual([]);
  });

  it('A download that breaks off before its first byte leaves nothing', async () => {
    const node = await strictNode();
    node.truncateNext(0);
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'failed', partPath: null });
    expect(await readdir(folder)).toEqual([]);
  });

  it('A download that is cancelled before the node answers leaves nothing', async () => {
    const node = await strictNode();
    const release = node.hold();
    const abort = new AbortController();
    const { result } = run(node.url, planFor(), { signal: abort.signal });
    await node.waitForRequest(({ path }) => path.endsWith('/export'));
    abort.abort();
    expect(await result).toMatchObject({ kind: 'cancelled', partPath: null });
    release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('A download is never requested with the first block above the last', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ fromBlock: 2001n, toBlock: 1000n })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.any(RangeError) });
    expect(node.requests).toEqual([]);
  });

  it('A download into a folder that does not exist fails with a sentence', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ destination: join(folder, 'missing') })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'DestinationError' } });
  });
});

/** Two CSVs of a thousand blocks, and where the second begins. */
function twoCsvs() {
  // Hashes that no method makes much smaller, so that a CSV comes in several pieces.
  const hashed = (from: number) =>
    blocksCsv(from, from + 999).replaceAll(
      /xab(\d+)/g,
      (_, height) => `x${createHash('sha256').update(height).digest('hex')}`,
    );
  const [first, second] = [hashed(1), hashed(1001)];
  const name = (version: string, range: string) => `strict-chain-1-blocks-${version}-${range}.csv`;
  const body = zipOf([
    { name: name('093', '000001-001000'), content: first },
    { name: name('094', '001001-002000'), content: second },
  ]);
  return { body, secondAt: body.lastIndexOf('PK\u0003\u0004') };
}

describe('Export download in progress', () => {
  it('A download in progress reports the finished CSVs, the current one, and the bytes', async () => {
    const { body, secondAt } = twoCsvs();
    let sent = secondAt + 5000;
    let response: ServerResponse | undefined;
    const url = await sending('inline', answer => {
      response = answer;
      answer.write(body.subarray(0, sent));
    });
    // A little more of the second CSV each time, till it is told of.
    const seen = Promise.withResolvers<Progress>();
    const { result } = run(url, planFor(), {
      onProgress: step => {
        if (step.csvs.length > 0 && step.entryName.includes('-094-')) seen.resolve(step);
        if (sent >= body.length - 1000) return;
        response?.write(body.subarray(sent, sent + 500));
        sent += response === undefined ? 0 : 500;
      },
    });
    const step = await seen.promise;
    expect(step).toMatchObject({
      phase: 'receiving',
      entries: 2,
      entryName: 'strict-chain-1-blocks-094-001001-002000.csv',
      csvs: [{ name: 'strict-chain-1-blocks-093-000001-001000.csv', rows: 1000, isGood: true }],
    });
    expect(step.bytes).toBeGreaterThanOrEqual(secondAt);
    expect(step.bytes).toBeLessThan(body.length);
    expect(step.rows).toBeGreaterThanOrEqual(1000);
    expect(step.rows).toBeLessThan(2000);
    const rest = body.subarray(sent);
    sent = body.length;
    response?.end(rest);
    expect(await result).toMatchObject({ kind: 'saved', verdict: { bytes: body.length } });
  });

  it('A download in progress is written as it arrives, and becomes a part file when it is cancelled', async () => {
    const { body } = twoCsvs();
    const url = await sending('inline', response => response.write(body.subarray(0, 900)));
    const abort = new AbortController();
    const runs = [
      { schemaVersion: 93, fromBlock: 1n, toBlock: 1000n },
      { schemaVersion: 94, fromBlock: 1001n, toBlock: 2000n },
    ];
    const { result, progress } = run(url, planFor({ runs }), {
      signal: abort.signal,
      onProgress: ({ bytes }) => bytes === 900 && abort.abort(),
    });
    const partPath = join(folder, `${NAME}.part`);
    expect(await result).toMatchObject({ kind: 'cancelled', partPath });
    expect((await readFile(partPath)).equals(body.subarray(0, 900))).toBe(true);
    expect(progress.at(-1)).toMatchObject({ phase: 'receiving', entryName: expect.any(String), csvs: [] });
    expect(progress.at(-1)?.parts).toEqual({ unit: 'block', done: 0, failed: 0, underWay: 1000, of: 2000 });
  });

  it('A download in progress also becomes a part file when it is cancelled during the last check', async () => {
    const { body } = twoCsvs();
    const abort = new AbortController();
    const { result } = run(await serving(body, 'inline'), planFor(), {
      signal: abort.signal,
      onProgress: ({ phase }) => phase === 'checking' && abort.abort(),
    });
    const partPath = join(folder, `${NAME}.part`);
    expect(await result).toMatchObject({ kind: 'cancelled', partPath });
    expect((await readFile(partPath)).equals(body)).toBe(true);
  });

  it('A download in progress reports the time since its start, by the given clock', async () => {
    let nowMs = 5000;
    const clock = { nowMs: () => nowMs, onProgress: () => (nowMs += 7) };
    const { body } = twoCsvs();
    const good = run(await serving(body, 'inline'), planFor(), clock);
    const { elapsedMs } = await good.result;
    expect(elapsedMs).toBe(nowMs - 5000);
    expect(good.progress.map(step => step.elapsedMs)).toEqual(good.progress.map((_, index) => index * 7));
    nowMs = 5000;
    const cut = await run(await serving(body.subarray(0, 900), 'inline'), planFor(), clock).result;
    expect(cut).toMatchObject({ kind: 'not-complete', elapsedMs: nowMs - 5000 });
    nowMs = 5000;
    const failed = await run('http://127.0.0.1:1', planFor(), clock).result;
    expect(failed).toMatchObject({ kind: 'failed', elapsedMs: nowMs - 5000 });
  });
});

describe('Export download that will not become complete', () => {
  it('An incomplete download has its own name if that was requested', async () => {
    const { body } = twoCsvs();
    const url = await serving(body.subarray(0, 900), 'inline');
    const outcome = await run(url, planFor({ keepsIncomplete: true })).result;
    const name = NAME.replace(/\.zip$/, '.incomplete.zip');
    expect(outcome).toMatchObject({ kind: 'not-complete', partPath: join(folder, name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('An incomplete download that the node ends before its first byte is incomplete, not failed', async () => {
    const outcome = await run(await serving(Buffer.alloc(0), 'inline'), planFor()).result;
    expect(outcome).toMatchObject({ kind: 'not-complete', verdict: { findings: [{ fault: 'empty-body' }] } });
  });

  it('A download is not confirmed if the connection breaks after its last byte, before the node has ended it', async () => {
    const { body } = twoCsvs();
    let breakOff = () => {};
    const url = await sending('inline', response => {
      response.write(body);
      breakOff = () => response.destroy();
    });
    const outcome = await run(url, planFor(), { onProgress: ({ bytes }) => bytes === body.length && breakOff() })
      .result;
    expect(outcome).toMatchObject({
      kind: 'not-complete',
      verdict: { kind: 'incomplete', bytes: body.length, findings: [{ fault: 'unconfirmed-end' }] },
      brokenBy: expect.stringMatching(/./),
    });
  });

  it('A download fails and names its location if that disappears before the node answers', async () => {
    const gone = join(folder, 'gone');
    const outcome = await run(await serving(Buffer.from('PK'), 'inline'), planFor({ destination: gone })).result;
    expect(outcome).toMatchObject({
      kind: 'failed',
      partPath: null,
      error: new DestinationError(
        `the folder of ${join(gone, `${NAME}.part`)} does not exist: create it or choose another`,
      ),
    });
  });
});

/** The name by the rule while the chain is not known. */
const UNNAMED = 'chain-blocks-000001-002000.zip';

describe('Name of a download', () => {
  it.each([
    ['attachment;filename=../../../evil-blocks-000001-002000.zip', 'evil-blocks-000001-002000.zip'],
    ['attachment; filename="/etc/..\\..\\x-blocks-000001-002000.zip"', 'x-blocks-000001-002000.zip'],
    ['attachment; filename="/etc/passwd"', UNNAMED],
    ['attachment; filename=".zshrc"', UNNAMED],
    ['attachment; filename=c-ledger-000001-002000.zip', UNNAMED],
    ['inline', UNNAMED],
  ])('The download name from %s stays in the folder', async (disposition, name) => {
    const url = await serving(await archive(), disposition);
    const outcome = await run(url, planFor({ chainId: '' })).result;
    expect(outcome).toMatchObject({ kind: 'saved', path: join(folder, name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('The download name follows the naming rule when the node reports another chain than its segments', async () => {
    const url = await serving(await archive(), 'attachment;filename=other-blocks-000001-002000.zip');
    expect(await run(url, planFor()).result).toMatchObject({ kind: 'saved', path: join(folder, NAME) });
  });

  it('The download name follows the naming rule when a file with the name from the node exists', async () => {
    const other = 'other-blocks-000001-002000.zip';
    await writeFile(join(folder, other), 'mine');
    const url = await serving(await archive(), `attachment;filename=${other}`);
    const outcome = await run(url, planFor({ chainId: '' })).result;
    expect(outcome).toMatchObject({ kind: 'saved', path: join(folder, UNNAMED) });
    expect(await readFile(join(folder, other), 'utf8')).toBe('mine');
  });

  it('The download never overwrites a name that is now taken: the complete part stays', async () => {
    await writeFile(join(folder, NAME), 'mine');
    const url = await serving(await archive(), 'inline');
    const outcome = await run(url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'failed', partPath: join(folder, `${NAME}.part`) });
    expect(await readFile(join(folder, NAME), 'utf8')).toBe('mine');
  });

  it('The download overwrites a given name when permitted', async () => {
    await writeFile(join(folder, 'mine.zip'), 'mine');
    const url = await serving(await archive(), 'attachment;filename=theirs.zip');
    const plan = planFor({ destination: join(folder, 'mine.zip'), mayOverwrite: true });
    const outcome = await run(url, plan).result;
    expect(outcome.kind === 'saved' && basename(outcome.path)).toBe('mine.zip');
    expect(await readdir(folder)).toEqual(['mine.zip']);
  });
});
