/** The node's rate limiter, from the headers of an answer: refill per second and tokens left. */
export interface RateFacts {
  readonly limitPerSecond?: number;
  readonly remaining?: number;
}

/**
 * One budget for all requests to a node. It never sends faster than the node refills, leaves tokens for other users, who
 * share the same bucket, and pauses after a 429 (node-behaviour.md section 2).
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

  /** Unix milliseconds when requests are allowed again; 0 when they are allowed now. */
  get blockedUntilMs(): number {
    return this.#blockedUntilMs > this.#nowMs() ? this.#blockedUntilMs : 0;
  }

  /** Takes one request from the budget; returns the milliseconds to wait before it may be sent. */
  take(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#perSecond) * 1000);
  }

  /** Updates the budget after a successful answer. What the node has left includes the time until then. */
  served(facts: RateFacts): void {
    this.#refill();
    this.#strikes = 0;
    if (facts.limitPerSecond !== undefined && facts.limitPerSecond > 0) this.#perSecond = facts.limitPerSecond;
    if (facts.remaining !== undefined) this.#tokens = Math.min(this.#tokens, facts.remaining);
  }

  #refill(): void {
    const now = this.#nowMs();
    // A clock that is set back must not take tokens away.
    const elapsedS = Math.max(0, now - this.#refilledAtMs) / 1000;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + elapsedS * this.#perSecond);
    this.#refilledAtMs = now;
  }

  /** Starts a pause after a 429 or a ban, `forMs` long if the node said so. Returns its end (Unix milliseconds). */
  refused(forMs?: number): number {
    this.#strikes = Math.min(this.#strikes + 1, 7);
    this.#blockedUntilMs = this.#nowMs() + (forMs ?? 1000 * 2 ** (this.#strikes - 1));
    return this.#blockedUntilMs;
  }
}
