/** What the node told of its limiter with an answer: tokens left, and the refill per second. */
export interface RateFacts {
  readonly limitPerSecond?: number;
  readonly remaining?: number;
}

/**
 * One budget for everything this program asks of a node. It never sends faster than the node refills, leaves tokens
 * for the node's other users (they share one bucket, node-behaviour.md section 2) and stays silent after a 429.
 */
export class RateBudget {
  #blockedUntilMs = 0;
  #strikes = 0;
  #tokens: number;
  #refilledAtMs: number;
  #perSecond: number;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number, perSecond = 20) {
    this.#nowMs = nowMs;
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#refilledAtMs = nowMs();
  }

  /** When requests are allowed again, Unix milliseconds; 0 when they are allowed now. */
  get blockedUntilMs(): number {
    return this.#blockedUntilMs > this.#nowMs() ? this.#blockedUntilMs : 0;
  }

  /** Takes one request from the budget; returns the milliseconds to wait before it may be sent. */
  take(): number {
    const now = this.#nowMs();
    // A clock that is set back gives no time and takes none.
    const elapsedS = Math.max(0, now - this.#refilledAtMs) / 1000;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + elapsedS * this.#perSecond);
    this.#refilledAtMs = now;
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#perSecond) * 1000);
  }

  /** Learns from an answer that was served. */
  served(facts: RateFacts): void {
    this.#strikes = 0;
    if (facts.limitPerSecond !== undefined && facts.limitPerSecond > 0) this.#perSecond = facts.limitPerSecond;
    if (facts.remaining !== undefined) this.#tokens = Math.min(this.#tokens, facts.remaining);
  }

  /** Learns from a 429 or a ban; `forMs` when the node said how long. Returns the end of the silence. */
  refused(forMs?: number): number {
    this.#strikes = Math.min(this.#strikes + 1, 7);
    this.#blockedUntilMs = this.#nowMs() + (forMs ?? 1000 * 2 ** (this.#strikes - 1));
    return this.#blockedUntilMs;
  }
}
