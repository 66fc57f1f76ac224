export interface QueueLimits {
  /** Requests of one client that may wait. */
  readonly perClient: number;
  /** Requests that may wait in all. */
  readonly inAll: number;
  /** Requests of one client that may run at the same time. */
  readonly runningPerClient: number;
}

interface Line {
  /** What waits, oldest first, with its cost. */
  readonly waiting: Map<string, number>;
  deficit: number;
  hasTurn: boolean;
}

/** What a client may spend each time it is its turn. */
const QUANTUM = 1;

/**
 * Requests that wait for the node, shared between clients by deficit round robin: each client in turn may spend the same
 * cost, however many requests it has waiting. A request that several clients wait for stands in the line of each and
 * leaves all of them when the first of them has its turn.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line>();
  readonly #running = new Map<string, number>();
  #waiting = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Adds a request to the line of a client. False when there is no room. */
  push(client: string, key: string, cost: number): boolean {
    const line = this.#lines.get(client) ?? { waiting: new Map<string, number>(), deficit: 0, hasTurn: false };
    if (line.waiting.has(key)) return true;
    if (this.#waiting >= this.#limits.inAll || line.waiting.size >= this.#limits.perClient) return false;
    line.waiting.set(key, cost);
    this.#lines.set(client, line);
    this.#waiting++;
    return true;
  }

  /** Takes a request out of the line of a client that no longer waits for it. */
  remove(client: string, key: string): void {
    const line = this.#lines.get(client);
    if (line === undefined || !line.waiting.delete(key)) return;
    this.#waiting--;
    // A line that was empty starts again without credit.
    if (line.waiting.size === 0) this.#lines.delete(client);
  }

  /** Whether any client waits for it. */
  has(key: string): boolean {
    for (const { waiting } of this.#lines.values()) if (waiting.has(key)) return true;
    return false;
  }

  /** Empties all lines and returns what was in them. */
  clear(): ReadonlySet<string> {
    const keys = new Set([...this.#lines.values()].flatMap(({ waiting }) => [...waiting.keys()]));
    this.#lines.clear();
    this.#waiting = 0;
    return keys;
  }

  /** Whether `next` would return a request. */
  get hasNext(): boolean {
    for (const client of this.#lines.keys()) if (!this.#isBusy(client)) return true;
    return false;
  }

  /** The request whose turn it is. It counts as running for its client until `ended`. */
  next(): { readonly client: string; readonly key: string } | undefined {
    if (!this.hasNext) return undefined;
    for (;;) {
      for (const [client, line] of [...this.#lines]) {
        const key = this.#isBusy(client) ? undefined : spend(line);
        if (key !== undefined) {
          for (const other of [...this.#lines.keys()]) this.remove(other, key);
          this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
          return { client, key };
        }
        line.hasTurn = false;
        this.#lines.delete(client);
        this.#lines.set(client, line);
      }
    }
  }

  /** A request that was taken for this client has ended. */
  ended(client: string): void {
    const running = (this.#running.get(client) ?? 0) - 1;
    if (running > 0) this.#running.set(client, running);
    else this.#running.delete(client);
  }

  /** Clients with requests waiting, and how many. */
  lengths(): readonly (readonly [client: string, waiting: number])[] {
    return [...this.#lines].map(([client, { waiting }]) => [client, waiting.size] as const);
  }

  #isBusy(client: string): boolean {
    return (this.#running.get(client) ?? 0) >= this.#limits.runningPerClient;
  }
}

/** The first request of the line, if what the client may spend is enough for it. */
function spend(line: Line): string | undefined {
  if (!line.hasTurn) line.deficit += QUANTUM;
  line.hasTurn = true;
  for (const [key, cost] of line.waiting) {
    if (line.deficit < cost) return undefined;
    line.deficit -= cost;
    return key;
  }
  return undefined;
}
