import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { NetworkError, RefusedError, TimeoutError, UndecodableError } from '../../../src/chain/api/errors.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import type { SentRequest } from '../../../src/chain/api/sent-request.ts';
import { openBody } from '../../../src/chain/api/transport.ts';
import { answer, serve } from './loopback-server.ts';

const request = { path: 'api/v2/x', query: [] } as const;
const stream = { signal: new AbortController().signal, firstByteMs: 5000, idleMs: 5000 };
const client = (url: string, options = {}) => createClient({ base: baseAddress(url), random: () => 0, ...options });
const told = ({ url, status, outcome, elapsedMs }: SentRequest): string =>
  `GET ${url} ${status} ${outcome.kind} ${elapsedMs} ms`;
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('latin1');
}

describe('Request transport', () => {
  it('A request has a user agent and an accept header, and the login only in its own header', async () => {
    const lines: string[] = [];
    const node = await serve(({ headers }, response) => answer(response, 200, JSON.stringify(headers)));
    const typed = node.url.replace('//', '//user:word@');
    const named = client(typed, {
      userAgent: 'blockglass/1',
      onRequest: (facts: SentRequest) => lines.push(told(facts)),
    });
    expect((await named.get(request)).json).toMatchObject({
      accept: 'application/json',
      'user-agent': 'blockglass/1',
      authorization: `Basic ${btoa('user:word')}`,
    });
    expect([named.hasLogin, named.base.href, named.pageLimitBytes]).toEqual([true, `${node.url}/`, 2 ** 25]);
    expect(lines).toEqual([expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/api\/v2\/x 200 answered \d+ ms$/)]);
    const unnamed = client(node.url);
    expect((await unnamed.get(request)).json).toMatchObject({ 'user-agent': 'blockglass' });
    expect((await unnamed.get(request)).json).not.toHaveProperty('authorization');
    expect(unnamed.hasLogin).toBe(false);
  });

  it('A request reports the decoded size and the duration of its response', async () => {
    let nowMs = 1000;
    const node = await serve((_, response) => {
      nowMs += 250;
      answer(response, 200, '{"text":"é"}');
    });
    const lines: string[] = [];
    const timed = client(node.url, { nowMs: () => nowMs, onRequest: (facts: SentRequest) => lines.push(told(facts)) });
    const { bytes, elapsedMs } = await timed.get(request);
    expect(bytes).toBe(13);
    expect([elapsedMs, lines]).toEqual([250, [expect.stringMatching(/ 200 answered 250 ms$/)]]);
  });

  it('A request reuses the connection of the previous one', async () => {
    const node = await serve((_, response) => answer(response, 200, '{}'));
    let connections = 0;
    node.server.on('connection', () => connections++);
    for (let count = 0; count < 3; count++) await client(node.url).get(request);
    expect(connections).toBe(1);
  });

  it('A request is retried after increasing delays with random jitter', async () => {
    const node = await serve((_, response) => answer(response, 503, ''));
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    await caught(client(node.url, { wait, random: () => 0 }).get(request));
    await caught(client(node.url, { wait, random: () => 0.5 }).get(request));
    expect(waits).toEqual([100, 200, 200, 400]);
    const startedMs = performance.now();
    await caught(client(node.url).get(request));
    expect(performance.now() - startedMs).toBeGreaterThan(250);
  });

  it('A served response resets the count of refusals', async () => {
    const node = await serve((_, response, count) => answer(response, count === 3 ? 200 : 429, '{"message":"m"}'));
    let nowMs = 0;
    const limited = client(node.url, { nowMs: () => nowMs });
    const silences: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      nowMs += 10_000;
      const outcome: unknown = await caught(limited.get(request));
      silences.push(outcome instanceof Error && 'retryAtMs' in outcome ? Number(outcome.retryAtMs) - nowMs : 'served');
    }
    expect(silences).toEqual([1000, 2000, 'served', 1000]);
  });

  it('A request blocked by a rate limit shows its address without the login', async () => {
    const node = await serve((_, response) => answer(response, 429, '{"message":"m"}'));
    const limited = client(node.url.replace('//', '//user:word@'), { nowMs: () => 0 });
    await caught(limited.get(request));
    expect(await caught(limited.get(request))).toMatchObject({
      message: 'not sent: the rate limit of the node is reached',
      url: `${node.url}/api/v2/x`,
      retryAtMs: 1000,
    });
  });

  it('A cancelled request ends with the reason: before it is sent, in flight, and while it is queued', async () => {
    const reason = new Error('filters changed');
    const lines: string[] = [];
    const onRequest = (facts: SentRequest) => lines.push(told(facts));
    const node = await serve(() => {});
    expect(await caught(client(node.url).get(request, AbortSignal.abort(reason)))).toBe(reason);
    expect(node.seen).toEqual([]);
    const underWay = new AbortController();
    node.server.once('request', () => underWay.abort(reason));
    expect(await caught(client(node.url, { onRequest }).get(request, underWay.signal))).toBe(reason);
    expect(lines).toEqual([expect.stringMatching(/ cancelled \d+ ms$/)]);
    const busy = await serve((_, response) => answer(response, 503, ''));
    const waiting = new AbortController();
    const abortSoon = () => void setImmediate(() => waiting.abort(reason));
    const patient = client(busy.url, { random: () => 1000, onRequest: abortSoon });
    expect(await caught(patient.get(request, waiting.signal))).toBe(reason);
    expect(busy.seen.length).toBe(1);
  });
});

describe('Transport failure', () => {
  it('A connection failure reports the cause, the address and what to check', async () => {
    const node = await serve(() => {});
    node.close();
    const lines: string[] = [];
    const error = await caught(
      client(node.url, { onRequest: (facts: SentRequest) => lines.push(told(facts)) }).get(request),
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^cannot reach the node: connect ECONNREFUSED 127\.0\.0\.1:\d+$/),
      url: `${node.url}/api/v2/x`,
      hint: expect.stringContaining('nothing is listening there'),
    });
    expect(lines).toEqual([expect.stringMatching(/ null failed \d+ ms$/)]);
  });

  it('A TLS failure is reported as a TLS failure', async () => {
    const node = await serve(() => {});
    const error = await caught(client(node.url.replace('http:', 'https:')).get(request));
    expect(error).toMatchObject({ kind: 'network', hint: expect.stringContaining('http:// instead of https://') });
  });

  it('An HTTP protocol failure reports where to look', async () => {
    const other = createTcpServer(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const error = await caught(client(`http://127.0.0.1:${port}`).get(request));
    expect(error).toBeInstanceOf(UndecodableError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^the answer is not valid HTTP: \S/),
      hint: expect.stringContaining('REST on 3008'),
    });
  });

  it('A timeout reports the phase and the flag to change', async () => {
    const node = await serve(() => {});
    const error = await caught(client(node.url, { timeoutMs: 60 }).get(request));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^no (?:answer: the wait for the first byte|complete answer: receiving it) took too long$/,
      ),
      hint: 'raise --timeout, or try another node',
    });
  });

  it('A response over the size limit reports the limit', async () => {
    const node = await serve((_, response) => answer(response, 200, ' '.repeat(100)));
    const options = { signal: stream.signal, accept: '*/*', decompress: true, limits: {} };
    const transport = { userAgent: 'x', proxies: {}, authorization: undefined };
    const open = () => openBody(transport, node.url, options);
    expect((await (await open()).bytes(100)).length).toBe(100);
    expect(await caught((await open()).bytes(99))).toMatchObject({
      kind: 'undecodable',
      message: 'the answer is larger than 99 bytes',
      hint: 'ask for a smaller page',
    });
  });
});

describe('Response stream', () => {
  it('A stream has the raw bytes and requests no compression', async () => {
    const lines: string[] = [];
    const zipped = gzipSync('rows');
    const node = await serve(({ headers }, response) => {
      response.writeHead(200, {
        'content-encoding': 'gzip',
        'x-asked': `${headers.accept} ${headers['accept-encoding']}`,
      });
      response.end(zipped);
    });
    const body = await client(node.url, { onRequest: (facts: SentRequest) => lines.push(told(facts)) }).open(
      request,
      stream,
    );
    expect([body.status, body.headers['x-asked']]).toEqual([200, '*/* identity']);
    expect(await textOf(body.chunks())).toBe(zipped.toString('latin1'));
    expect(lines).toEqual([
      expect.stringMatching(/x 200 streaming \d+ ms$/),
      expect.stringMatching(/x 200 answered \d+ ms$/),
    ]);
  });

  it.each([
    [500, '{"code":13,"message":"Internal error"}', RefusedError, 'HTTP 500: Internal error'],
    [206, 'half', NetworkError, 'HTTP 206 instead of 200'],
  ])('A stream that is answered with %d fails and is not retried', async (status, text, kind, message) => {
    const node = await serve((_, response) => answer(response, status, text));
    const error = await caught(client(node.url).open(request, stream));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ message, url: `${node.url}/api/v2/x` });
    expect(node.seen.length).toBe(1);
  });

  it('A stream waits for its first and each following byte no longer than its limits', async () => {
    const silent = await serve(() => {});
    const hint = 'try again; --wait and --idle give the node more time';
    expect(await caught(client(silent.url).open(request, { ...stream, firstByteMs: 40 }))).toMatchObject({
      kind: 'timeout',
      message: 'no answer: the wait for the first byte took too long',
      hint,
    });
    const halting = await serve((_, response) => void response.write('half'));
    const body = await client(halting.url).open(request, { ...stream, idleMs: 40 });
    expect(await caught(textOf(body.chunks()))).toMatchObject({
      kind: 'timeout',
      message: 'the node sent nothing for 0.04 s in the middle of its answer',
      hint,
    });
  });

  it('A stream with only occasional bytes counts as stalled, and a steady one does not', async () => {
    const sending = (text: string) =>
      serve((_, response) => {
        let left = 8;
        const send = setInterval(() => (left-- > 0 ? response.write(text) : response.end()), 50);
        response.once('close', () => clearInterval(send));
      });
    const flowing = await client((await sending('....')).url).open(request, { ...stream, idleMs: 250 });
    expect(await textOf(flowing.chunks())).toBe('....'.repeat(8));
    const dripping = await serve((_, response) => void response.write('.'));
    const body = await client(dripping.url).open(request, { ...stream, idleMs: 300 });
    expect(await caught(textOf(body.chunks()))).toMatchObject({
      kind: 'timeout',
      message: 'the node sent only 1 byte for 0.3 s in the middle of its answer',
    });
  });

  it('A stream does not count the time of a slow reader as a stall of the node', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const node = await serve((_, response) => {
      response.write('one');
      node.server.once('go on', () => response.end('two'));
    });
    const body = await client(node.url).open(request, { ...stream, idleMs: 1000 });
    const chunks = body.chunks();
    expect(String((await chunks.next()).value)).toBe('one');
    vi.advanceTimersByTime(3_600_000);
    node.server.emit('go on');
    expect(String((await chunks.next()).value)).toBe('two');
    expect((await chunks.next()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('A stream that breaks off reports it, and a stream whose reader stops is closed', async () => {
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '900' });
      response.write('half', () => response.socket?.destroySoon());
    });
    const half = await client(broken.url).open(request, stream);
    const error = await caught(textOf(half.chunks()));
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).toMatch(/the connection was lost: \S/);
    let closed = (): void => {};
    const isClosed = new Promise<void>(resolve => {
      closed = resolve;
    });
    const endless = await serve((_, response) => {
      response.once('close', () => closed());
      response.write('one');
    });
    const body = await client(endless.url).open(request, stream);
    for await (const _ of body.chunks()) break;
    await isClosed;
  });

  it('A stream that is cancelled half way ends with the reason', async () => {
    const node = await serve((_, response) => void response.write('half'));
    const abort = new AbortController();
    const reason = new Error('enough');
    const body = await client(node.url).open(request, { ...stream, signal: abort.signal });
    const chunks = body.chunks();
    await chunks.next();
    abort.abort(reason);
    expect(await caught(chunks.next())).toBe(reason);
  });
});
