import { isSameRequest, type SentRequest } from '../../chain/api/sent-request.ts';

/** The last requests, and how often the log has changed. */
export interface LoggedRequests {
  readonly version: number;
  /** Newest first. */
  readonly requests: readonly SentRequest[];
}

export const MAX_LOGGED_REQUESTS = 500;

/** The last requests of a run. Recording one only costs an entry in a list; only waiting callers are notified. */
export class RequestRing {
  readonly #requests: SentRequest[] = [];
  #version = 0;
  #waiting = new Set<() => void>();

  /** A download is recorded twice: its end takes the place of its beginning. */
  record(facts: SentRequest): void {
    const begun = this.#requests.findLastIndex(
      other => other.outcome.kind === 'streaming' && isSameRequest(facts, other),
    );
    if (begun >= 0) this.#requests[begun] = facts;
    else this.#requests.push(facts);
    if (this.#requests.length > MAX_LOGGED_REQUESTS) this.#requests.shift();
    this.#version++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Resolves with all requests once there are newer ones than in this version; rejects when the signal aborts. */
  async after(version: number, signal: AbortSignal): Promise<LoggedRequests> {
    if (this.#version === version) await this.#next(signal);
    return { version: this.#version, requests: this.#requests.toReversed() };
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(wake);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.add(wake);
    });
  }
}
