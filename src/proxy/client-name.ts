import type { IncomingMessage } from 'node:http';
import { isLoopbackName } from './loopback-name.ts';

/** How a program on this machine says which of its users asks. */
const CLIENT_HEADER = 'x-blockglass-client';

/**
 * Who asks: the address, and on this machine the name in the header, because all guests come from there. A name from
 * elsewhere counts for nothing: it would be a new share for each name that somebody invents.
 */
export function clientOf({ headers, socket }: IncomingMessage): string {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const name = headers[CLIENT_HEADER];
  const isNamed = typeof name === 'string' && /^[\w.:-]{1,64}$/.test(name) && isLoopbackName(address);
  return isNamed ? `${address}/${name}` : address;
}

/**
 * Whether the Host header names this proxy. A web page whose own name resolves to this machine (DNS rebinding) sends its
 * own name. Who listens on an address beyond this machine may have given it any name.
 */
export function isOwnName({ headers, socket }: IncomingMessage, listensAt: string): boolean {
  if (!isLoopbackName(listensAt)) return true;
  const port = `:${socket.localPort ?? 0}`;
  const host = (headers.host ?? '').toLowerCase();
  return host.endsWith(port) && isLoopbackName(host.slice(0, -port.length));
}
