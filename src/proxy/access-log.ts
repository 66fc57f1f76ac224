import type { Outcome } from './metrics.ts';

/** One request, for the log. */
export interface LoggedRequest {
  readonly client: string;
  readonly path: string;
  /** The query; logged only if that is wanted, because it has the ids that people look for. */
  readonly query: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  readonly bytes: number;
  readonly failure?: string | undefined;
}

/** Lines that may wait for a slow reader of the log. */
const MOST_WAITING = 1000;

/** Writes a JSON line for each request. Lines that a slow reader leaves no room for are counted, not kept. */
export class AccessLog {
  readonly #write: (line: string) => Promise<void>;
  readonly #hasFilters: boolean;
  #waiting = 0;
  #lost = 0;

  constructor(write: (line: string) => Promise<void>, hasFilters: boolean) {
    this.#write = write;
    this.#hasFilters = hasFilters;
  }

  add({ client, path, query, status, outcome, elapsedMs, bytes, failure }: LoggedRequest): void {
    this.line({
      time: new Date().toISOString(),
      client,
      path,
      ...(this.#hasFilters && query !== '' && { query }),
      status,
      outcome,
      ms: Math.round(elapsedMs),
      bytes,
      ...(failure !== undefined && { failure }),
    });
  }

  line(members: { readonly [name: string]: string | number }): void {
    if (this.#waiting >= MOST_WAITING) {
      this.#lost++;
      return;
    }
    const lost = this.#lost === 0 ? {} : { lostLines: this.#lost };
    this.#lost = 0;
    this.#waiting++;
    void this.#write(JSON.stringify({ ...members, ...lost })).finally(() => this.#waiting--);
  }
}
