import type { Condition, DataSource } from './data-source.ts';
import { hasEnded, lastDue, nextDue, type Schedule, triggerSchedule } from './schedule.ts';
import { readSeconds } from './unix-seconds.ts';

/** All times in Unix seconds. */
export interface Timing {
  readonly schedules: readonly Schedule[];
  readonly now: bigint;
  /** When the spec was created; nothing was due before. */
  readonly since: bigint;
}

/** The latest time that any schedule was due, and the next. */
export interface DueTimes {
  readonly last: bigint | undefined;
  readonly next: bigint | undefined;
}

export function dueTimes({ schedules, now, since }: Timing): DueTimes {
  const last = extreme(
    schedules.map(schedule => lastDue(schedule, now)),
    (one, other) => one > other,
  );
  return {
    // A time of 0 means that none was sent.
    last: last === undefined || last < since || last <= 0n ? undefined : last,
    next: firstDueAfter(schedules, now),
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

/** When the last value arrived; `unknown` if the node does not report it. */
export type Arrival = bigint | 'never' | 'unknown';

/** A value covers everything due up to its time. A value is late only after `patienceSeconds`. */
export function computeDelivery(timing: Timing, arrival: Arrival, patienceSeconds: bigint): Delivery {
  const { schedules, now, since } = timing;
  const { last } = dueTimes(timing);
  if (last === undefined) return { kind: 'nothing-due' };
  if (arrival === 'unknown') return { kind: 'was-due', at: last };
  if (arrival !== 'never' && arrival >= last) return { kind: 'arrived' };
  const beginning = arrival === 'never' || arrival < since ? since - 1n : arrival;
  const missed = firstDueAfter(schedules, beginning) ?? last;
  if (now - last > patienceSeconds && hasEndedForGood(timing)) return { kind: 'ended', since: missed };
  return { kind: now - missed > patienceSeconds ? 'overdue' : 'awaited', since: missed };
}

/** Whether nothing more is due because a trigger has ended. */
const hasEndedForGood = ({ schedules, now }: Timing): boolean =>
  firstDueAfter(schedules, now) === undefined && schedules.some(schedule => hasEnded(schedule, now));

const firstDueAfter = (schedules: readonly Schedule[], time: bigint): bigint | undefined =>
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

/** The schedules of a source, as its record gives them; `since` is when the spec was created, in Unix seconds. */
export function sourceSchedules(source: DataSource, since: bigint): readonly Schedule[] {
  switch (source.variant) {
    case 'eth-oracle': {
      const clock = source.sourceChainId === MAINNET ? 'mainnet' : 'contract';
      return source.triggers.map(trigger => triggerSchedule(trigger, clock));
    }
    case 'time-trigger':
      return source.triggers.slice(0, 1).map(trigger => triggerSchedule(trigger, 'chain'));
    case 'time':
      return chainTime(source.conditions[0], since);
    case 'oracle':
    case 'none':
      return [];
  }
}

const MAINNET = '1';

// The chain checks only the first time condition (protocol.md section 5.2), at each block.
function chainTime(condition: Condition | undefined, since: bigint): readonly Schedule[] {
  const seconds = condition === undefined ? undefined : readSeconds(condition.value);
  if (condition === undefined || seconds === undefined) return [];
  switch (condition.operator) {
    case 'OPERATOR_EQUALS':
      return [{ kind: 'exactly', at: seconds }];
    case 'OPERATOR_GREATER_THAN_OR_EQUAL':
      return [{ kind: 'once', at: seconds > since ? seconds : since }];
    case 'OPERATOR_GREATER_THAN':
      return [{ kind: 'once', at: seconds + 1n > since ? seconds + 1n : since }];
  }
  return [];
}

/** Conditions and triggers that the core ignores, because only the first counts (protocol.md section 5.2). */
export function ignoredParts(source: DataSource): {
  readonly conditions: readonly Condition[];
  readonly triggers: number;
} {
  return {
    conditions: source.variant === 'time' ? source.conditions.slice(1) : [],
    triggers: source.variant === 'time-trigger' ? Math.max(0, source.triggers.length - 1) : 0,
  };
}

/** How many seconds after its due time a value may arrive without being late. */
export function patienceFor(source: DataSource): bigint {
  if (source.variant !== 'eth-oracle') return A_MINUTE;
  const confirmations = readSeconds(source.requiredConfirmations) ?? 0n;
  return A_MINUTE + confirmations * SECONDS_A_BLOCK;
}

const A_MINUTE = 60n;

// On Ethereum; other widely used chains are faster.
const SECONDS_A_BLOCK = 12n;
