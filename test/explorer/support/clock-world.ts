import { FakeWorld, told } from './fake-world.ts';

interface Waiting {
  readonly atMs: number;
  readonly pass: () => void;
}

/** A world whose clock goes when a test moves it: what waited for a moment goes on when it has come. */
export class ClockWorld extends FakeWorld {
  #waiting: readonly Waiting[] = [];

  override readonly wait = (ms: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { atMs: this.clockMs + ms, pass: resolve };
    this.#waiting = [...this.#waiting, waiting];
    signal.addEventListener('abort', () => {
      this.#waiting = this.#waiting.filter(other => other !== waiting);
      reject(signal.reason);
    });
    return promise;
  };

  /** Lets so much time pass; whatever is due in it happens in its order. */
  async pass(ms: number): Promise<void> {
    const endMs = this.clockMs + ms;
    for (;;) {
      const due = this.#waiting.filter(({ atMs }) => atMs <= endMs).toSorted((one, other) => one.atMs - other.atMs)[0];
      if (due === undefined) break;
      this.#waiting = this.#waiting.filter(other => other !== due);
      this.clockMs = Math.max(this.clockMs, due.atMs);
      due.pass();
      await told();
    }
    this.clockMs = endMs;
    await told();
  }
}
