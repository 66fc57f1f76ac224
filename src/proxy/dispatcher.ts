import type { RateBudget } from '../api/rate-budget.ts';
import { FairQueue } from './fair-queue.ts';

/** A request that waits for its turn. */
interface Waiting {
  /** Called when it is its turn. Resolves when the next of its client may run. */
  readonly run: () => Promise<void>;
  /** Called instead when the node wants a pause longer than anyone would wait. */
  readonly refuse: (pauseMs: number) => void;
}

/** Requests to the node at the same time. */
const SLOTS = 8;
const LIMITS = { perClient: 64, inAll: 1024, runningPerClient: SLOTS / 2 } as const;
/** The longest pause that requests wait for. */
const SHORT_PAUSE_MS = 5_000;

/** Sends waiting requests one after another: as fast as the budget allows, and in the order that is fair. */
export class Dispatcher {
  readonly #budget: RateBudget;
  readonly #nowMs: () => number;
  readonly #queue = new FairQueue(LIMITS);
  readonly #requests = new Map<string, Waiting>();
  #running = 0;
  #hasToken = false;
  #timer: NodeJS.Timeout | undefined;

  /** `nowMs` is the clock of the budget. */
  constructor(budget: RateBudget, nowMs: () => number) {
    this.#budget = budget;
    this.#nowMs = nowMs;
  }

  /** False when too many wait. Of several clients with one key, `request` of the first is used. */
  push(client: string, { key, cost }: { readonly key: string; readonly cost: number }, request: Waiting): boolean {
    if (!this.#queue.push(client, key, cost)) return false;
    if (!this.#requests.has(key)) this.#requests.set(key, request);
    this.#pump();
    return true;
  }

  /** The client no longer waits for it. */
  remove(client: string, key: string): void {
    this.#queue.remove(client, key);
    if (!this.#queue.has(key)) this.#requests.delete(key);
  }

  lengths(): readonly (readonly [client: string, waiting: number])[] {
    return this.#queue.lengths();
  }

  /** Milliseconds until requests are sent again, if that is longer than anyone would wait. */
  get longPauseMs(): number {
    const pauseMs = this.#budget.blockedUntilMs === 0 ? 0 : this.#budget.blockedUntilMs - this.#nowMs();
    return pauseMs > SHORT_PAUSE_MS ? pauseMs : 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #pump(): void {
    while (this.#timer === undefined && this.#running < SLOTS && this.#queue.hasNext) {
      const delayMs = this.#delayMs();
      if (delayMs > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#pump();
        }, delayMs);
        return;
      }
      this.#start();
    }
  }

  /** How long to wait before the next request. A token that was taken is kept for it. */
  #delayMs(): number {
    const until = this.#budget.blockedUntilMs;
    if (until > 0) return Math.max(1, until - this.#nowMs());
    if (this.#hasToken) return 0;
    this.#hasToken = true;
    return this.#budget.take();
  }

  #start(): void {
    const next = this.#queue.next();
    const request = next === undefined ? undefined : this.#requests.get(next.key);
    if (next === undefined || request === undefined) return;
    this.#hasToken = false;
    this.#requests.delete(next.key);
    this.#running++;
    void request.run().finally(() => {
      this.#running--;
      this.#queue.ended(next.client);
      this.#refuseWaiting();
      this.#pump();
    });
  }

  #refuseWaiting(): void {
    const pauseMs = this.longPauseMs;
    if (pauseMs === 0) return;
    for (const key of this.#queue.clear()) {
      const request = this.#requests.get(key);
      this.#requests.delete(key);
      request?.refuse(pauseMs);
    }
  }
}
