import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names this node as what it is: by a loopback name, the address it was reached at or the one it was
 * told to listen at, with its port. A page in a browser whose own name leads here (DNS rebinding) names itself.
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
