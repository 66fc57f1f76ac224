import { periodInWords, readSeconds, secondsToUtc } from './unix-seconds.ts';

/** As sent, in Unix seconds; '' if not sent. Without `every`, or with 0, it does not repeat; without `until`, or with 0, it does not end. */
export interface Trigger {
  readonly initial: string;
  readonly every: string;
  readonly until: string;
}

/** When a trigger fires. */
export type Schedule =
  | { readonly kind: 'once'; readonly at: bigint }
  /** Only a block at exactly that second meets it. */
  | { readonly kind: 'exactly'; readonly at: bigint }
  | {
      readonly kind: 'every';
      readonly from: bigint;
      readonly every: bigint;
      readonly until: bigint | undefined;
      /** The last time that a block up to `until` can meet. */
      readonly lastOne: bigint | undefined;
    }
  /** It repeats, but the start time was not sent. */
  | { readonly kind: 'sometime'; readonly every: bigint }
  | { readonly kind: 'never' }
  | { readonly kind: 'unreadable' };

/** The clock of a trigger: blocks of Ethereum mainnet, blocks of another chain that is called, or the chain's own time. */
export type Clock = 'mainnet' | 'contract' | 'chain';

/**
 * The schedule of a trigger. Contract calls without a first time count from 0; the chain's own clock needs one
 * (node-behaviour.md section 5).
 */
export function triggerSchedule(trigger: Trigger, clock: Clock): Schedule {
  const [initial, every, until] = [trigger.initial, trigger.every, trigger.until].map(numberOrUnset);
  if (initial === undefined || every === undefined || until === undefined) return { kind: 'unreadable' };
  if (initial < 0n || every < 0n || until < 0n) return { kind: 'unreadable' };
  if (every === 0n) return initial === 0n ? { kind: 'never' } : { kind: 'once', at: initial };
  if (initial === 0n && clock === 'chain') return { kind: 'sometime', every };
  if (until === 0n) return { kind: 'every', from: initial, every, until: undefined, lastOne: undefined };
  const end = clock === 'mainnet' ? lastSlot(until) : until;
  // The first time counts even if it is after the end, which only limits repetitions.
  const lastOne = end < initial ? initial : initial + ((end - initial) / every) * every;
  return { kind: 'every', from: initial, every, until, lastOne };
}

const numberOrUnset = (text: string): bigint | undefined => (text === '' ? 0n : readSeconds(text));

/** The last second up to this one that an Ethereum mainnet block can have (protocol.md section 5.1). */
const lastSlot = (second: bigint): bigint => second - ((second - SLOT_OFFSET + SLOT_SECONDS) % SLOT_SECONDS);

const SLOT_SECONDS = 12n;
const SLOT_OFFSET = 11n;

/** The last time it was due by `now`, in Unix seconds; undefined if never. */
export function lastDue(schedule: Schedule, now: bigint): bigint | undefined {
  switch (schedule.kind) {
    case 'once':
    case 'exactly':
      return schedule.at <= now ? schedule.at : undefined;
    case 'every': {
      const { from, every, lastOne } = schedule;
      if (now < from) return undefined;
      return lastOne !== undefined && now >= lastOne ? lastOne : from + ((now - from) / every) * every;
    }
    case 'sometime':
    case 'never':
    case 'unreadable':
      return undefined;
  }
}

/** The first time it is due after `now`; undefined if never. */
export function nextDue(schedule: Schedule, now: bigint): bigint | undefined {
  switch (schedule.kind) {
    case 'once':
    case 'exactly':
      return schedule.at > now ? schedule.at : undefined;
    case 'every': {
      const { from, every, lastOne } = schedule;
      if (now < from) return from;
      const next = from + ((now - from) / every + 1n) * every;
      return lastOne === undefined || next <= lastOne ? next : undefined;
    }
    case 'sometime':
    case 'never':
    case 'unreadable':
      return undefined;
  }
}

/** Whether its `until` has passed, so that no block fires it again. */
export const hasEnded = (schedule: Schedule, now: bigint): boolean =>
  schedule.kind === 'every' && schedule.until !== undefined && now > schedule.until && now >= schedule.from;

/** A warning about when a schedule can be met; '' for none. */
export function scheduleWarning(schedule: Schedule): string {
  if (schedule.kind === 'exactly') return 'only a block at exactly that second fires it: it may never fire';
  if (schedule.kind !== 'every' || schedule.until === undefined || schedule.lastOne === undefined) return '';
  const { from, every, until, lastOne } = schedule;
  if (until < from) return 'it ends before its first time, so it fires once';
  if (lastOne + every <= until)
    return `never at ${secondsToUtc(lastOne + every)}: it ends before the next block of Ethereum`;
  return lastOne === until && lastOne > from ? 'the last one needs a block at exactly that second' : '';
}

/** The schedule as text, such as `once, at 2026-11-20 15:00:00 UTC`. */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
      return `once, at ${secondsToUtc(schedule.at)}`;
    case 'exactly':
      return `at the block of ${secondsToUtc(schedule.at)}, if there is one`;
    case 'every': {
      const { from, every, until } = schedule;
      const start = from === 0n ? 'counted from 1970' : `from ${secondsToUtc(from)}`;
      const end = until === undefined ? 'indefinitely' : `until ${secondsToUtc(until)}`;
      return `every ${periodInWords(every)} ${end}, ${start}`;
    }
    case 'sometime':
      return `every ${periodInWords(schedule.every)}, start time not given`;
    case 'never':
      return 'never: no time is given';
    case 'unreadable':
      return 'its times cannot be read';
  }
}

/** `every 1 h`, `once at 2026-11-20 15:00:00 UTC`. */
export function briefSchedule(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
    case 'exactly':
      return `once at ${secondsToUtc(schedule.at)}`;
    case 'every':
    case 'sometime':
      return `every ${periodInWords(schedule.every)}`;
    case 'never':
      return 'never';
    case 'unreadable':
      return 'at times that cannot be read';
  }
}
