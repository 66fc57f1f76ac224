/** An answer in raw: nothing is added but what HTTP needs. */
export interface RawAnswer {
  readonly status: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Fault =
  | { readonly kind: 'fail'; readonly answer: RawAnswer }
  | { readonly kind: 'drop' }
  | { readonly kind: 'truncate'; readonly bytes: number };

/** What a test does to the node while it runs. Faults queue up: each meets one request, in the order they arrive. */
export class StrictNodeFaults {
  /** Waited before every answer. */
  delayMs = 0;
  #tail: Uint8Array = new Uint8Array();
  readonly #queue: Fault[] = [];
  readonly #gates = new Set<Promise<void>>();

  /** Answers the next request with this. */
  failNext(answer: RawAnswer): void {
    this.#queue.push({ kind: 'fail', answer });
  }

  /** Resets the connection of the next request. */
  dropNext(): void {
    this.#queue.push({ kind: 'drop' });
  }

  /** Cuts the next answer's connection after so many bytes of its body. */
  truncateNext(bytes: number): void {
    this.#queue.push({ kind: 'truncate', bytes });
  }

  /** Sent behind every export from now on, in either framing. */
  setExportTail(bytes: string | Uint8Array): void {
    this.#tail = Buffer.from(bytes);
  }

  /** Holds the answers to requests that arrive from now on, until the function returned is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.add(promise);
    return () => {
      this.#gates.delete(promise);
      resolve();
    };
  }

  /** For the node: the fault that meets the request just arrived. */
  take(): Fault | undefined {
    return this.#queue.shift();
  }

  /** For the node: resolves when nothing that holds now does any more. */
  async released(): Promise<void> {
    await Promise.all(this.#gates);
  }

  get exportTail(): Uint8Array {
    return this.#tail;
  }
}
