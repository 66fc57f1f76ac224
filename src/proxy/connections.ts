import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of clients that may be open at the same time. */
const MOST_CONNECTIONS = 512;
/** Requests of one connection that may be under way: more than this is pipelining. */
const MOST_REQUESTS = 8;

/**
 * Keeps the connections of clients few. When there are too many, the one that has been idle longest is closed, so that
 * nobody is kept out by connections that ask nothing.
 */
export class Connections {
  /** Requests under way by connection, the longest idle first. */
  readonly #open = new Map<Socket, number>();

  constructor(server: Server) {
    server.on('connection', socket => {
      if (this.#open.size >= MOST_CONNECTIONS && !this.#closeIdle()) {
        socket.destroy();
        return;
      }
      this.#open.set(socket, 0);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** A request began on this connection. False when it has too many under way. */
  began(socket: Socket): boolean {
    const requests = (this.#open.get(socket) ?? 0) + 1;
    this.#open.set(socket, requests);
    return requests <= MOST_REQUESTS;
  }

  ended(socket: Socket): void {
    const requests = this.#open.get(socket);
    if (requests === undefined) return;
    this.#open.delete(socket);
    this.#open.set(socket, requests - 1);
  }

  #closeIdle(): boolean {
    for (const [socket, requests] of this.#open) {
      if (requests > 0) continue;
      this.#open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }
}
