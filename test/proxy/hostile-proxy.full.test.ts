import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { urlOf } from '../support/loopback.ts';
import { get, json, type Proxied, proxied } from './proxied.ts';

const LIST = '/api/v2/network/parameters';
const EXPORT = '/api/v2/networkhistory/export?fromBlock=1&toBlock=1000&table=TABLE_LEDGER';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** A server that answers each request with these bytes, and then does what it is told. */
async function rawNode(
  bytes: string,
  then: (socket: Socket) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
  return {
    url: await urlOf(server),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const endless = (socket: Socket): void => {
  const chunk = Buffer.alloc(1_048_576, 0x20);
  const more = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
};

const stillServes = async (proxy: Proxied): Promise<void> =>
  expect(await get(`${proxy.url}/health`)).toMatchObject({ status: 200, body: 'ok' });

describe('a hostile node', () => {
  it.each([
    ['a body without an end', `${OK}\r\n`, endless],
    ['a body shorter than it says', `${OK}Content-Length: 100\r\n\r\n{}`, (socket: Socket) => socket.end()],
    ['a body that is no gzip', `${OK}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`, () => {}],
    ['a header without an end', 'HTTP/1.1 200 OK\r\nA: ', endless],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', () => {}],
    ['a broken chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, () => {}],
    ['nothing', '', (socket: Socket) => socket.end()],
    ['a status that is none', 'HTTP/1.1 700 Odd\r\nContent-Length: 0\r\n\r\n', () => {}],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n', () => {}],
  ])('that sends %s leads to an error, and to no more', async (_, bytes, then) => {
    await using node = await rawNode(bytes, then);
    await using proxy = await proxied(response => json(response), { base: new URL(node.url), timeoutMs: 3_000 });
    for (const path of [LIST, LIST]) {
      const { status, body } = await get(proxy.url + path);
      expect([502, 504]).toContain(status);
      expect([4, 14]).toContain(JSON.parse(body).code);
    }
    await stillServes(proxy);
  });

  it('that sends silence is given up after the time for it', async () => {
    await using node = await rawNode(`${OK}Content-Length: 9\r\n\r\n{`, () => {});
    await using proxy = await proxied(response => json(response), { base: new URL(node.url), timeoutMs: 50 });
    expect((await get(proxy.url + LIST)).status).toBe(504);
    await stillServes(proxy);
  });

  it('that sends more than it says has the rest ignored', async () => {
    await using node = await rawNode(`${OK}Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nother`, () => {});
    await using proxy = await proxied(response => json(response), { base: new URL(node.url) });
    expect(await get(proxy.url + LIST)).toMatchObject({ status: 200, body: '{}' });
    await stillServes(proxy);
  });

  it('that sends odd headers adds none to an answer or a line of the log', async () => {
    const odd = 'X-Block-Height: 7\u001b[2J\r\nX-Block-Timestamp: \u009b31m\r\nAge: -5\r\nRetry-After: 1e9\r\n';
    await using node = await rawNode(`${OK}${odd}Content-Length: 2\r\n\r\n{}`, () => {});
    await using proxy = await proxied(response => json(response), { base: new URL(node.url), timeoutMs: 1_000 });
    const { headers } = await get(proxy.url + LIST);
    expect(Object.keys(headers)).not.toContain('x-block-height');
    expect(Object.keys(headers)).not.toContain('x-block-timestamp');
    await stillServes(proxy);
  });

  it('whose export has no end is read as fast as the client reads, and no further', async () => {
    let sent = 0;
    await using proxy = await proxied(response => {
      const chunk = Buffer.alloc(1_048_576);
      const more = (): void => {
        do sent += chunk.length;
        while (response.write(chunk));
      };
      response.writeHead(200).on('drain', more);
      more();
    });
    const { port, host } = new URL(proxy.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'readable');
    let before = -1;
    const isStill = (): boolean => {
      const still = before === sent;
      before = sent;
      return still;
    };
    // It stands still as soon as the buffers between are full.
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    expect(sent).toBeLessThan(64 * 1_048_576);
    socket.destroy();
    await stillServes(proxy);
  });
});

describe('a hostile client', () => {
  const raw = async (proxy: Proxied, text: string): Promise<string> => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    let seen = '';
    socket.on('data', chunk => {
      seen += chunk;
    });
    socket.on('error', () => {});
    socket.write(text);
    await new Promise(resolve => socket.once('close', resolve));
    return seen;
  };

  it('that pipelines more than a few requests loses its connection, and the node gets few of them', async () => {
    await using proxy = await proxied(() => {});
    const { host } = new URL(proxy.url);
    const requests = Array.from({ length: 10_000 }, (_, n) => `GET ${LIST}?a=${n} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await raw(proxy, requests.join(''))).toBe('');
    expect(proxy.asked.length).toBeLessThanOrEqual(8);
    await stillServes(proxy);
  });

  it.each([
    [
      'a header without an end',
      (host: string) => `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\nA: ${'a'.repeat(20_000)}`,
      ' 431 ',
    ],
    ['no HTTP', () => '\u0016\u0003\u0001\u0002', ' 400 '],
    ['another name', () => `GET ${LIST} HTTP/1.1\r\nHost: evil.example\r\n\r\n`, ' 421 '],
    ['a body', (host: string) => `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\na`, ' 400 '],
    [
      'two lengths',
      (host: string) =>
        `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ' 400 ',
    ],
    ['a long query', (host: string) => `GET ${LIST}?a=${'a'.repeat(9_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, ' 414 '],
  ])('that sends %s gets an error and reaches no node', async (_, text, status) => {
    await using proxy = await proxied(response => json(response));
    expect(await raw(proxy, text(new URL(proxy.url).host))).toContain(status);
    expect(proxy.asked).toEqual([]);
    await stillServes(proxy);
  });

  it('with thousands of connections that ask nothing keeps nobody out', async () => {
    await using proxy = await proxied(response => json(response));
    const { port } = new URL(proxy.url);
    const sockets: Socket[] = [];
    for (let round = 0; round < 20; round++) {
      const opened = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
      sockets.push(...opened);
      await Promise.all(opened.map(socket => once(socket, 'connect')));
    }
    expect((await get(proxy.url + LIST)).status).toBe(200);
    const { body } = await get(`${proxy.url}/metrics`);
    expect(Number(/^blockglass_proxy_connections (\d+)$/m.exec(body)?.[1])).toBeLessThanOrEqual(512);
    for (const socket of sockets) socket.destroy();
  });

  it('that fills its line is refused, and the others are not', async () => {
    await using proxy = await proxied(() => {}, { perSecond: 1 });
    const leaving = new AbortController();
    const ask = (client: string, n: number) =>
      get(`${proxy.url}${LIST}?a=${client}${n}`, { 'x-blockglass-client': client }, leaving.signal).catch(
        () => undefined,
      );
    const hog = Array.from({ length: 90 }, (_, n) => ask('hog', n));
    const refused = Promise.all(hog).then(answers => answers.filter(answer => answer?.status === 429).length);
    const line = async (client: string) =>
      Number(
        new RegExp(`queue_length.client="127.0.0.1/${client}". (\\d+)`).exec(
          (await get(`${proxy.url}/metrics`)).body,
        )?.[1],
      );
    await expect.poll(() => line('hog')).toBeGreaterThan(60);
    const other = ask('other', 0);
    await expect.poll(() => line('other')).toBe(1);
    leaving.abort();
    await other;
    expect(await refused).toBeGreaterThan(15);
    await expect.poll(() => line('hog')).toBeNaN();
  });
});
