import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { probeNode } from '../../../src/explorer/services/node/probe.ts';
import { type RunningNode, startNode } from '../../../src/node/index.ts';
import { listening } from '../../support/loopback.ts';

const { signal } = new AbortController();
const clientAt = (url: string) => createClient({ base: baseAddress(url) });
let node: RunningNode;

beforeAll(async () => {
  node = await startNode({});
});

afterAll(async () => {
  await node.close();
});

/** A node that says this, whatever it is asked. */
async function saying(body: string | undefined, status = 200) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (body !== undefined) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return { asked, ...(await listening(server)) };
}

describe('Node probe', () => {
  it('The probe returns version, chain, newest block and latency of a node', async () => {
    const answer = await probeNode(clientAt(node.url), signal);
    expect(answer).toMatchObject({ kind: 'answered', version: 'v0.74.10', chainId: 'demo-chain-1' });
    expect(answer).toMatchObject({ block: expect.stringMatching(/^\d+$/), latencyMs: expect.any(Number) });
    expect(answer.kind === 'answered' && answer.segments?.length).toBe(24);
    expect(answer.kind === 'answered' && Math.abs(answer.ageMs ?? 1e9) < 60_000).toBe(true);
  });

  it('The probe requests statistics once, a fallback once if there is no core, and the history once', async () => {
    for (const status of [200, 404, 429, 500, 503]) {
      await using odd = await saying('{"code":14,"message":"core is away","details":[]}', status);
      const answer = await probeNode(clientAt(odd.url), signal);
      expect(answer.kind).toBe(status === 200 ? 'answered' : 'failed');
      const next = {
        200: ['/api/v2/networkhistory/segments'],
        404: ['/api/v2/network/parameters?pagination.first=1'],
        500: ['/api/v2/info'],
        503: ['/api/v2/info'],
      }[status];
      expect(odd.asked).toEqual(['/statistics', ...(next ?? [])]);
    }
  });

  it('The probe reports a node without a listener as unreached, but not one that refuses', async () => {
    await using gone = await saying('{}');
    await gone[Symbol.asyncDispose]();
    expect(await probeNode(clientAt(gone.url), signal)).toMatchObject({ kind: 'failed', isUnreached: true });
    await using odd = await saying('{}', 503);
    expect(await probeNode(clientAt(odd.url), signal)).not.toHaveProperty('isUnreached');
  });

  it('The probe of a node that serves only lists returns what a list says', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      const isList = url?.startsWith('/api/v2/network/parameters') === true;
      const headers = { 'content-type': 'application/json', 'x-block-height': '7' };
      response.writeHead(isList ? 200 : 404, headers).end(isList ? '{"networkParameters":{"edges":[]}}' : 'Not Found');
    });
    await using bare = await listening(server);
    expect(await probeNode(clientAt(bare.url), signal)).toMatchObject({ kind: 'answered', chainId: '', block: '7' });
    expect(asked.slice(0, 2)).toEqual(['/statistics', '/api/v2/network/parameters?pagination.first=1']);
  });

  it('The probe reports a node whose core and history have different chains, and not one with a single chain', async () => {
    const segments = '[{"fromHeight":"1","toHeight":"9","historySegmentId":"s","databaseVersion":"93","chainId":"c"}]';
    const answerOf = async (chainId: string) => {
      await using odd = await saying(`{"statistics":{"chainId":"${chainId}"},"segments":${segments}}`);
      return await probeNode(clientAt(odd.url), signal);
    };
    expect(await answerOf('d')).toMatchObject({ chainId: 'd', mixed: 'its history is from c, its core from d' });
    expect(await answerOf('c')).not.toHaveProperty('mixed');
  });

  it('The probe of a node that lists no history still returns an answer', async () => {
    await using odd = await saying('{"statistics":{"chainId":"c","appVersion":"v1"},"segments":[{"fromHeight":7}]}');
    const answer = await probeNode(clientAt(odd.url), signal);
    expect(answer).toMatchObject({ kind: 'answered', chainId: 'c', version: 'v1' });
    expect(answer.kind === 'answered' && answer.segments).toBeUndefined();
  });

  it.each([
    '{}',
    '[]',
    'null',
    '{"statistics":7}',
    '{"statistics":{"blockHeight":[],"chainId":{"a":1},"appVersion":9e99}}',
  ])('The probe counts a node that answers %s as reachable, and leaves missing values unknown', async body => {
    await using odd = await saying(body);
    expect(await probeNode(clientAt(odd.url), signal)).toMatchObject({ kind: 'answered', block: null });
  });

  it('The probe gives up on a silent node after a timeout, and says so', async () => {
    await using silent = await saying(undefined);
    const answer = await probeNode(clientAt(silent.url), signal, 50);
    expect(answer).toEqual({ kind: 'failed', problem: 'no answer within 0.05 s', isUnreached: true });
  });

  it('The probe distinguishes a node that is not there from one that was not started', async () => {
    await using gone = await saying('{}');
    await gone[Symbol.asyncDispose]();
    expect(await probeNode(clientAt(gone.url), signal)).toMatchObject({ problem: expect.stringContaining('REFUSED') });
    expect(await probeNode(undefined, signal)).toEqual({ kind: 'not-started' });
  });

  it('The probe is aborted when the node picker closes', async () => {
    await using silent = await saying(undefined);
    const abort = new AbortController();
    const probing = probeNode(clientAt(silent.url), abort.signal);
    abort.abort();
    await expect(probing).rejects.toThrow();
  });
});
