import { randomFrom } from '../support/random-numbers.ts';

/** Chance that can be repeated. */
export interface Random {
  /** From 0 to below 1. */
  readonly next: () => number;
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
}

/** The chance of one trial: it does not depend on how many trials were made before it. */
export function randomOf(seed: number, index: number): Random {
  const next = randomFrom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35));
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick: items => {
      if (items.length === 0) throw new Error('there is nothing to pick from');
      return at(items, below(items.length));
    },
  };
}

/** The item at a place that is known to be there. */
export function at<Item>(items: readonly Item[], index: number): Item {
  for (const item of items.slice(index, index + 1)) return item;
  throw new Error(`there is nothing at ${index} of ${items.length}`);
}
