import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, isIPv6, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  newNotAProxyError,
  newProxyLoginError,
  newUnreachableProxyError,
  ProxyError,
  proxyHint,
} from './client-proxy-error.ts';
import type { ProxyChoice } from './proxy-choice.ts';

/** The agents of got: one for each scheme of an address. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Keep-alive connections through this proxy. Opening one ends after `limitMs`, even if no request waits for it. */
export function proxyAgents(proxy: ProxyChoice, limitMs: number): Agents {
  const isSocks = proxy.protocol.startsWith('socks');
  const open: OpenTunnel = ({ host, port }) =>
    isSocks
      ? throughSocks(proxy, String(host), Number(port), limitMs)
      : throughHttp(proxy, String(host), Number(port), limitMs);
  // An HTTP proxy takes requests to http:// addresses unchanged. Node's own agent does not read NO_PROXY here.
  const http = isSocks
    ? new TunnelAgent(open)
    : new HttpAgent({ keepAlive: true, proxyEnv: { http_proxy: proxyAddress(proxy) } });
  return { http, https: new SecureTunnelAgent(open) };
}

function proxyAddress({ protocol, host, port, user, password }: ProxyChoice): string {
  const address = new URL(`${protocol}//${isIPv6(host) ? `[${host}]` : host}:${port}`);
  address.username = user;
  address.password = password;
  return address.href;
}

type OpenTunnel = (target: RequestOptions) => Promise<Socket>;
type Opened = (error: Error | null, socket: Duplex) => void;

class TunnelAgent extends HttpAgent {
  readonly #open: OpenTunnel;

  constructor(open: OpenTunnel) {
    super({ keepAlive: true });
    this.#open = open;
  }

  override createConnection(options: RequestOptions, opened?: Opened): undefined {
    hand(this.#open(options), opened, socket => socket);
  }
}

class SecureTunnelAgent extends HttpsAgent {
  readonly #open: OpenTunnel;

  constructor(open: OpenTunnel) {
    super({ keepAlive: true });
    this.#open = open;
  }

  override createConnection(options: RequestOptions, opened?: Opened): undefined {
    hand(this.#open(options), opened, socket => super.createConnection({ ...options, ...{ socket } }) ?? socket);
  }
}

function hand(tunnel: Promise<Socket>, opened: Opened | undefined, use: (socket: Socket) => Duplex): undefined {
  tunnel.then(
    socket => opened?.(null, use(socket)),
    (error: unknown) => opened?.(error instanceof Error ? error : new Error(String(error)), new Socket()),
  );
}

/** A connection by the CONNECT of a proxy. */
function throughHttp(proxy: ProxyChoice, host: string, port: number, limitMs: number): Promise<Socket> {
  const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send({
      ...{ host: proxy.host, port: proxy.port, method: 'CONNECT', path: target, agent: false },
      // Node would take the name for TLS from the header, and accept a certificate of the node for one of the proxy.
      servername: isIP(proxy.host) === 0 ? proxy.host : '',
      headers: {
        host: target,
        ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
      },
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    request.once('close', () => clearTimeout(timer));
    request.once('error', error => reject(newUnreachableProxyError(proxy, error)));
    request.once('connect', (answer, socket: Socket, first: Buffer) => {
      clearTimeout(timer);
      if (first.length > 0) socket.unshift(first);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return resolve(socket);
      socket.destroy();
      if (status === 407) return reject(newProxyLoginError(proxy, answer.headers['proxy-authenticate']));
      const reason = `HTTP ${status} ${answer.statusMessage ?? ''}`.trim();
      reject(refused(proxy, target, reason));
    });
    request.end();
  });
}

const refused = (proxy: ProxyChoice, target: string, reason: string): ProxyError =>
  new ProxyError(
    `the proxy ${proxy.shown} does not connect to ${target}: ${reason}`,
    proxyHint(proxy, 'check its rules and the address of the node'),
  );

/** A connection through a proxy of SOCKS. Version 4 and `socks5://` look the name up here, the others leave that to the proxy. */
async function throughSocks(proxy: ProxyChoice, host: string, port: number, limitMs: number): Promise<Socket> {
  const isOld = proxy.protocol.startsWith('socks4');
  const isLookedUpHere = proxy.protocol === 'socks4:' || proxy.protocol === 'socks5:';
  const address = isLookedUpHere ? (await lookup(host, isOld ? { family: 4 } : {})).address : host;
  const { SocksClient } = await import('socks');
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: {
        ...{ host: proxy.host, port: proxy.port, type: isOld ? 4 : 5 },
        ...(proxy.user !== '' && { userId: proxy.user, password: proxy.password }),
      },
      command: 'connect',
      destination: { host: address, port },
      timeout: limitMs,
    });
    return socket;
  } catch (error) {
    throw socksError(proxy, `${host}:${port}`, error);
  }
}

/** The library tells its errors apart by their messages only. */
function socksError(proxy: ProxyChoice, target: string, error: unknown): ProxyError {
  const cause = error instanceof Error ? error : new Error(String(error));
  const { message } = cause;
  if (/Authentication failed|no accepted authentication/i.test(message)) return newProxyLoginError(proxy, undefined);
  const [, reason] = /rejected connection - \(?(\w+)/i.exec(message) ?? [];
  if (reason !== undefined) return refused(proxy, target, REASONS[reason] ?? reason);
  return /invalid socks/i.test(message) ? newNotAProxyError(proxy, cause) : newUnreachableProxyError(proxy, cause);
}

const REASONS: { readonly [reason: string]: string } = {
  Failure: 'it failed',
  Failed: 'it failed',
  Rejected: 'it refuses',
  NotAllowed: 'its rules do not allow it',
  NetworkUnreachable: 'the network cannot be reached from there',
  HostUnreachable: 'the host cannot be reached from there',
  ConnectionRefused: 'nothing is listening there',
  TTLExpired: 'it took too long',
  AddressNotSupported: 'it does not support this kind of address',
};
