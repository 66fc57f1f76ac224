/** The node's rate limiter, from the headers of an answer: refill per second and tokens left. */
export interface RateHeaders {
  readonly limitPerSecond?: number;
  readonly remaining?: number;
}

/**
 * One budget for all requests to a node. It never sends faster than the node refills, leaves tokens for other users, who
 * share the same bucket, and pauses when none is left and after a 429 (node-behaviour.md section 2).
 */
export class RateBudget {
  #blockedUntilMs = 0;
  #emptyUntilMs = Number.NEGATIVE_INFINITY;
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
    const spacedMs = this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / this.#perSecond) * SECOND_MS);
    // A clock that is set back must not make it longer.
    return Math.max(spacedMs, Math.min(this.#emptyUntilMs - this.#nowMs(), SECOND_MS));
  }

  /** Updates the budget after a successful answer. What the node has left includes the time until then. */
  served(facts: RateHeaders): void {
    this.#refill();
    this.#strikes = 0;
    if (facts.limitPerSecond !== undefined && facts.limitPerSecond > 0) this.#perSecond = facts.limitPerSecond;
    if (facts.remaining === undefined) return;
    this.#tokens = Math.min(this.#tokens, facts.remaining);
    // Some count the requests of the last second instead of refilling a bucket.
    if (facts.remaining < 1) this.#emptyUntilMs = this.#nowMs() + SECOND_MS;
  }

  #refill(): void {
    const now = this.#nowMs();
    // A clock that is set back must not take tokens away.
    const elapsedS = Math.max(0, now - this.#refilledAtMs) / SECOND_MS;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + elapsedS * this.#perSecond);
    this.#refilledAtMs = now;
  }

  /**
   * Starts a pause after a 429 or a ban, for `forMs` if the node gives it. Requests that were refused together count as
   * one refusal. Returns its end (Unix milliseconds).
   */
  refused(forMs?: number): number {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 0);
    if (this.blockedUntilMs === 0) this.#strikes = Math.min(this.#strikes + 1, 7);
    const untilMs = this.#nowMs() + (forMs ?? SECOND_MS * 2 ** (this.#strikes - 1));
    this.#blockedUntilMs = Math.max(this.blockedUntilMs, untilMs);
    return this.#blockedUntilMs;
  }
}

const SECOND_MS = 1000;
