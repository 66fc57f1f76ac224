import type { IncomingMessage } from 'node:http';

/**
 * Whether the Host header names this node: a loopback name, the address of the connection or the one it listens on, with
 * its port. A web page whose own name resolves to this machine (DNS rebinding) sends its own name.
 */
export function isOwnHost({ headers, socket }: IncomingMessage, listensAt: string): boolean {
  const { localAddress = '', localPort = 0 } = socket;
  const port = `:${localPort}`;
  const host = (headers.host ?? '').toLowerCase();
  const name = host.endsWith(port) ? host.slice(0, -port.length) : localPort === 80 ? host : '';
  const reachedAt = localAddress.replace(/^::ffff:/, '');
  return ['localhost', '127.0.0.1', '[::1]', inUrl(reachedAt), inUrl(listensAt.toLowerCase())].includes(name);
}

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);
