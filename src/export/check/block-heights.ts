import type { Fault } from './verdict.ts';

/** Where the rows of `blocks` leave the one row per height, in order, that its range promises. */
export class BlockHeights {
  readonly #toBlock: bigint;
  readonly #onFault: (fault: Fault, text: string) => void;
  #next: bigint;

  constructor(fromBlock: bigint, toBlock: bigint, onFault: (fault: Fault, text: string) => void) {
    this.#next = fromBlock;
    this.#toBlock = toBlock;
    this.#onFault = onFault;
  }

  take(text: string): void {
    const height = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
    if (height === undefined) this.#onFault('height', 'holds no block height');
    else if (height > this.#toBlock) this.#onFault('height', `is of block ${height}, outside the range`);
    else if (height === this.#next) this.#next++;
    else if (height < this.#next) this.#onFault('height', `repeats block ${height} or has it out of order`);
    else {
      this.#missing(height - 1n);
      this.#next = height + 1n;
    }
  }

  end(): void {
    if (this.#next <= this.#toBlock) this.#missing(this.#toBlock);
  }

  #missing(last: bigint): void {
    const which = this.#next === last ? `block ${last} is` : `blocks ${this.#next} to ${last} are`;
    this.#onFault('missing-rows', `${which} missing: the node dropped rows of a segment without saying so`);
  }
}
