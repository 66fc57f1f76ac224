/** An answer as it is passed on: bytes that nobody looked into. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

interface Stored {
  readonly answer: ProxiedAnswer;
  readonly bornMs: number;
  readonly freshUntilMs: number;
  readonly bytes: number;
}

/** About what an entry takes beside its key and body. */
const ENTRY_BYTES = 1024;

/** Answers by request, bounded in bytes: the one that was used longest ago goes first. */
export class AnswerCache {
  readonly #limitBytes: number;
  readonly #nowMs: () => number;
  /** The most recently used last. */
  readonly #stored = new Map<string, Stored>();
  #bytes = 0;

  /** `nowMs` must not go back. */
  constructor(limitBytes: number, nowMs: () => number) {
    this.#limitBytes = limitBytes;
    this.#nowMs = nowMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A fresh answer and its age in ms. */
  get(key: string): { readonly answer: ProxiedAnswer; readonly ageMs: number } | undefined {
    const stored = this.#stored.get(key);
    if (stored === undefined) return undefined;
    this.#delete(key);
    const now = this.#nowMs();
    if (now >= stored.freshUntilMs) return undefined;
    this.#put(key, stored);
    return { answer: stored.answer, ageMs: now - stored.bornMs };
  }

  /** Stores an answer that was `ageMs` old when it arrived, for as long as it is fresh. One larger than a quarter of the cache is not stored. */
  set(
    key: string,
    answer: ProxiedAnswer,
    { freshMs, ageMs }: { readonly freshMs: number; readonly ageMs: number },
  ): void {
    this.#delete(key);
    const bytes = answer.body.byteLength + key.length + ENTRY_BYTES;
    if (ageMs >= freshMs || bytes > this.#limitBytes / 4) return;
    const bornMs = this.#nowMs() - ageMs;
    this.#put(key, { answer, bornMs, freshUntilMs: bornMs + freshMs, bytes });
    for (const oldest of this.#stored.keys()) {
      if (this.#bytes <= this.#limitBytes) break;
      this.#delete(oldest);
    }
  }

  #put(key: string, stored: Stored): void {
    this.#stored.set(key, stored);
    this.#bytes += stored.bytes;
  }

  #delete(key: string): void {
    this.#bytes -= this.#stored.get(key)?.bytes ?? 0;
    this.#stored.delete(key);
  }
}
