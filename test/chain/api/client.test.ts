import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import {
  DamagedAnswerError,
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import { printJson } from '../../../src/chain/api/json.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { answer, serve } from './loopback-server.ts';

const client = (url: string, timeoutMs = 5000) => createClient({ base: baseAddress(url), timeoutMs, random: () => 0 });
const parameters = { path: 'api/v2/network/parameters', query: [] } as const;

type BreakOff = (request: IncomingMessage, response: ServerResponse) => void;

const zipped = gzipSync(JSON.stringify({ rows: Array.from({ length: 500 }, (_, index) => `row ${index}`) }));

/** Ways in which a body ends early or is damaged. */
const BROKEN_BODIES: readonly (readonly [what: string, BreakOff])[] = [
  ['half of the length it said', (_, response) => cutAfter(response, '{"rows":["a', { 'content-length': '900' })],
  ['a chunk without an end', (_, response) => cutAfter(response, '{"rows":["a', {})],
  ['half of its gzip', (_, response) => gzipped(response, zipped.subarray(0, zipped.length >> 1))],
  ['a wrong checksum of its gzip', (_, response) => gzipped(response, damaged(zipped, zipped.length - 6))],
  ['a wrong byte inside its gzip', (_, response) => gzipped(response, damaged(zipped, zipped.length >> 1))],
  ['half of its JSON', (_, response) => answer(response, 200, '{"rows":["a","b')],
  ['JSON with a hole', (_, response) => answer(response, 200, '{"rows":[,]}')],
  [
    'a chunk of no length',
    ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
  ],
];

function cutAfter(response: ServerResponse, start: string, headers: Record<string, string>): void {
  response.writeHead(200, headers);
  response.write(start, () => response.socket?.destroySoon());
}

function gzipped(response: ServerResponse, body: Uint8Array): void {
  response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(body.length) });
  response.end(body);
}

const damaged = (bytes: Uint8Array, at: number): Uint8Array => Uint8Array.from(bytes).with(at, (bytes[at] ?? 0) ^ 0xff);

describe('Client', () => {
  it('The client keeps the digits of a bare 64-bit integer and the values of the headers', async () => {
    const node = await serve((_, response) =>
      answer(response, 200, '{"n":9007199254740993}', {
        'x-block-height': '24031',
        'x-block-timestamp': '1700000000123456000',
        'ratelimit-limit': '20',
        'ratelimit-remaining': '99',
      }),
    );
    const reply = await client(node.url).get(parameters);
    expect(printJson(reply.json)).toBe('{"n":9007199254740993}');
    expect(reply.facts).toEqual({
      blockHeight: '24031',
      blockTimeNs: '1700000000123456000',
      rate: { limitPerSecond: 20, remaining: 99 },
    });
  });

  it.each([
    ['', ''],
    ['/', ''],
    ['/some/proxy/', '/some/proxy'],
    ['/some/proxy/api/v2/', '/some/proxy'],
  ])('The client sends requests below the base path %j', async (typed, prefix) => {
    const node = await serve((_, response) => answer(response, 200, '{}'));
    await client(`${node.url}${typed}`).get({
      path: 'api/v2/oracle/specs',
      query: [['pagination.after', 'a+b/c=']],
    });
    expect(node.seen).toEqual([`${prefix}/api/v2/oracle/specs?pagination.after=a%2Bb%2Fc%3D`]);
  });

  it('The client requests gzip and decompresses it', async () => {
    const node = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toContain('gzip');
      expect(request.headers.accept).toBe('application/json');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"ok":true}'));
    });
    expect((await client(node.url).get(parameters)).json).toEqual({ ok: true });
  });

  it.each([502, 503, 504])('The client retries after %d, at most twice', async status => {
    const node = await serve((_, response) => answer(response, status, '{"code":14,"message":"down","details":[]}'));
    await expect(client(node.url).get(parameters)).rejects.toThrow(RefusedError);
    expect(node.seen.length).toBe(3);
  });

  it('The client sends a one-time request only once, and reports each time it sends', async () => {
    const node = await serve((_, response) => answer(response, 503, '{"code":14,"message":"down","details":[]}'));
    let sent = 0;
    const onSend = (): void => {
      sent++;
    };
    await expect(client(node.url).get(parameters, undefined, { isOnce: true, onSend })).rejects.toThrow(RefusedError);
    expect([sent, node.seen.length]).toEqual([1, 1]);
    await expect(client(node.url).get(parameters, undefined, { onSend })).rejects.toThrow(RefusedError);
    expect([sent, node.seen.length]).toEqual([4, 4]);
  });

  it('The client retries after a reset connection and succeeds', async () => {
    const node = await serve((request, response, count) =>
      count === 1 ? request.socket.resetAndDestroy() : answer(response, 200, '{}'),
    );
    expect((await client(node.url).get(parameters)).json).toEqual({});
  });

  it.each([400, 404, 500, 501])('The client does not retry after %d', async status => {
    const node = await serve((_, response) =>
      answer(response, status, '{"code":13,"message":"Internal error","details":[]}'),
    );
    await expect(client(node.url).get(parameters)).rejects.toThrow(`HTTP ${status}: Internal error`);
    expect(node.seen.length).toBe(1);
  });

  it.each([
    '{"code":13,"message":"Internal error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":280001,"message":"failed","inner":"why","extra":1}]}',
    '{"error":{"code":13,"message":"Internal error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":280001,"message":"failed","inner":"why","extra":1}]}}',
  ])('The client reads both error shapes with every detail: %s', async body => {
    const node = await serve((_, response) => answer(response, 500, body, { 'content-type': 'application/grpc' }));
    const error = await client(node.url)
      .get(parameters)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({
      status: 500,
      fault: {
        code: 13,
        details: [{ type: 'vega.ErrorDetail', code: '280001', message: 'failed', inner: 'why', rest: { extra: 1 } }],
      },
    });
  });

  it('The client reports what came instead of JSON', async () => {
    const node = await serve((_, response) => answer(response, 200, '<!DOCTYPE html><title>Welcome to nginx</title>'));
    await expect(client(node.url).get(parameters)).rejects.toThrow('an HTML page titled "Welcome to nginx"');
    const cut = await serve((_, response) => answer(response, 200, '{"networkParameters":{"edges":['));
    await expect(client(cut.url).get(parameters)).rejects.toThrow('cut-off JSON');
  });

  it('The client treats an HTML page with an error status as a refusal', async () => {
    const node = await serve((_, response) => answer(response, 404, '<html><title>404 Not Found</title>'));
    await expect(client(node.url).get(parameters)).rejects.toThrow(
      'HTTP 404: the body is an HTML page titled "404 Not Found"',
    );
  });

  it('The client does not follow a redirect to another address', async () => {
    const other = await serve((_, response) => answer(response, 200, '{}'));
    const node = await serve((_, response) => answer(response, 302, '', { location: `${other.url}/x` }));
    await expect(client(node.url).get(parameters)).rejects.toThrow('redirected to');
    expect(other.seen).toEqual([]);
  });

  it('The client sends no faster than the node refills its limit, including retries', async () => {
    const node = await serve((_, response, count) =>
      count % 2 === 0
        ? answer(response, 200, '{}', { 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
        : answer(response, 503, ''),
    );
    const waits: number[] = [];
    const paced = createClient({
      base: baseAddress(node.url),
      nowMs: () => 5000,
      random: () => 0.5,
      wait: async ms => void waits.push(ms),
    });
    await paced.get(parameters);
    await paced.get(parameters);
    expect(node.seen.length).toBe(4);
    // A pause before each repeat; after an answer that leaves none a second, or more for requests ahead.
    expect(waits).toEqual([200, 1000, 200, 1000]);
  });

  it('The client waits after a 429 and retries if the pause ends in time', async () => {
    const node = await serve((_, response, count) =>
      count % 2 === 1 ? answer(response, 429, '', { 'retry-after': '3' }) : answer(response, 200, '{}'),
    );
    let now = 5000;
    const waits: number[] = [];
    const patient = createClient({
      base: baseAddress(node.url),
      nowMs: () => now,
      wait: async ms => {
        waits.push(ms);
        now += ms;
      },
    });
    const get = (waitsUntilMs: number) => patient.get(parameters, undefined, { isOnce: true, waitsUntilMs });
    expect((await get(8000)).json).toEqual({});
    expect(waits).toEqual([3000]);
    await expect(get(now + 2999)).rejects.toThrow(RateLimitedError);
    await expect(get(now + 2999)).rejects.toThrow('not sent');
    expect([waits.length, node.seen.length]).toEqual([1, 3]);
  });

  it('The client stops at the first 429 and sends nothing until the wait is over', async () => {
    const node = await serve((_, response) =>
      answer(response, 429, '{"code":8,"message":"api request rate limit exceeded","details":[]}'),
    );
    let nowMs = 1_000_000;
    const limited = createClient({ base: baseAddress(node.url), nowMs: () => nowMs });
    await expect(limited.get(parameters)).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAtMs: 1_001_000,
    });
    await expect(limited.get(parameters)).rejects.toThrow(RateLimitedError);
    expect(node.seen.length).toBe(1);
    nowMs += 1000;
    await expect(limited.get(parameters)).rejects.toMatchObject({ retryAtMs: 1_003_000 });
    expect(node.seen.length).toBe(2);
  });

  it('The client waits out a ban for as long as the node says', async () => {
    const node = await serve((_, response) =>
      answer(response, 403, '{"code":7,"message":"temporarily banned","details":[]}', {
        'ratelimit-retry-after': '600',
      }),
    );
    const limited = createClient({ base: baseAddress(node.url), nowMs: () => 5000 });
    await expect(limited.get(parameters)).rejects.toMatchObject({ retryAtMs: 605_000 });
  });

  it('The client recognises a ban without its header, and says that its duration is unknown', async () => {
    const node = await serve((_, response) =>
      answer(response, 403, '{"code":7,"message":"temporarily banned","details":[]}'),
    );
    const limited = createClient({ base: baseAddress(node.url), nowMs: () => 5000 });
    await expect(limited.get(parameters)).rejects.toMatchObject({
      message: 'HTTP 403: temporarily banned; duration not reported',
      retryAtMs: 65_000,
    });
    await expect(limited.get(parameters)).rejects.toThrow(RateLimitedError);
    expect(node.seen.length).toBe(1);
  });

  it('The client does not treat a 403 from a proxy as a ban', async () => {
    const node = await serve((_, response) => answer(response, 403, '<html><title>Forbidden</title>'));
    await expect(client(node.url).get(parameters)).rejects.toMatchObject({ kind: 'refused', status: 403 });
  });

  it('The client tells a page too large for the node from rate limiting', async () => {
    const node = await serve((_, response) =>
      answer(
        response,
        429,
        '{"code":8,"message":"grpc: received message larger than max (30000000 vs. 20971520)","details":[]}',
      ),
    );
    await expect(client(node.url).get(parameters)).rejects.toMatchObject({
      kind: 'refused',
      hint: 'ask for a smaller page',
    });
  });

  it.each(BROKEN_BODIES)('The client retries once after %s and accepts the valid response', async (_, breakOff) => {
    const node = await serve((request, response, count) =>
      count === 1 ? breakOff(request, response) : answer(response, 200, '{"ok":true}'),
    );
    expect((await client(node.url).get(parameters)).json).toEqual({ ok: true });
    expect(node.seen.length).toBe(2);
  });

  it.each(BROKEN_BODIES)('The client gives up after %s twice and reports an unusable response', async (_, breakOff) => {
    const node = await serve(breakOff);
    await expect(client(node.url).get(parameters)).rejects.toThrow(DamagedAnswerError);
    expect(node.seen.length).toBe(2);
  });

  it.each([
    ['text that is not UTF-8', Buffer.from('{"reference":"caf\xe9"}', 'latin1'), 'not UTF-8'],
    ['nothing', Buffer.alloc(0), 'the answer is empty, not JSON'],
    ['a thousand and one levels', Buffer.from('['.repeat(1001) + ']'.repeat(1001)), 'more than 1000 levels deep'],
    ['a word', Buffer.from('busy'), 'the answer is "busy", not JSON'],
  ])('The client refuses %s without a retry', async (_, body, sentence) => {
    const node = await serve((_request, response) => {
      response.writeHead(200);
      response.end(body);
    });
    const error = await client(node.url)
      .get(parameters)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UndecodableError);
    expect(String(error)).toContain(sentence);
    expect(node.seen.length).toBe(1);
  });

  it.each(['text/html', 'text/plain; charset=latin1', 'application/octet-stream', ''])(
    'The client parses JSON by its content, whatever the content type %j is, with or without a byte order mark',
    async type => {
      const node = await serve((_, response) => answer(response, 200, '\ufeff {"n":1.0} \n', { 'content-type': type }));
      expect(printJson((await client(node.url).get(parameters)).json)).toBe('{"n":1.0}');
    },
  );

  it('The client reports a server that does not speak HTTP', async () => {
    const other = createTcpServer(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(client(`http://127.0.0.1:${port}`).get(parameters)).rejects.toThrow('is not valid HTTP');
  });

  it('The client accepts no more than 32 MiB, even if gzip makes it look small', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20));
    const node = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    await expect(client(node.url).get(parameters)).rejects.toThrow(UndecodableError);
  });

  it('The client gives up on a node that does not answer and reports the phase', async () => {
    const node = await serve(() => {});
    await expect(client(node.url, 60).get(parameters)).rejects.toThrow(TimeoutError);
  });

  it('The client limits all attempts to the time of one, and then reports the error of the first', async () => {
    const node = await serve((_, response, count) => count === 1 && answer(response, 503, '{"message":"down"}'));
    const error = await client(node.url, 400)
      .get(parameters)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RefusedError);
    expect(node.seen.length).toBe(2);
  });

  it('The client waits only once for an unresponsive node over a series of requests', async () => {
    const silent = await serve(() => {});
    const patient = client(silent.url, 100);
    const startMs = performance.now();
    for (let count = 0; count < 10; count++) await expect(patient.get(parameters)).rejects.toThrow(TimeoutError);
    expect(performance.now() - startMs).toBeLessThan(800);
    expect(silent.seen.length).toBe(1);
    const trickling = await serve((_, response) => void response.write('{'));
    const trusting = client(trickling.url, 100);
    for (let count = 0; count < 5; count++) await expect(trusting.get(parameters)).rejects.toThrow('receiving it');
    expect(trickling.seen.length).toBe(1);
    const slow = await serve((_, response, count) => count !== 2 && answer(response, 200, '{}'));
    const asking = client(slow.url, 400);
    await asking.get(parameters);
    await expect(asking.get(parameters)).rejects.toThrow(TimeoutError);
    expect((await asking.get(parameters)).json).toEqual({});
  });

  it('The client gives up on a response that arrives one byte at a time', async () => {
    const node = await serve((_, response) => {
      response.write('{');
      const trickle = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(trickle));
    });
    await expect(client(node.url, 150).get(parameters)).rejects.toThrow(
      'no complete answer: receiving it took too long',
    );
  });

  it('The client reports that nothing is listening on the port', async () => {
    const node = await serve(() => {});
    node.close();
    const error = await client(node.url)
      .get(parameters)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ hint: expect.stringContaining('nothing is listening there') });
  });

  it('The client cancels a request with the reason of the signal', async () => {
    const abort = new AbortController();
    const node = await serve(() => abort.abort(new Error('filters changed')));
    await expect(client(node.url).get(parameters, abort.signal)).rejects.toThrow('filters changed');
  });

  it('The client sends the name of its user only to a node on this machine', async () => {
    const names: unknown[] = [];
    const { url } = await serve(({ headers }, response) => {
      names.push(headers['x-blockglass-client']);
      answer(response, 200, '{}');
    });
    const ask = (base: string, clientName: string | undefined) =>
      createClient({ base: baseAddress(base), clientName, proxies: { HTTP_PROXY: url } }).get(parameters);
    await ask(url, '192.0.2.7');
    await ask(url, undefined);
    await ask(url, 'a\r\nb: c');
    await ask('http://node.example', '192.0.2.7');
    expect(names).toEqual(['192.0.2.7', undefined, undefined, undefined]);
  });
});
