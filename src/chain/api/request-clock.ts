import type { ClientRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Limits in ms; none means no limit. */
export interface PhaseLimits {
  /** Until a connection is ready: looking up the name, connecting, through a proxy too, and the TLS handshake. */
  readonly connect?: number;
  /** From then until the header of the answer. */
  readonly response?: number;
  /** Until the last byte of the answer. */
  readonly request?: number;
}

/** What a request waits for. `proxy` is a proxy that opens a connection. */
export type Phase = 'proxy' | 'lookup' | 'connect' | 'secureConnect' | 'response' | 'body';

/** Follows a request through its phases and ends the one that takes too long. got's own limits count no proxy. */
export class RequestClock {
  readonly #onLate: (limitMs: number) => void;
  readonly #limits: PhaseLimits;
  readonly #whole: NodeJS.Timeout | undefined;
  #current: NodeJS.Timeout | undefined;
  #phase: Phase = 'proxy';

  constructor(limits: PhaseLimits, onLate: (limitMs: number) => void) {
    this.#limits = limits;
    this.#onLate = onLate;
    this.#whole = this.#timer(limits.request);
    this.#current = this.#timer(limits.connect);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Follows the connection that the request gets. */
  follow(request: ClientRequest): void {
    request.once('socket', socket => {
      if (socket.connecting) this.#connects(socket, request.host);
      else if (socket instanceof TLSSocket && isInHandshake(socket)) this.#secures(socket);
      else this.#sent();
    });
  }

  /** The header of the answer has arrived. */
  answered(): void {
    clearTimeout(this.#current);
    this.#phase = 'body';
  }

  stop(): void {
    clearTimeout(this.#current);
    clearTimeout(this.#whole);
  }

  #connects(socket: Socket, host: string): void {
    this.#phase = isIP(host) === 0 ? 'lookup' : 'connect';
    socket.once('lookup', () => {
      this.#phase = 'connect';
    });
    socket.once('connect', () => {
      if (socket instanceof TLSSocket) this.#secures(socket);
      else this.#sent();
    });
  }

  #secures(socket: TLSSocket): void {
    this.#phase = 'secureConnect';
    socket.once('secureConnect', () => this.#sent());
  }

  #sent(): void {
    clearTimeout(this.#current);
    if (this.#phase === 'body') return;
    this.#phase = 'response';
    this.#current = this.#timer(this.#limits.response);
  }

  #timer(limitMs: number | undefined): NodeJS.Timeout | undefined {
    return limitMs === undefined ? undefined : setTimeout(() => this.#onLate(limitMs), limitMs);
  }
}

// Through a tunnel. The types of Node do not have the property.
const isInHandshake = (socket: TLSSocket): boolean => 'secureConnecting' in socket && socket.secureConnecting === true;
