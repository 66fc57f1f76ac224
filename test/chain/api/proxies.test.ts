import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { NetworkError, RefusedError, TimeoutError } from '../../../src/chain/api/errors.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { openBody } from '../../../src/chain/api/transport.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { urlOf } from '../../support/loopback.ts';
import { answer, serve } from './loopback-server.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const parameters = { path: 'api/v2/network/parameters', query: [] } as const;

/** As the client asks, but a proxy counts for this machine too. */
async function ask(url: string, proxies: NodeJS.ProcessEnv): Promise<string> {
  const transport = { userAgent: 'x', proxies, authorization: undefined };
  const options = { signal: new AbortController().signal, accept: '*/*', decompress: true, limits: { connect: 5000 } };
  return Buffer.from(await (await openBody(transport, url, options)).bytes(1000)).toString();
}

const client = (url: string, proxies: NodeJS.ProcessEnv, timeoutMs = 5000) =>
  createClient({ base: baseAddress(url), proxies, timeoutMs, random: () => 0 });

/** A server of raw connections; resolves with host and port. */
async function serveRaw(take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer(socket => {
    sockets.add(socket.on('error', () => {}));
    take(socket);
  });
  const url = await urlOf(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return url.replace('http://', '');
}

/** A proxy that answers CONNECT with this head and then connects to the address that was asked for. */
const tunnelling = (heads: string[], head = 'HTTP/1.1 200 OK\r\n\r\n') =>
  serveRaw(async socket => {
    const [first] = await once(socket, 'data');
    const text = String(first);
    heads.push(text);
    if (!head.includes(' 200 ')) return void socket.end(head);
    const [, host = '', port] = /^CONNECT (.*):(\d+) /.exec(text) ?? [];
    const far = connect(Number(port), host.replace(/^\[|\]$/g, ''), () => {
      socket.write(head);
      socket.pipe(far).pipe(socket);
    });
    far.on('error', () => socket.destroy());
  });

/** A proxy of SOCKS 4 and 5 that connects to this place, whatever it is asked for. It notes for which host. */
const socksTo = (port: number, asked: string[], login?: string, reply = 0) =>
  serveRaw(async socket => {
    const next = async (): Promise<Buffer> => (await once(socket, 'data'))[0];
    const first = await next();
    if (first[0] === 4) {
      const name = first.subarray(9, -1).toString();
      asked.push(`4 ${name || first.subarray(4, 8).join('.')}`);
      socket.write(Buffer.of(0, reply === 0 ? 90 : 91, 0, 0, 0, 0, 0, 0));
    } else {
      const method = login === undefined ? 0 : first.includes(2, 2) ? 2 : 0xff;
      socket.write(Buffer.of(5, method));
      if (method === 0xff) return;
      if (method === 2) {
        const said = await next();
        const user = said.subarray(2, 2 + (said[1] ?? 0)).toString();
        const word = said.subarray(3 + (said[1] ?? 0)).toString();
        socket.write(Buffer.of(1, `${user}:${word}` === login ? 0 : 1));
        if (`${user}:${word}` !== login) return;
      }
      const request = await next();
      asked.push(`5 ${request[3] === 3 ? request.subarray(5, -2) : request.subarray(4, -2).join('.')}`);
      socket.write(Buffer.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0));
    }
    if (reply !== 0) return;
    const far = connect(port, '127.0.0.1').on('error', () => socket.destroy());
    socket.pipe(far).pipe(socket);
  });

/** A TLS server that answers every request so; resolves with its port. */
async function serveTls(body: string, options: TlsOptions, head?: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(options, socket =>
    socket
      .on('error', () => {})
      .once('data', () => socket.end(head ?? `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)),
  );
  server.on('connection', socket => sockets.add(socket));
  const url = await urlOf(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(url).port;
}

const SCHEMES = [
  ['http://node.invalid', 'HTTP_PROXY'],
  ['https://node.invalid', 'HTTPS_PROXY'],
] as const;

describe('HTTP proxy', () => {
  it.each([
    ['HTTP_PROXY', 'NO_PROXY'],
    ['http_proxy', 'no_proxy'],
    ['ALL_PROXY', 'NO_PROXY'],
  ])('The proxy from %s is used, except for hosts in %s', async (name, exception) => {
    const proxy = await serve((_, response) => answer(response, 200, 'proxy'));
    const node = await serve((_, response) => answer(response, 200, 'node'));
    expect(await ask(node.url, { [name]: proxy.url })).toBe('proxy');
    expect(await ask(node.url, { [name]: proxy.url, [exception]: '127.0.0.0/8' })).toBe('node');
    expect(await ask(node.url, { [name]: '' })).toBe('node');
  });

  it('The proxy gets the whole address and its own login, and the node gets neither', async () => {
    const proxy = await serve(({ url, headers }, response) =>
      answer(response, 200, `${url} ${headers.host} ${headers['proxy-authorization']}`),
    );
    const typed = proxy.url.replace('http://', 'us%40er:word@');
    const login = `Basic ${btoa('us@er:word')}`;
    expect(await ask('http://node.invalid/a?b', { http_proxy: ` ${typed} ` })).toBe(
      `http://node.invalid/a?b node.invalid ${login}`,
    );
    const heads: string[] = [];
    const tunnel = await tunnelling(heads, 'HTTP/1.1 403 No\r\n\r\n');
    await caught(ask('https://node.invalid/', { https_proxy: `user:word@${tunnel}` }));
    expect(heads).toEqual([expect.stringMatching(/^CONNECT node\.invalid:443 HTTP\/1\.1\r\n/)]);
    expect(heads[0]).toContain(`proxy-authorization: Basic ${btoa('user:word')}\r\n`);
  });

  it.each([
    ['http://localhost:1', false],
    ['http://[::1]:1', false],
    ['http://127.9.9.9:1', false],
    ['http://10.127.0.1:1', true],
    ['http://localhost.example', true],
  ])('The proxy is used for %s: %s', async (url, isProxied) => {
    const proxy = await serve((_, response) => answer(response, 200, '{"via":"proxy"}'));
    const outcome: unknown = await caught(client(url, { HTTP_PROXY: proxy.url }).get(parameters));
    expect(outcome instanceof NetworkError).toBe(!isProxied);
    expect(proxy.seen.length).toBe(isProxied ? 1 : 0);
  });

  it('The proxy opens a tunnel for https, and a failure beyond it is not attributed to the proxy', async () => {
    const heads: string[] = [];
    const { cert, key } = makeCertificate({ name: 'other', hosts: ['other.example'] });
    const port = await serveTls('tls', { cert, key });
    const tunnel = await tunnelling(heads);
    const error = await caught(ask(`https://127.0.0.1:${port}/`, { HTTPS_PROXY: tunnel }));
    expect(error).toMatchObject({
      message: 'cannot reach the node: self-signed certificate',
      hint: expect.stringMatching(/self-signed: .*The proxy 127\.0\.0\.1:\d+ may have replaced the certificate/),
    });
    expect(heads.length).toBe(1);
  });

  it.each([
    ['http://node.invalid', 'HTTP_PROXY'],
    ['https://node.invalid', 'HTTPS_PROXY'],
    ['http://node.invalid', 'ALL_PROXY'],
  ])('An unreachable proxy is reported as such, for %s from %s', async (url, name) => {
    const gone = await serve(() => {});
    await new Promise(resolve => gone.server.close(resolve));
    expect(await caught(client(url, { [name]: gone.url }).get(parameters))).toMatchObject({
      kind: 'network',
      message: expect.stringMatching(/^cannot reach the proxy 127\.0\.0\.1:\d+: connect ECONNREFUSED/),
      hint: `${name} names this proxy: check its address and port, or exclude the host with NO_PROXY`,
    });
    const { hint } = (await caught(ask(gone.url, { HTTPS_PROXY: gone.url }))) as NetworkError;
    expect(hint).toMatch(/nothing is listening there/);
  });

  it.each(['http', 'https'])('A proxy that requires a login says where to put it, for %s', async scheme => {
    const page = '<html><title>Proxy login</title></html>';
    const head = `HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm="corp"\r\nContent-Length: ${page.length}\r\n\r\n`;
    const proxy = await tunnelling([], head + page);
    const name = scheme === 'http' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
    expect(await caught(client(`${scheme}://node.invalid`, { [name]: proxy }).get(parameters))).toMatchObject({
      kind: 'network',
      message: `the proxy ${proxy} requires a login (HTTP 407)`,
      hint: `put it in the address of the proxy: ${name}=http://user:password@${proxy}`,
    });
    expect(
      await caught(client(`${scheme}://node.invalid`, { [name]: `me:word@${proxy}` }).get(parameters)),
    ).toMatchObject({ message: `the proxy ${proxy} does not accept the login in ${name}` });
    const windows = await tunnelling(
      [],
      head.replace('Basic realm="corp"', 'Negotiate\r\nProxy-Authenticate: NTLM') + page,
    );
    expect(await caught(client(`${scheme}://node.invalid`, { [name]: windows }).get(parameters))).toMatchObject({
      message: `the proxy ${windows} requires a login by Negotiate or NTLM (HTTP 407)`,
    });
  });

  it.each([403, 404, 500, 502, 503, 504])(
    'A proxy that answers %d with its own page is reported as the possible cause',
    async status => {
      const page = `HTTP/1.1 ${status} No\r\nContent-Length: 6\r\n\r\n<html>`;
      const proxy = await tunnelling([], page);
      const plain = await caught(client('http://node.invalid', { HTTP_PROXY: proxy }).get(parameters));
      expect(plain).toBeInstanceOf(RefusedError);
      expect(plain).toMatchObject({ hint: expect.stringContaining(`the proxy ${proxy} may have answered instead`) });
      expect(plain).not.toMatchObject({ hint: expect.stringContaining('login') });
      expect(await caught(client('https://node.invalid', { HTTPS_PROXY: proxy }).get(parameters))).toMatchObject({
        message: `the proxy ${proxy} does not connect to node.invalid:443: HTTP ${status} No`,
        hint: expect.not.stringContaining('login'),
      });
    },
  );

  it('An HTTPS proxy takes requests and opens tunnels, and its certificate and timeouts are reported as its own', async () => {
    const root = makeCertificate({ name: 'Root of a proxy', isAuthority: true });
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, root.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    const good = makeCertificate({ name: 'proxy', hosts: ['127.0.0.1'], issuer: root });
    const proxy = `https://127.0.0.1:${await serveTls('{}', good)}`;
    expect(await client('http://node.invalid', { HTTP_PROXY: proxy }).get(parameters)).toMatchObject({ json: {} });
    // The certificate of the node is none of a proxy.
    const other = makeCertificate({ name: 'node', hosts: ['node.invalid'], issuer: root });
    const wrong = `https://127.0.0.1:${await serveTls('', other, 'HTTP/1.1 200 OK\r\n\r\n')}`;
    for (const [url, name] of SCHEMES)
      expect(await caught(client(url, { [name]: wrong }).get(parameters))).toMatchObject({
        message: expect.stringMatching(/^cannot reach the proxy 127\.0\.0\.1:\d+: Hostname\/IP does not match/),
      });
    const silent = await serveRaw(() => {});
    for (const [url, name] of SCHEMES)
      expect(await caught(client(url, { [name]: `https://${silent}` }, 150).get(parameters))).toMatchObject({
        message: expect.stringContaining(`the proxy ${silent} did not`),
      });
  });

  it('A proxy is not blamed for a redirect of the node, or for a node that requires TLS', async () => {
    const location = 'https://node.invalid/api/v2/network/parameters';
    const proxy = await serve((_, response, count) =>
      count === 1
        ? answer(response, 301, '<html>', { location })
        : answer(response, 400, 'Client sent an HTTP request to an HTTPS server.'),
    );
    const asking = client('http://node.invalid', { HTTP_PROXY: proxy.url });
    expect(await caught(asking.get(parameters))).toMatchObject({
      hint: 'redirects are not followed: use --node https://node.invalid',
    });
    expect(await caught(asking.get(parameters))).toMatchObject({ hint: expect.stringContaining('try https://') });
  });

  it('A server that is not a proxy, speaks no TLS or closes the connection is reported as such', async () => {
    const other = await serveRaw(socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    const closing = await serveRaw(socket => socket.once('data', () => socket.end()));
    expect(await caught(client('https://node.invalid', { HTTPS_PROXY: other }).get(parameters))).toMatchObject({
      message: `${other} does not answer as an HTTP proxy`,
      hint: expect.stringContaining('whether it is rather one of socks5h://'),
    });
    expect(await caught(client('https://node.invalid', { HTTPS_PROXY: closing }).get(parameters))).toMatchObject({
      message: `the proxy ${closing} closed the connection`,
    });
    expect(await caught(ask('http://node.invalid', { ALL_PROXY: `socks5h://${closing}` }))).toMatchObject({
      message: `the proxy ${closing} closed the connection`,
    });
    const plain = (await serve(() => {})).url.slice(7);
    for (const [url, name] of SCHEMES)
      expect(await caught(client(url, { [name]: `https://${plain}` }).get(parameters))).toMatchObject({
        message: `the proxy ${plain} does not speak TLS`,
        hint: `write ${name}=http://${plain} instead of https://`,
      });
  });

  it('A proxy that forwards an error of the node is not blamed for it', async () => {
    const body = '{"code":5,"message":"Not Found","details":[]}';
    const proxy = await serve((_, response) => answer(response, 404, body));
    const error = await caught(client('http://node.invalid', { HTTP_PROXY: proxy.url }).get(parameters));
    expect(error).toMatchObject({ hint: expect.stringContaining('the node does not have this') });
  });

  it('A proxy that answers with its own page and status 200 is identified in the hint', async () => {
    const proxy = await serve((_, response) => answer(response, 200, '<html><title>Hotel Wi-Fi</title></html>'));
    const error = await caught(client('http://node.invalid', { HTTP_PROXY: proxy.url }).get(parameters));
    expect(error).toMatchObject({
      message: 'the answer is an HTML page titled "Hotel Wi-Fi", not JSON',
      hint: expect.stringContaining(`the proxy ${proxy.url.slice(7)} may have answered`),
    });
  });

  it.each(['http', 'https'])('A proxy that accepts a connection but never answers times out, for %s', async scheme => {
    const proxy = await serveRaw(() => {});
    const name = scheme === 'http' ? 'HTTP_PROXY' : 'HTTPS_PROXY';
    const startMs = performance.now();
    const silent = client(`${scheme}://node.invalid`, { [name]: proxy }, 150);
    const stream = { signal: new AbortController().signal, firstByteMs: 150, idleMs: 150 };
    for (const error of [await caught(silent.get(parameters)), await caught(silent.open(parameters, stream))]) {
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          `the proxy ${proxy} did not (connect to node\\.invalid|answer) within 0\\.1\\d* s`,
        ),
        hint: expect.stringContaining(`${name} names this proxy`),
      });
    }
    expect(performance.now() - startMs).toBeLessThan(3000);
  });

  it('A proxy tunnel with an unanswered TLS handshake times out', async () => {
    const silent = await serveRaw(() => {});
    const tunnel = await tunnelling([]);
    const stream = { signal: new AbortController().signal, firstByteMs: 60_000, idleMs: 60_000 };
    const base = baseAddress(`https://${silent}`);
    const transport = { userAgent: 'x', proxies: { HTTPS_PROXY: tunnel }, authorization: undefined };
    const limits = { connect: 150, response: 60_000 };
    expect(
      await caught(openBody(transport, base.href, { ...stream, accept: '*/*', decompress: false, limits })),
    ).toMatchObject({
      message: 'no answer: the TLS handshake took too long',
    });
  });
});

describe('SOCKS proxy', () => {
  it.each([
    ['socks5h', 'http://node.invalid/', '5 node.invalid'],
    ['socks4a', 'http://node.invalid/', '4 node.invalid'],
    ['socks5', 'http://localhost/', '5 '],
    ['socks4', 'http://localhost/', '4 127.0.0.1'],
    ['socks', 'http://10.0.0.7/', '4 10.0.0.7'],
  ])('The %s:// proxy receives the request for %s', async (scheme, url, wanted) => {
    const node = await serve(({ headers }, response) => answer(response, 200, `node ${headers.host}`));
    const asked: string[] = [];
    const proxy = await socksTo(Number(new URL(node.url).port), asked);
    expect(await ask(url, { ALL_PROXY: `${scheme}://${proxy}` })).toBe(`node ${new URL(url).host}`);
    expect(asked).toEqual([expect.stringContaining(wanted)]);
  });

  it('A SOCKS proxy carries TLS and accepts a login', async () => {
    const { cert, key } = makeCertificate({ name: 'x', hosts: ['node.invalid'] });
    const asked: string[] = [];
    const proxy = await socksTo(Number(await serveTls('tls', { cert, key })), asked, 'user:word');
    const error = await caught(ask('https://node.invalid/', { https_proxy: `socks5h://user:word@${proxy}` }));
    expect(error).toMatchObject({ message: 'cannot reach the node: self-signed certificate' });
    expect(asked).toEqual(['5 node.invalid']);
    expect(await caught(ask('http://node.invalid/', { http_proxy: `socks5h://${proxy}` }))).toMatchObject({
      message: `the proxy ${proxy} requires a login`,
      hint: `put it in the address of the proxy: http_proxy=socks5h://user:password@${proxy}`,
    });
    expect(await caught(ask('http://node.invalid/', { http_proxy: `socks5h://user:other@${proxy}` }))).toMatchObject({
      message: `the proxy ${proxy} does not accept the login in http_proxy`,
    });
  });

  it.each([
    ['socks5h', 2, 'its rules do not allow it'],
    ['socks5h', 4, 'the host cannot be reached from there'],
    ['socks5h', 5, 'nothing is listening there'],
    ['socks4a', 1, 'it failed'],
  ])('A %s:// proxy that refuses with %d gives the reason', async (scheme, reply, why) => {
    const proxy = await socksTo(1, [], undefined, reply);
    expect(await caught(ask('http://node.invalid/', { ALL_PROXY: `${scheme}://${proxy}` }))).toMatchObject({
      kind: 'network',
      message: `the proxy ${proxy} does not connect to node.invalid:80: ${why}`,
      hint: expect.stringContaining('ALL_PROXY names this proxy'),
    });
  });

  it('A SOCKS proxy that is HTTP, unreachable or silent fails in time and is not bypassed', async () => {
    const http = await serveRaw(socket => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await caught(ask('http://node.invalid/', { ALL_PROXY: `socks5h://${http}` }))).toMatchObject({
      message: `${http} does not answer as a SOCKS proxy`,
    });
    expect(await caught(ask('http://node.invalid/', { ALL_PROXY: 'socks5h://127.0.0.1:1' }))).toMatchObject({
      message: expect.stringContaining('cannot reach the proxy 127.0.0.1:1: '),
    });
    const silent = await serveRaw(() => {});
    expect(
      await caught(client('https://node.invalid', { ALL_PROXY: `socks5h://${silent}` }, 150).get(parameters)),
    ).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining(`the proxy ${silent} did not connect to node.invalid`),
    });
  });
});
