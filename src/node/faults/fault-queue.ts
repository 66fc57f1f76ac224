import type { Fault, Strike } from './fault.ts';
import type { WantedFault } from './fault-list.ts';

/** What meets one answer, call or export. */
export interface Meeting {
  readonly waitMs: number;
  readonly strike: Strike | undefined;
  /** What was given with the strike; 0 without one. */
  readonly value: number;
}

/** The faults in force, in the order they were given, with how often each may still strike. */
export class FaultQueue {
  readonly #waiting: { readonly wanted: WantedFault; left: number }[];

  constructor(wanted: readonly WantedFault[]) {
    this.#waiting = wanted.map(wanted => ({ wanted, left: wanted.count }));
  }

  /** Spends what strikes now: every delay, and of the rest the first that has some left. */
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
