import type { Chain, DemoScale } from './chain.ts';

/** The chains used last whose things are held. */
const MAX_CACHED_CHAINS = 4;

/** Data that depends only on the seed of a chain and its scale, not on time: nodes of one process share it. */
export class ChainCache<T> {
  readonly #make: (chain: Chain, scale: DemoScale) => T;
  readonly #made = new Map<string, T>();

  constructor(make: (chain: Chain, scale: DemoScale) => T) {
    this.#make = make;
  }

  of(chain: Chain, scale: DemoScale): T {
    const key = [chain.seed, chain.isLive, scale.provisions, scale.history].join('/');
    const made = this.#made.get(key) ?? this.#make(chain, scale);
    this.#made.delete(key);
    this.#made.set(key, made);
    for (const oldest of [...this.#made.keys()].slice(0, -MAX_CACHED_CHAINS)) this.#made.delete(oldest);
    return made;
  }
}
