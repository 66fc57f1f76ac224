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

/** What a test does to the node while it runs. Faults queue up: each meets one request, in the order these arrive. */
export class StrictNodeFaults {
  /** Waited before every answer. */
  delayMs = 0;
  #tail: Uint8Array = new Uint8Array();
  readonly #queue: { readonly fault: Fault; readonly path: string }[] = [];
  readonly #gates = new Set<Promise<void>>();

  /** Answers the next request with this; with a path, the next whose path ends so: names are read behind the rows. */
  failNext(answer: RawAnswer, path = ''): void {
    this.#queue.push({ fault: { kind: 'fail', answer }, path });
  }

  /** Resets the connection of the next request. */
  dropNext(): void {
    this.#queue.push({ fault: { kind: 'drop' }, path: '' });
  }

  /** Cuts the next answer's connection after so many bytes of its body. */
  truncateNext(bytes: number): void {
    this.#queue.push({ fault: { kind: 'truncate', bytes }, path: '' });
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

  /** For the node: the fault that meets the request just arrived, of this path. */
  take(asked: string): Fault | undefined {
    const index = this.#queue.findIndex(({ path }) => asked.endsWith(path));
    return index < 0 ? undefined : this.#queue.splice(index, 1)[0]?.fault;
  }

  /** For the node: resolves when nothing that holds now does any more. */
  async released(): Promise<void> {
    await Promise.all(this.#gates);
  }

  get exportTail(): Uint8Array {
    return this.#tail;
  }
}
