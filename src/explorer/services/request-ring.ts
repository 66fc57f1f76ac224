import { isSameRequest, type RequestFacts } from '../../api/request-facts.ts';

/** What was told of the last requests, and how often anything was. */
export interface ToldRequests {
  readonly version: number;
  /** Newest first. */
  readonly requests: readonly RequestFacts[];
}

export const MOST_TOLD = 500;

/** The last requests of a run. Being told costs a place in a list; nobody is told on but who waits. */
export class RequestRing {
  readonly #requests: RequestFacts[] = [];
  #version = 0;
  #waiting = new Set<() => void>();

  /** A download is told of twice: its end takes the place of its beginning. */
  told(facts: RequestFacts): void {
    const begun = this.#requests.findLastIndex(
      other => other.outcome.kind === 'streaming' && isSameRequest(facts, other),
    );
    if (begun >= 0) this.#requests[begun] = facts;
    else this.#requests.push(facts);
    if (this.#requests.length > MOST_TOLD) this.#requests.shift();
    this.#version++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const tell of waiting) tell();
  }

  /** Resolves with all of them once there is more than by this version; rejects when the signal aborts. */
  async after(version: number, signal: AbortSignal): Promise<ToldRequests> {
    if (this.#version === version) await this.#next(signal);
    return { version: this.#version, requests: this.#requests.toReversed() };
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const tell = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(tell);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(tell);
    });
  }
}
