import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import type { SentRequest } from '../../../src/chain/api/sent-request.ts';
import { urlOf } from '../../support/loopback.ts';
import { answer, type Handler, serve } from './loopback-server.ts';

const request = { path: 'api/v2/x', query: [['name', 'a b']] } as const;
const stream = { signal: new AbortController().signal, firstByteMs: 5000, idleMs: 5000 };

function told(url: string) {
  const facts: SentRequest[] = [];
  const options = { base: baseAddress(url.replace('//', '//user:word@')), random: () => 0 };
  const client = createClient({ ...options, onRequest: fact => facts.push(fact) });
  return { client, facts };
}

async function toldBy(handler: Handler) {
  const node = await serve(handler);
  return { node, ...told(node.url) };
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('Request log', () => {
  it('The request log has one entry per attempt, with the remaining budget that the node reported', async () => {
    const { client, facts, node } = await toldBy((_, response, count) =>
      answer(response, count < 3 ? 503 : 200, '{}', { 'ratelimit-remaining': String(10 - count) }),
    );
    await client.get(request);
    const url = `${node.url}/api/v2/x?name=a%20b`;
    expect(facts).toMatchObject([
      { url, status: 503, attempt: 1, budgetLeft: 9, outcome: { kind: 'failed', error: 'refused' } },
      { url, status: 503, attempt: 2, budgetLeft: 8, outcome: { kind: 'failed', error: 'refused' } },
      { url, status: 200, attempt: 3, budgetLeft: 7, outcome: { kind: 'answered' }, bodyBytes: 2 },
    ]);
    expect(new Set(facts.map(({ id }) => id)).size).toBe(3);
    expect(JSON.stringify(facts)).not.toMatch(/user|word/);
  });

  it('The request log has no budget if the node reports none', async () => {
    const { client, facts } = await toldBy((_, response) => answer(response, 200, '{}'));
    await client.get(request);
    expect(facts).toMatchObject([{ budgetLeft: null }]);
  });

  it('The request log has the size of each response on a connection, as received and decompressed', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(100_000) });
    const zipped = gzipSync(text);
    const { client, facts, node } = await toldBy((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zipped.byteLength });
      response.end(zipped);
    });
    let connections = 0;
    node.server.on('connection', () => connections++);
    for (let count = 0; count < 3; count++) await client.get(request);
    expect(connections).toBe(1);
    const [first] = facts;
    for (const { wireBytes, bodyBytes } of facts) {
      expect(bodyBytes).toBe(text.length);
      expect(wireBytes).toBe(first?.wireBytes);
      expect(wireBytes).toBeGreaterThan(zipped.byteLength);
      expect(wireBytes).toBeLessThan(zipped.byteLength + 400);
    }
  });

  it.each<readonly [string, Handler, Partial<SentRequest>, string]>([
    ['a refusal', (_, response) => answer(response, 404, '{"message":"none"}'), { status: 404 }, 'refused'],
    ['a ban', (_, response) => answer(response, 429, '{}'), { status: 429 }, 'rate-limited'],
    ['no JSON', (_, response) => answer(response, 200, '<html>'), { status: 200, bodyBytes: 6 }, 'undecodable'],
  ])('The request log has an entry for %s', async (_, handler, facts, error) => {
    const asked = await toldBy(handler);
    await failure(asked.client.get(request));
    expect(asked.facts).toMatchObject([{ ...facts, outcome: { kind: 'failed', error } }]);
    // Nothing is sent after a ban, so nothing is logged.
    await failure(asked.client.get(request));
    expect(asked.facts.length).toBe(asked.node.seen.length);
  });

  it('The request log has an entry for a cancelled request and for an unreachable node', async () => {
    const { client, facts, node } = await toldBy(() => {});
    const abort = new AbortController();
    node.server.once('request', () => abort.abort(new Error('enough')));
    await failure(client.get(request, abort.signal));
    node.close();
    await failure(client.get(request));
    await failure(client.open(request, stream));
    const none = { status: null, wireBytes: null, bodyBytes: null, budgetLeft: null };
    const unreachable = { ...none, outcome: { kind: 'failed', error: 'network' } };
    expect(facts).toMatchObject([{ ...none, outcome: { kind: 'cancelled' } }, unreachable, unreachable]);
  });
});

describe('Download log', () => {
  it('The download log has the start of a download and, under the same id, how it ended', async () => {
    const { client, facts } = await toldBy((_, response) => answer(response, 200, 'x'.repeat(5000)));
    const body = await client.open(request, stream);
    expect(facts).toMatchObject([{ id: 1, status: 200, outcome: { kind: 'streaming' }, bodyBytes: null }]);
    for await (const _ of body.chunks());
    expect(facts.slice(1)).toMatchObject([{ id: 1, status: 200, outcome: { kind: 'answered' }, bodyBytes: 5000 }]);
  });

  it('The download log reports a download that was not read to its end', async () => {
    const { client, facts } = await toldBy((_, response) => answer(response, 200, 'x'.repeat(5_000_000)));
    const body = await client.open(request, stream);
    for await (const _ of body.chunks()) break;
    expect(facts.map(({ outcome }) => outcome.kind)).toEqual(['streaming', 'cancelled']);
  });

  it('The download log reports a download that was refused or interrupted', async () => {
    const refused = await toldBy((_, response) => answer(response, 500, '{"message":"no"}'));
    await failure(refused.client.open(request, stream));
    expect(refused.facts).toMatchObject([{ status: 500, outcome: { kind: 'failed', error: 'refused' } }]);
    const server = createTcpServer(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')),
    );
    const url = await urlOf(server);
    onTestFinished(() => void server.close());
    const { client, facts } = told(url);
    const body = await client.open(request, stream);
    await failure(
      (async () => {
        for await (const _ of body.chunks());
      })(),
    );
    expect(facts).toMatchObject([
      { outcome: { kind: 'streaming' } },
      { bodyBytes: 4, outcome: { kind: 'failed', error: 'network' } },
    ]);
  });
});
