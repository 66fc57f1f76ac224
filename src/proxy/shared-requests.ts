/** A place among those that wait for one answer. */
export interface Waiter<Answer> {
  readonly answer: Promise<Answer>;
  /** Nobody waited for it before. */
  readonly isFirst: boolean;
  /** It was sent already. */
  readonly isSent: boolean;
  /** Stops waiting. True when its client no longer waits for a request that was not sent yet. */
  readonly leave: () => boolean;
}

interface Shared<Answer> {
  readonly answer: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  /** Waiters by client. */
  readonly clients: Map<string, number>;
  isSent: boolean;
}

/**
 * Identical requests: each is sent once, and its answer goes to all that wait for it. Who leaves ends nothing for the
 * others; a request that nobody waits for any more is forgotten, unless it was sent.
 */
export class SharedRequests<Answer> {
  readonly #shared = new Map<string, Shared<Answer>>();

  join(key: string, client: string): Waiter<Answer> {
    const known = this.#shared.get(key);
    const shared = known ?? newShared<Answer>();
    this.#shared.set(key, shared);
    shared.clients.set(client, (shared.clients.get(client) ?? 0) + 1);
    let isHere = true;
    const leave = (): boolean => {
      if (!isHere) return false;
      isHere = false;
      drop(shared.clients, client);
      if (shared.isSent || this.#shared.get(key) !== shared) return false;
      if (shared.clients.size === 0) this.#shared.delete(key);
      return !shared.clients.has(client);
    };
    return { answer: shared.answer, isFirst: known === undefined, isSent: shared.isSent, leave };
  }

  /** From now on it is answered even if nobody waits. */
  sent(key: string): void {
    const shared = this.#shared.get(key);
    if (shared !== undefined) shared.isSent = true;
  }

  /** Gives the answer to all that wait. Later requests are new ones. */
  settle(key: string, answer: Answer): void {
    this.#shared.get(key)?.resolve(answer);
    this.#shared.delete(key);
  }
}

function newShared<Answer>(): Shared<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  return { answer: promise, resolve, clients: new Map(), isSent: false };
}

function drop(clients: Map<string, number>, client: string): void {
  const others = (clients.get(client) ?? 0) - 1;
  if (others > 0) clients.set(client, others);
  else clients.delete(client);
}
