import { hash } from 'node:crypto';

/** 64 hex digits that depend only on the label: the ids, hashes and keys of the demo chain. */
export function seededHex(label: string): string {
  return hash('sha256', label, 'hex');
}

/** An Ethereum address in lower case, as data nodes return it (node-behaviour.md section 1.5). */
export function seededAddress(label: string): string {
  return `0x${seededHex(label).slice(0, 40)}`;
}

/** A random number generator: the same label always gives the same numbers. */
export class Dice {
  #state: number;

  constructor(label: string) {
    this.#state = Number.parseInt(seededHex(label).slice(0, 8), 16);
  }

  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number {
    // mulberry32: 32 bits of state are plenty for a demo and cost no hash per throw.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  between(lowest: number, highest: number): number {
    return lowest + this.below(highest - lowest + 1);
  }

  /** True `share` times in a hundred. */
  chance(share: number): boolean {
    return this.below(100) < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0];
  }

  /** A positive decimal integer with exactly `count` digits, also beyond 2^53. */
  digits(count: number): string {
    let text = String(this.between(1, 9));
    while (text.length < count)
      text += String(this.below(1000))
        .padStart(3, '0')
        .slice(0, count - text.length);
    return text;
  }
}
