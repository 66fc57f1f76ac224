import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { urlOf } from '../support/loopback.ts';
import { run } from './run-command.ts';

/** How one of the nodes behind the address differs from the embedded one. */
interface Backend {
  readonly chainId?: string;
  readonly blocksBack?: number;
}

let node: RunningNode;
let url = '';
let state = '';
let asked = 0;
let backendOf: (path: string, count: number) => Backend = () => ({});

const server = createServer((request, response) => {
  const { chainId, blocksBack = 0 } = backendOf(`${request.url}`, asked++);
  void fetch(`${node.url}${request.url}`).then(async answer => {
    const [height, time] = ['x-block-height', 'x-block-timestamp'].map(name => BigInt(answer.headers.get(name) ?? '0'));
    if (height) response.setHeader('x-block-height', String(height - BigInt(blocksBack)));
    if (time) response.setHeader('x-block-timestamp', String(time - BigInt(blocksBack) * 1_000_000_000n));
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    const body = await answer.text();
    response.end(chainId === undefined ? body : body.replaceAll('demo-chain-1', chainId));
  });
});

beforeAll(async () => {
  node = await startNode({ rateLimit: { ratePerSecond: 100_000, burst: 100_000 } });
  url = await urlOf(server);
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([node.close(), server.close()]);
});
beforeEach(() => {
  [asked, backendOf] = [0, () => ({})];
  state = mkdtempSync(join(tmpdir(), 'blockglass-'));
  return () => rmSync(state, { recursive: true });
});

const one = (...line: readonly string[]) => run([...line, '--node', url], { env: { XDG_STATE_HOME: state } });

const SENTENCE = 'its history is from demo-chain-1, its core from chain-a';
const BACK = /its newest block went back from \d+ to \d+: the node was restored from an earlier state, or another one/;
const party = 'ab'.repeat(32);

describe('Load balancer with a core of one chain in front of nodes of another', () => {
  beforeEach(() => {
    backendOf = path => (path === '/statistics' ? { chainId: 'chain-a' } : {});
  });

  it('`record` stores no snapshot of an address with two chains', async () => {
    const { code, out, err } = await one('record', '--once');
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain(`the answers are of two chains, so no snapshot was stored: ${SENTENCE}`);
    expect(existsSync(join(state, 'blockglass', 'snapshots'))).toBe(false);
  });

  it('`status`, `check` and `overview` all report an address with two chains as untrusted', async () => {
    expect(await one('status')).toMatchObject({
      code: 5,
      out: expect.stringContaining(`problem     ${SENTENCE}`),
      err: '',
    });
    expect(await one('check', 'node-behind')).toMatchObject({
      code: 2,
      out: expect.stringContaining(`node-behind: the answers are of two chains: ${SENTENCE}`),
    });
    const overview = await one('overview');
    expect(overview.out).toContain('of two chains: do not trust it');
    expect(overview.out).toMatch(new RegExp(`critical +the answers are of two chains: ${SENTENCE}`));
  });

  it('`export`, which contacts no core, notes two chains once a check knows the chain of the address', async () => {
    const plan = ['export', '--table', 'blocks', '--last', '1', '--plan'] as const;
    expect((await one(...plan)).err).not.toContain('cannot be trusted');
    await one('check', 'node-behind');
    expect((await one(...plan)).err).toContain(
      'its history is from demo-chain-1, and checks of this address know chain-a',
    );
  });

  it('`diff` does not compare an address with two chains', async () => {
    const { code, err } = await one('diff', url.replace('127.0.0.1', 'localhost'));
    expect([code, err]).toEqual([5, expect.stringContaining(SENTENCE)]);
  });
});

describe('Load balancer in front of nodes of one chain, one of them far behind', () => {
  beforeEach(() => {
    backendOf = (_, count) => ({ blocksBack: count % 2 === 0 ? 0 : 1008 });
  });

  it.each([
    ['list', 'parameters', '--all', '--page-size', '20', '-o', 'ndjson'],
    ['statement', '--party', party, '--last', '2'],
    ['export', '--table', 'blocks', '--last', '1', '--plan'],
    ['what', party],
  ])('Nodes that are far apart behind one address are noted by %s %s', async (...line) => {
    const { err } = await one(...line);
    // Requests at the same time may be answered in any order.
    expect(err).toMatch(/note: the node: its newest block went (back )?from \d+ to \d+/);
    expect(err.match(/its newest block went/g)).toHaveLength(1);
  });

  it('`status` reports nodes that are far apart as healthy, with a note', async () => {
    backendOf = path => ({ blocksBack: path.endsWith('/info') ? 0 : 1008 });
    const { out } = await one('status', '-o', 'json');
    expect(JSON.parse(out).nodes[0].notes).toHaveLength(1);
  });

  it('`check` and the overview warn of nodes that are far apart', async () => {
    expect(await one('check', 'node-behind')).toMatchObject({ code: 1, out: expect.stringMatching(BACK) });
    expect((await one('overview')).out).toMatch(new RegExp(`warning +${BACK.source}`));
  });
});

describe('Node that went back to an older block', () => {
  it('A node that went back is noted with the next snapshot and by the next check', async () => {
    expect((await one('record', '--once')).err).not.toContain('the last snapshot has');
    expect((await one('check', 'node-stalled')).code).toBe(0);
    backendOf = () => ({ blocksBack: 1008 });
    expect((await one('record', '--once')).err).toMatch(
      /note: the node is at block \d+, and the last snapshot has block \d+: the node went back/,
    );
    expect(await one('check', 'node-stalled')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /warning +node-stalled: the newest block went back from \d+ to \d+: the node was restored/,
      ),
    });
  });
});

describe('Single node', () => {
  it.each([
    ['list', 'parameters', '--all', '--page-size', '20', '-o', 'ndjson'],
    ['statement', '--party', party, '--last', '2'],
    ['overview'],
    ['export', '--table', 'blocks', '--last', '1', '--plan'],
  ])('A single node is not taken for several by %s', async (...line) => {
    const { err, out } = await one(...line);
    expect(err + out).not.toMatch(/its newest block went|cannot be trusted|two chains/);
  });
});
