import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listening } from '../support/loopback.ts';
import { get, json, type Proxied, proxied } from './proxied.ts';

const LIST = '/api/v2/network/parameters';
const EXPORT = '/api/v2/networkhistory/export?fromBlock=1&toBlock=1000&table=TABLE_LEDGER';

/** A value of /metrics. */
async function metric({ url }: Proxied, line: string): Promise<number | undefined> {
  const { body } = await get(`${url}/metrics`);
  const found = body.split('\n').find(text => text.startsWith(`blockglass_proxy_${line} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

/** Resolves when so many clients wait for an answer of the proxy. */
const open = (proxy: Proxied, connections: number) =>
  expect.poll(() => metric(proxy, 'connections'), { interval: 5 }).toBe(connections + 1);

describe('an answer of the proxy', () => {
  it('is the bytes of the node, and the same again from the cache with its age', async () => {
    const body = '{"exact": 12345678901234567890,  "é":1.10}\n';
    const headers = { 'x-block-height': '7', 'ratelimit-remaining': '3', 'set-cookie': 'a=b', age: '2' };
    await using proxy = await proxied(response => json(response, body, headers));
    const first = await get(`${proxy.url}${LIST}?b=2&a=1`);
    const again = await get(`${proxy.url}${LIST}?a=1&b=2`);
    expect(Buffer.from(first.body, 'latin1').toString()).toBe(body);
    expect(again.body).toBe(first.body);
    expect(proxy.asked).toEqual([`${LIST}?a=1&b=2`]);
    expect(again.headers).toMatchObject({ 'x-block-height': '7', age: '2', 'content-type': 'application/json' });
    expect([again.headers['ratelimit-remaining'], again.headers['set-cookie']]).toEqual([undefined, undefined]);
    expect(await metric(proxy, 'requests_total{outcome="hit"}')).toBe(1);
  });

  it.each([
    [500, '{"code":13,"message":"Internal error","details":[]}'],
    [400, '{"code":3}'],
    [429, '{"code":8,"message":"grpc: received message larger than max (9 vs. 8)","details":[]}'],
    [503, '<html>'],
  ])('that is a refusal (%i) is passed on and never stored', async (status, body) => {
    await using proxy = await proxied(response => void response.writeHead(status, { 'retry-after': '7' }).end(body));
    for (let time = 0; time < 2; time++)
      expect(await get(proxy.url + LIST)).toMatchObject({ status, body, headers: { 'retry-after': '7' } });
    expect(proxy.asked).toHaveLength(2);
    expect(await metric(proxy, `refusals_total{by="node",status="${status}"}`)).toBe(2);
  });

  it('after too many requests is a refusal until the pause is over, and the node is left alone', async () => {
    await using proxy = await proxied(response => void response.writeHead(429, { 'retry-after': '60' }).end('{}'));
    expect(await get(proxy.url + LIST)).toMatchObject({ status: 429, body: '{}', headers: { 'retry-after': '60' } });
    for (const path of [LIST, '/api/v2/markets', EXPORT]) {
      const { status, headers, body } = await get(proxy.url + path);
      expect([status, JSON.parse(body).code, headers['retry-after']]).toEqual([429, 8, '60']);
    }
    expect(proxy.asked).toHaveLength(1);
  });

  it('after a ban comes as late as the node says', async () => {
    const refuse = (response: ServerResponse) => response.writeHead(403, { 'ratelimit-retry-after': '600' }).end('{}');
    await using proxy = await proxied(response => void refuse(response));
    expect((await get(proxy.url + LIST)).status).toBe(403);
    expect(await get(proxy.url + LIST)).toMatchObject({ status: 429, headers: { 'retry-after': '600' } });
    expect(proxy.asked).toHaveLength(1);
  });

  it('never follows a redirect', async () => {
    await using other = await proxied(response => json(response));
    await using proxy = await proxied(response => void response.writeHead(302, { location: other.url + LIST }).end());
    expect(await get(proxy.url + LIST)).toMatchObject({ status: 502 });
    expect(other.asked).toEqual([]);
  });

  it('is an error of its own when the node is not there, which does not name the node', async () => {
    const node = new URL('http://127.0.0.1:9');
    await using proxy = await proxied(response => json(response), { base: node });
    const { status, body } = await get(proxy.url + LIST);
    expect([status, JSON.parse(body)]).toEqual([502, { code: 14, message: 'the node cannot be reached', details: [] }]);
    expect(proxy.log.join()).toContain('"failure":');
  });

  it('is had with the login of the node, which is shown nowhere, and with nothing else of the client', async () => {
    let sent: IncomingHttpHeaders = {};
    const server = createServer(({ headers }, response) => {
      sent = headers;
      response.writeHead(500).end('{}');
    });
    await using node = await listening(server);
    const base = new URL(node.url);
    base.username = 'operator';
    base.password = 'secret';
    await using proxy = await proxied(response => json(response), { base });
    const own = {
      authorization: 'Basic Y2xpZW50OmNsaWVudA==',
      cookie: 'a=b',
      'grpc-timeout': '1n',
      origin: 'http://a',
    };
    const answers = [await get(proxy.url + LIST, own), await get(`${proxy.url}/metrics`)];
    expect(sent.authorization).toBe(`Basic ${Buffer.from('operator:secret').toString('base64')}`);
    expect(Object.keys(own).filter(name => name !== 'authorization' && sent[name] !== undefined)).toEqual([]);
    expect(JSON.stringify([answers, proxy.log])).not.toMatch(/operator|secret/);
  });
});

describe('identical requests to the proxy', () => {
  it('are sent once, and one that leaves ends nothing for the others', async () => {
    const held: ServerResponse[] = [];
    await using proxy = await proxied(response => void held.push(response));
    const leaving = new AbortController();
    const first = get(proxy.url + LIST, {}, leaving.signal).catch((error: Error) => error.name);
    const others = [get(proxy.url + LIST), get(proxy.url + LIST)];
    await open(proxy, 3);
    await expect.poll(() => held.length).toBe(1);
    leaving.abort();
    expect(await first).toBe('AbortError');
    await open(proxy, 2);
    for (const response of held) json(response, '{"a":1}');
    expect((await Promise.all(others)).map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(proxy.asked).toHaveLength(1);
    expect(await metric(proxy, 'requests_total{outcome="coalesced"}')).toBe(2);
  });
});

describe('an export through the proxy', () => {
  it('is passed on as it arrives', async () => {
    const held: ServerResponse[] = [];
    await using proxy = await proxied(response => {
      response.writeHead(200, {
        'content-type': 'application/zip',
        'content-disposition': 'attachment;filename=a.zip',
      });
      response.write('first');
      held.push(response);
    });
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\n\r\n`);
    let seen = '';
    socket.on('data', chunk => {
      seen += chunk;
    });
    await expect.poll(() => seen).toContain('first');
    expect(seen).toContain('content-disposition: attachment;filename=a.zip');
    for (const response of held) response.end('last');
    await expect.poll(() => seen).toContain('last');
    socket.destroy();
    expect(await metric(proxy, 'exports')).toBe(0);
  });

  it('that breaks off is cut, and does not look whole', async () => {
    await using proxy = await proxied(response => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.write('first', () => response.socket?.end());
    });
    await expect(get(proxy.url + EXPORT)).rejects.toThrow();
  });

  it('is one of two of a client and of four in all, and ends at the node when its client leaves', async () => {
    const closed: Promise<unknown>[] = [];
    await using proxy = await proxied(response => {
      closed.push(once(response, 'close'));
      response.writeHead(200).write('first');
    });
    const leaving = new AbortController();
    const start = (client: string) =>
      get(proxy.url + EXPORT, { 'x-blockglass-client': client }, leaving.signal).catch(() => undefined);
    const running = [start('a'), start('a')];
    await expect.poll(() => metric(proxy, 'exports'), { interval: 5 }).toBe(2);
    expect((await start('a'))?.status).toBe(429);
    running.push(start('b'), start('c'));
    await expect.poll(() => metric(proxy, 'exports'), { interval: 5 }).toBe(4);
    expect((await start('d'))?.status).toBe(429);
    await expect.poll(() => closed.length).toBe(4);
    leaving.abort();
    await Promise.all([...running, ...closed]);
    await expect.poll(() => metric(proxy, 'exports'), { interval: 5 }).toBe(0);
  });
});

describe('the log of the proxy', () => {
  it.each([false, true])('has filters only if that is wanted: %s', async logsFilters => {
    await using proxy = await proxied(response => json(response), { logsFilters });
    await get(`${proxy.url}/api/v2/liquidity/provisions?partyId=abc`, { 'x-blockglass-client': 'guest-1' });
    const line = JSON.parse(proxy.log[0] ?? '');
    expect(line).toMatchObject({ client: '127.0.0.1/guest-1', path: '/api/v2/liquidity/provisions', status: 200 });
    expect(line.query).toBe(logsFilters ? 'partyId=abc' : undefined);
    expect(JSON.stringify(proxy.log).includes('abc')).toBe(logsFilters);
  });
});

describe('a proxy that is asked to stop', () => {
  it('ends what is under way, takes nothing new, and closes', async () => {
    const held: ServerResponse[] = [];
    const proxy = await proxied(response => void held.push(response));
    await using _ = proxy;
    const running = get(proxy.url + LIST);
    await expect.poll(() => held.length).toBe(1);
    const closed = proxy.close();
    await expect(get(proxy.url + LIST)).rejects.toThrow('ECONNREFUSED');
    for (const response of held) json(response, '{"a":1}');
    expect((await running).body).toBe('{"a":1}');
    await closed;
  });

  it('does not wait longer than it may', async () => {
    await using proxy = await proxied(() => {}, { drainMs: 1 });
    const running = get(proxy.url + LIST).catch((error: Error) => error.message);
    await expect.poll(() => proxy.asked.length).toBe(1);
    await proxy.close();
    expect(await running).toMatch(/hang up|ECONNRESET/);
  });
});
