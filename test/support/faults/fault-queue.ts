import type { Fault, Strike } from './fault.ts';
import type { WantedFault } from './fault-list.ts';

/** The faults that apply to one answer, call or export. */
export interface Meeting {
  readonly waitMs: number;
  readonly strike: Strike | undefined;
  /** The value given with the fault; 0 without one. */
  readonly value: number;
}

/** The requested faults in order, with how often each may still happen. */
export class FaultQueue {
  readonly #waiting: { readonly wanted: WantedFault; left: number }[];

  constructor(wanted: readonly WantedFault[]) {
    this.#waiting = wanted.map(wanted => ({ wanted, left: wanted.count }));
  }

  /** Takes the faults that happen now: every delay, and the first of the others that is not used up. */
  take(on: Fault['on']): Meeting {
    let waitMs = 0;
    let strike: Strike | undefined;
    let value = 0;
    for (const item of this.#waiting) {
      const { fault } = item.wanted;
      if (fault.on !== on || item.left === 0) continue;
      if (fault.strike.kind === 'wait') waitMs += item.wanted.value;
      else if (strike) continue;
      else {
        strike = fault.strike;
        value = item.wanted.value;
      }
      item.left--;
    }
    return { waitMs, strike, value };
  }
}
