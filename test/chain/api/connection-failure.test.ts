import { createServer as createTcpServer, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { type Certificate, makeCertificate } from '../../support/certificate.ts';
import { urlOf } from '../../support/loopback.ts';
import { answer, serve } from './loopback-server.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const ask = (url: string, timeoutMs = 5000): Promise<unknown> =>
  caught(createClient({ base: baseAddress(url), timeoutMs, random: () => 0 }).get({ path: 'api/v2/x', query: [] }));

/** The root is trusted while this file runs. */
const root = makeCertificate({ name: 'Test Root', isAuthority: true });
const middle = makeCertificate({ name: 'Test Intermediate', issuer: root, isAuthority: true });
const stranger = makeCertificate({ name: 'Strange Root', isAuthority: true });
const strangeMiddle = makeCertificate({ name: 'Strange Intermediate', issuer: stranger, isAuthority: true });
const hosts = ['127.0.0.1'];
const leaf = makeCertificate({ name: 'node', hosts, issuer: middle });
const usual = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...usual, root.cert]));
afterAll(() => setDefaultCACertificates(usual));

const chain = ({ key, cert }: Certificate, ...more: readonly Certificate[]): TlsOptions => ({
  key,
  cert: [cert, ...more.map(({ cert: next }) => next)].join(''),
});

/** A TLS server that answers every request with an empty object. */
async function serveTls(options: TlsOptions): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(options, socket =>
    socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')),
  );
  server.on('tlsClientError', () => {});
  server.on('connection', socket => sockets.add(socket));
  const url = await urlOf(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return url.replace('http:', 'https:');
}

/** A server that answers the first bytes of a connection with these. */
async function serveBytes(bytes: Uint8Array): Promise<string> {
  const server = createTcpServer(socket => socket.on('error', () => {}).once('data', () => socket.end(bytes)));
  onTestFinished(() => void server.close());
  return urlOf(server);
}

describe('TLS certificate', () => {
  it('A certificate with a complete chain is accepted', async () => {
    expect(await ask(await serveTls(chain(leaf, middle)))).toMatchObject({ json: {} });
  });

  const other = makeCertificate({ name: 'node', hosts: ['node.example', '10.0.0.7'], issuer: root });
  const nameless = makeCertificate({ name: 'node', issuer: root });
  const expired = makeCertificate({ name: 'node', hosts, issuer: root, days: [-9, -2] });
  const early = makeCertificate({ name: 'node', hosts, issuer: root, days: [2, 9] });
  const selfSigned = makeCertificate({ name: 'node', hosts });
  const strange = makeCertificate({ name: 'node', hosts, issuer: strangeMiddle });
  it.each([
    ['self-signed', chain(selfSigned), 'the certificate is self-signed: if you trust it, set NODE_EXTRA_CA_CERTS'],
    [
      'without its intermediate',
      chain(leaf),
      'without the intermediate certificate: its operator has to send the whole',
    ],
    ['of an unknown authority', chain(strange, strangeMiddle), 'does not trust the issuer of the certificate'],
    [
      'of an unknown root that is sent',
      chain(strange, strangeMiddle, stranger),
      'does not trust the issuer of the certificate',
    ],
    ['for another name', chain(other), 'is for DNS:node.example, IP Address:10.0.0.7: use an address with such a name'],
    ['for no name', chain(nameless), 'lists no host: its operator has to replace it'],
    ['that has expired', chain(expired), 'has expired: its operator has to renew it. Check the clock'],
    ['that is not valid yet', chain(early), 'is not valid yet: check the clock of this machine'],
  ])('A certificate problem is reported as such: %s', async (_, options, hint) => {
    const error = await ask(await serveTls(options));
    expect(error).toMatchObject({
      kind: 'network',
      message: expect.stringMatching(/^cannot reach the node: (?!.*Node\.js)\S/),
      hint: expect.stringContaining(hint),
    });
  });
});

describe('TLS handshake', () => {
  const good = chain(leaf, middle);
  const wantsCertificate = { ...good, requestCert: true, rejectUnauthorized: true, ca: root.cert };
  const old = { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  it.each<[what: string, options: TlsOptions, hint: string]>([
    ['with an old version', old, 'its operator has to offer TLS 1.2 or 1.3'],
    ['with a client certificate', wantsCertificate, 'requires a client certificate, which blockglass cannot send'],
  ])('A TLS handshake failure is reported as such: %s', async (_, options, hint) => {
    expect(await ask(await serveTls(options))).toMatchObject({ kind: 'network', hint: expect.stringContaining(hint) });
  });

  it('A client certificate is suggested as the possible cause where TLS 1.2 does not tell', async () => {
    const error = await ask(await serveTls({ ...wantsCertificate, maxVersion: 'TLSv1.2' }));
    expect(error).toMatchObject({ kind: 'network', hint: expect.stringMatching(/client certificate|TLS handshake/) });
  });

  it('A TLS handshake that the server aborts or never continues is reported as such', async () => {
    const broken = (await serveBytes(Buffer.of())).replace('http:', 'https:');
    expect(await ask(broken)).toMatchObject({ hint: expect.stringContaining('closed during the TLS handshake') });
    const silent = createTcpServer(socket => socket.on('error', () => {}));
    onTestFinished(() => void silent.close());
    const url = (await urlOf(silent)).replace('http:', 'https:');
    expect(await ask(url, 100)).toMatchObject({ message: 'no answer: the TLS handshake took too long' });
  });

  it('A TLS handshake with a plain HTTP server is reported as such', async () => {
    const plain = await serve(() => {});
    const error = await ask(plain.url.replace('http:', 'https:'));
    expect(error).toMatchObject({
      kind: 'network',
      hint: 'use http:// instead of https://: the node does not speak TLS',
    });
  });
});

describe('Plain HTTP response', () => {
  it.each([
    ['an alert of TLS', Buffer.of(0x15, 3, 1, 0, 2, 2, 70), 'this port speaks TLS: try https:// instead of http://'],
    ['settings of HTTP/2', Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0), 'this may be the gRPC port of the node'],
    ['a goodbye of HTTP/2', Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0), 'this may be the gRPC port of the node'],
    ['a greeting of SSH', Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), 'check the address and the port'],
  ])('A response to plain HTTP is recognised as %s', async (_, bytes, hint) => {
    expect(await ask(await serveBytes(bytes))).toMatchObject({
      kind: 'undecodable',
      hint: expect.stringContaining(hint),
    });
  });

  it.each([
    [400, '<html><title>400 The plain HTTP request was sent to HTTPS port</title>', 'try https:// instead of http://'],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', 'try https:// instead of http://'],
    [400, '<html><title>400 No required SSL certificate was sent</title>', 'requires a client certificate'],
    [426, 'Upgrade Required', 'another version of HTTP'],
    [505, '', 'another version of HTTP'],
    [511, '<html><title>Hotel</title>', 'sign in first'],
    [407, '', 'a proxy between this machine and the node requires a login'],
    [403, '<html><title>Blocked</title>', 'denies this and offers no login'],
    [403, 'RBAC: access denied', 'denies this and offers no login'],
    [403, 'Unknown ALPN Protocol, expected `h2` to be available.', 'another version of HTTP'],
  ])('A response to plain HTTP with %d and the text %j gives the matching hint', async (status, text, hint) => {
    const node = await serve((_, response) => answer(response, status, text));
    expect(await ask(node.url)).toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it.each([
    ['https://other.example/base/api/v2/x', 'redirects are not followed: use --node https://other.example/base'],
    ['https://other.example/login?next=/api/v2/x', 'leads to another page, such as a login'],
    ['/api/v2/x', 'redirects to itself'],
    ['/deep/api/v2/x', /^redirects are not followed: use --node http:\/\/127\.0\.0\.1:\d+\/deep$/],
  ])('A response that redirects to %s reports the target', async (location, hint) => {
    const node = await serve((_, response) => answer(response, 302, '', { location }));
    expect(await ask(node.url)).toMatchObject({
      hint: typeof hint === 'string' ? expect.stringContaining(hint) : expect.stringMatching(hint),
    });
  });

  it('A response with 401 tells a missing login, a wrong login and another scheme apart', async () => {
    const basic = await serve((_, response) => answer(response, 401, '', { 'www-authenticate': 'Basic realm="x"' }));
    expect(await ask(basic.url)).toMatchObject({ hint: expect.stringContaining('https://user:password@host') });
    const wrong = basic.url.replace('//', '//me:word@');
    expect(await ask(wrong)).toMatchObject({ hint: expect.stringContaining('is not accepted') });
    const bearer = await serve((_, response) => answer(response, 401, '', { 'www-authenticate': 'Bearer realm="x"' }));
    expect(await ask(bearer.url)).toMatchObject({ hint: expect.stringContaining('requires a login by Bearer') });
  });
});
