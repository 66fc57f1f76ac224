/** The defaults are those of deployed nodes: 20/s, burst 100, ban of 600 s (node-behaviour.md section 2). */
export interface RateLimit {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** How long a client is banned if it continues after refusals; 0 for no ban. */
  readonly banSeconds: number;
}

type RateLimitVerdict =
  | { readonly kind: 'allowed'; readonly remaining: number }
  | { readonly kind: 'limited' }
  | { readonly kind: 'banned'; readonly retryAfterSeconds: number };

/**
 * One bucket for all clients: REST calls are counted under the address of the gateway (node-behaviour.md section 2).
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: () => number;
  readonly #requests: TokenBucket;
  readonly #refusals: TokenBucket;
  #bannedUntilMs = 0;

  constructor(limit: RateLimit, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
    this.#requests = new TokenBucket(limit, clock());
    this.#refusals = new TokenBucket(limit, clock());
  }

  take(): RateLimitVerdict {
    const nowMs = this.#clock();
    if (nowMs < this.#bannedUntilMs) return this.#banned(nowMs);
    if (this.#requests.take(nowMs)) return { kind: 'allowed', remaining: this.#requests.remaining };
    if (this.#refusals.take(nowMs) || this.#limit.banSeconds === 0) return { kind: 'limited' };
    this.#bannedUntilMs = nowMs + this.#limit.banSeconds * 1000;
    return this.#banned(nowMs);
  }

  #banned(nowMs: number): RateLimitVerdict {
    return { kind: 'banned', retryAfterSeconds: Math.floor((this.#bannedUntilMs - nowMs) / 1000) };
  }
}

class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #filledAtMs: number;

  constructor(limit: RateLimit, nowMs: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#filledAtMs = nowMs;
  }

  get remaining(): number {
    return Math.floor(this.#tokens);
  }

  take(nowMs: number): boolean {
    const earned = ((nowMs - this.#filledAtMs) / 1000) * this.#limit.ratePerSecond;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + Math.max(0, earned));
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
