import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { baseAddress } from '../../src/api/request.ts';
import { download } from '../../src/export/download.ts';
import type { ExportPlan } from '../../src/export/plan.ts';
import type { Progress } from '../../src/export/progress.ts';
import { tableNamed } from '../../src/export/tables.ts';
import { type StrictNode, startStrictNode } from '../support/strict-node.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = 'strict-chain-1-blocks-000001-002000.zip';

function planFor(members: Partial<ExportPlan> = {}): ExportPlan {
  const table = tableNamed('blocks');
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

function run(url: string, plan: ExportPlan, signal = new AbortController().signal) {
  const progress: Progress[] = [];
  const client = createClient({ base: baseAddress(url), random: () => 0 });
  const result = download({
    client,
    plan,
    signal,
    onProgress: step => progress.push(step),
    firstByteMs: 10_000,
    idleMs: 10_000,
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
async function serving(body: Buffer, disposition: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': disposition });
    response.end(body);
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

describe('a download', () => {
  it.each([false, true])('that is complete gets its name, with sizes behind the data: %s', async sizesAfterData => {
    const node = await strictNode({ sizesAfterData });
    const { result, progress } = run(node.url, planFor());
    expect(await result).toMatchObject({ kind: 'saved', verdict: { kind: 'complete' } });
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/\.zip$/);
    expect((await readFile(join(folder, name))).subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'));
    expect(progress[0]).toMatchObject({ phase: 'waiting', bytes: 0 });
    expect(progress.at(-1)?.phase).toBe('checking');
  });

  it('of messages in JSON is unpacked and complete', async () => {
    const node = await strictNode({ framing: 'json' });
    expect(await run(node.url, planFor()).result).toMatchObject({ kind: 'saved' });
  });

  it('with an error behind the bytes is not called complete, and the node is heard', async () => {
    const node = await strictNode();
    const detail = { '@type': 'type.googleapis.com/vega.ErrorDetail', code: 10000, message: 'failed', inner: 'why' };
    node.setExportTail(JSON.stringify({ error: { code: 13, message: 'Internal error', details: [detail] } }));
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({
      kind: 'not-complete',
      verdict: { kind: 'incomplete', nodeError: { code: 13, details: [{ message: 'failed', inner: 'why' }] } },
    });
    expect((await readdir(folder)).every(name => name.endsWith('.part'))).toBe(true);
  });

  it('that breaks off stays a part', async () => {
    const node = await strictNode();
    node.truncateNext(500);
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'not-complete', verdict: { kind: 'incomplete', bytes: 500 } });
    const [name = ''] = await readdir(folder);
    expect(name).toMatch(/\.zip\.part$/);
    expect((await readFile(join(folder, name))).length).toBe(500);
  });

  it('that the node refuses fails with its error and leaves nothing', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ toBlock: 1500n })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: { kind: 'refused', status: 500 }, partPath: null });
    expect(await readdir(folder)).toEqual([]);
  });

  it('that breaks off before its first byte leaves nothing', async () => {
    const node = await strictNode();
    node.truncateNext(0);
    const outcome = await run(node.url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'failed', partPath: null });
    expect(await readdir(folder)).toEqual([]);
  });

  it('that is cancelled while the node thinks leaves nothing', async () => {
    const node = await strictNode();
    const release = node.hold();
    const abort = new AbortController();
    const { result } = run(node.url, planFor(), abort.signal);
    await node.waitForRequest(({ path }) => path.endsWith('/export'));
    abort.abort();
    expect(await result).toMatchObject({ kind: 'cancelled', partPath: null });
    release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is never asked with the first block above the last', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ fromBlock: 2001n, toBlock: 1000n })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.any(RangeError) });
    expect(node.requests).toEqual([]);
  });

  it('into a folder that is not there fails with a sentence', async () => {
    const node = await strictNode();
    const outcome = await run(node.url, planFor({ destination: join(folder, 'missing') })).result;
    expect(outcome).toMatchObject({ kind: 'failed', error: { name: 'DestinationError' } });
  });
});

/** The name by the rule while the chain is not known. */
const UNNAMED = 'chain-blocks-000001-002000.zip';

describe('the name of a download', () => {
  it.each([
    ['attachment;filename=../../../evil-blocks-000001-002000.zip', 'evil-blocks-000001-002000.zip'],
    ['attachment; filename="/etc/..\\..\\x-blocks-000001-002000.zip"', 'x-blocks-000001-002000.zip'],
    ['attachment; filename="/etc/passwd"', UNNAMED],
    ['attachment; filename=".zshrc"', UNNAMED],
    ['attachment; filename=c-ledger-000001-002000.zip', UNNAMED],
    ['inline', UNNAMED],
  ])('of %s stays in the folder', async (disposition, name) => {
    const url = await serving(await archive(), disposition);
    const outcome = await run(url, planFor({ chainId: '' })).result;
    expect(outcome).toMatchObject({ kind: 'saved', path: join(folder, name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('is the one by the rule when the node names another chain than its segments do', async () => {
    const url = await serving(await archive(), 'attachment;filename=other-blocks-000001-002000.zip');
    expect(await run(url, planFor()).result).toMatchObject({ kind: 'saved', path: join(folder, NAME) });
  });

  it("is the one by the rule when a file of the node's name is there", async () => {
    const other = 'other-blocks-000001-002000.zip';
    await writeFile(join(folder, other), 'mine');
    const url = await serving(await archive(), `attachment;filename=${other}`);
    const outcome = await run(url, planFor({ chainId: '' })).result;
    expect(outcome).toMatchObject({ kind: 'saved', path: join(folder, UNNAMED) });
    expect(await readFile(join(folder, other), 'utf8')).toBe('mine');
  });

  it('that is taken by now is not overwritten: the complete part stays', async () => {
    await writeFile(join(folder, NAME), 'mine');
    const url = await serving(await archive(), 'inline');
    const outcome = await run(url, planFor()).result;
    expect(outcome).toMatchObject({ kind: 'failed', partPath: join(folder, `${NAME}.part`) });
    expect(await readFile(join(folder, NAME), 'utf8')).toBe('mine');
  });

  it('that was given with leave to overwrite is', async () => {
    await writeFile(join(folder, 'mine.zip'), 'mine');
    const url = await serving(await archive(), 'attachment;filename=theirs.zip');
    const plan = planFor({ destination: join(folder, 'mine.zip'), mayOverwrite: true });
    const outcome = await run(url, plan).result;
    expect(outcome.kind === 'saved' && basename(outcome.path)).toBe('mine.zip');
    expect(await readdir(folder)).toEqual(['mine.zip']);
  });
});
