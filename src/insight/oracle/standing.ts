import { hasEnded, lastDue, nextDue, type Schedule } from './schedule.ts';

/** All times in Unix seconds. */
export interface Timing {
  readonly schedules: readonly Schedule[];
  readonly now: bigint;
  /** The spec was not there before; what was due earlier was never due for it. */
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
    // Nobody sent a time where 0 came of it.
    last: last === undefined || last < since || last <= 0n ? undefined : last,
    next: firstAfter(schedules, now),
  };
}

/** Whether what was due has come, as far as can be known. */
export type Standing =
  | { readonly kind: 'nothing-due' }
  | { readonly kind: 'arrived' }
  /** Nobody said what arrived. */
  | { readonly kind: 'was-due'; readonly at: bigint }
  /** Not yet, but it is not late either. `since` is the first time that has been missed. */
  | { readonly kind: 'awaited'; readonly since: bigint }
  | { readonly kind: 'overdue'; readonly since: bigint }
  /** What was missed since then does not come any more: no later block fires it (protocol.md section 5.1). */
  | { readonly kind: 'ended'; readonly since: bigint };

/** What arrived last: its time, `never`, or `unknown` where the node does not say. */
export type Arrival = bigint | 'never' | 'unknown';

/** A value of that time stands for all that was due until then. For so many seconds after it was due it is not late. */
export function standingOf(timing: Timing, arrival: Arrival, patienceSeconds: bigint): Standing {
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

/** Whether nothing is due any more because the time of a trigger is up. */
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
