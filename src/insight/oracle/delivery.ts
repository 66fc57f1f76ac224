import { hasEnded, lastDue, nextDue, type Schedule } from './schedule.ts';

/** All times in Unix seconds. */
export interface Timing {
  readonly schedules: readonly Schedule[];
  readonly now: bigint;
  /** When the spec was created; nothing was due before. */
  readonly since: bigint;
}

/** The latest time that any schedule was due, and the next. */
export interface Due {
  readonly last: bigint | undefined;
  readonly next: bigint | undefined;
}

export function dueTimes({ schedules, now, since }: Timing): Due {
  const last = extreme(
    schedules.map(schedule => lastDue(schedule, now)),
    (one, other) => one > other,
  );
  return {
    // A time of 0 means that none was sent.
    last: last === undefined || last < since || last <= 0n ? undefined : last,
    next: firstAfter(schedules, now),
  };
}

/** Whether the value that was due has arrived. */
export type Delivery =
  | { readonly kind: 'nothing-due' }
  | { readonly kind: 'arrived' }
  /** What arrived is unknown. */
  | { readonly kind: 'was-due'; readonly at: bigint }
  /** Not arrived yet, but not late either. `since` is the first missed time. */
  | { readonly kind: 'awaited'; readonly since: bigint }
  | { readonly kind: 'overdue'; readonly since: bigint }
  /** Missed since then for good: no later block fires it (protocol.md section 5.1). */
  | { readonly kind: 'ended'; readonly since: bigint };

/** When the last value arrived; `unknown` if the node does not say. */
export type Arrival = bigint | 'never' | 'unknown';

/** A value covers everything due up to its time. A value is late only after `patienceSeconds`. */
export function deliveryOf(timing: Timing, arrival: Arrival, patienceSeconds: bigint): Delivery {
  const { schedules, now, since } = timing;
  const { last } = dueTimes(timing);
  if (last === undefined) return { kind: 'nothing-due' };
  if (arrival === 'unknown') return { kind: 'was-due', at: last };
  if (arrival !== 'never' && arrival >= last) return { kind: 'arrived' };
  const beginning = arrival === 'never' || arrival < since ? since - 1n : arrival;
  const missed = firstAfter(schedules, beginning) ?? last;
  if (now - last > patienceSeconds && isOver(timing)) return { kind: 'ended', since: missed };
  return { kind: now - missed > patienceSeconds ? 'overdue' : 'awaited', since: missed };
}

/** Whether nothing is due any more because a trigger has ended. */
const isOver = ({ schedules, now }: Timing): boolean =>
  firstAfter(schedules, now) === undefined && schedules.some(schedule => hasEnded(schedule, now));

const firstAfter = (schedules: readonly Schedule[], time: bigint): bigint | undefined =>
  extreme(
    schedules.map(schedule => nextDue(schedule, time)),
    (one, other) => one < other,
  );

function extreme(
  times: readonly (bigint | undefined)[],
  isBetter: (one: bigint, other: bigint) => boolean,
): bigint | undefined {
  return times.reduce(
    (best, time) => (time !== undefined && (best === undefined || isBetter(time, best)) ? time : best),
    undefined,
  );
}
