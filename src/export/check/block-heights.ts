import type { Fault } from './verdict.ts';

/** Where the rows of `blocks` leave the one row per height, in order, that its range promises. */
export class BlockHeights {
  readonly #toBlock: bigint;
  readonly #onFault: (fault: Fault, text: () => string) => void;
  #next: bigint;
  /** How `#next` is written, which is how nearly every row has it. */
  #nextText: string;

  /** The text of a fault is asked for while it is told, or never. */
  constructor(fromBlock: bigint, toBlock: bigint, onFault: (fault: Fault, text: () => string) => void) {
    this.#next = fromBlock;
    this.#nextText = String(fromBlock);
    this.#toBlock = toBlock;
    this.#onFault = onFault;
  }

  take(text: string): void {
    if (text === this.#nextText && this.#next <= this.#toBlock) this.#expect(this.#next + 1n);
    else this.#takeOther(text);
  }

  end(): void {
    if (this.#next <= this.#toBlock) this.#missing(this.#toBlock);
  }

  #takeOther(text: string): void {
    const height = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
    if (height === undefined) this.#onFault('height', () => 'holds no block height');
    else if (height > this.#toBlock) this.#onFault('height', () => `is of block ${height}, outside the range`);
    else if (height === this.#next) this.#expect(height + 1n);
    else if (height < this.#next) {
      this.#onFault('height', () => `repeats block ${height} or has it out of order`);
    } else {
      this.#missing(height - 1n);
      this.#expect(height + 1n);
    }
  }

  #expect(next: bigint): void {
    this.#next = next;
    this.#nextText = String(next);
  }

  #missing(last: bigint): void {
    const next = this.#next;
    const which = next === last ? `block ${last} is` : `blocks ${next} to ${last} are`;
    this.#onFault('missing-rows', () => `${which} missing: the node dropped rows of a segment without saying so`);
  }
}
