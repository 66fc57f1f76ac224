import { periodInWords, readSeconds, utcOfSeconds } from './unix-seconds.ts';

/** As sent, in Unix seconds; '' is not sent. Neither absent `every` nor 0 repeats, neither absent `until` nor 0 ends. */
export interface Trigger {
  readonly initial: string;
  readonly every: string;
  readonly until: string;
}

/** When a trigger is due. */
export type Schedule =
  | { readonly kind: 'once'; readonly at: bigint }
  /** Only a block of that very second meets it. */
  | { readonly kind: 'exactly'; readonly at: bigint }
  | {
      readonly kind: 'every';
      readonly from: bigint;
      readonly every: bigint;
      readonly until: bigint | undefined;
      /** The last time that a block not later than `until` can meet. */
      readonly lastOne: bigint | undefined;
    }
  /** It repeats, from a time that nobody has sent. */
  | { readonly kind: 'sometime'; readonly every: bigint }
  | { readonly kind: 'never' }
  | { readonly kind: 'unreadable' };

/** What a trigger is counted by: the blocks of Ethereum's main chain, those of another one that is called, or the chain's own clock. */
export type Clock = 'mainnet' | 'contract' | 'chain';

/**
 * The schedule of a trigger. Calls of a contract count from 0 where they have no first time; the chain's own clock has
 * to be told one (node-lists.md section 5).
 */
export function scheduleOf(trigger: Trigger, clock: Clock): Schedule {
  const [initial, every, until] = [trigger.initial, trigger.every, trigger.until].map(numberOrUnset);
  if (initial === undefined || every === undefined || until === undefined) return { kind: 'unreadable' };
  if (initial < 0n || every < 0n || until < 0n) return { kind: 'unreadable' };
  if (every === 0n) return initial === 0n ? { kind: 'never' } : { kind: 'once', at: initial };
  if (initial === 0n && clock === 'chain') return { kind: 'sometime', every };
  if (until === 0n) return { kind: 'every', from: initial, every, until: undefined, lastOne: undefined };
  const end = clock === 'mainnet' ? lastSlot(until) : until;
  // The first time counts though it is behind the end: the end is asked of repetitions alone.
  const lastOne = end < initial ? initial : initial + ((end - initial) / every) * every;
  return { kind: 'every', from: initial, every, until, lastOne };
}

const numberOrUnset = (text: string): bigint | undefined => (text === '' ? 0n : readSeconds(text));

/** The last second not after this one that a block of Ethereum's main chain can have (protocol.md section 5.1). */
const lastSlot = (second: bigint): bigint => second - ((second - SLOT_OFFSET + SLOT_SECONDS) % SLOT_SECONDS);

const SLOT_SECONDS = 12n;
const SLOT_OFFSET = 11n;

/** The last time it was due by then, in Unix seconds; undefined when there was none. */
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

/** The first time that it is due after then; undefined when there is none. */
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

/** Whether its `until` is over: no block fires it again. */
export const hasEnded = (schedule: Schedule, now: bigint): boolean =>
  schedule.kind === 'every' && schedule.until !== undefined && now > schedule.until && now >= schedule.from;

/** What is odd about when a schedule can be met, in a sentence; '' where nothing is. */
export function remarkOn(schedule: Schedule): string {
  if (schedule.kind === 'exactly') return 'only a block of exactly that second fires it: it may be missed for good';
  if (schedule.kind !== 'every' || schedule.until === undefined || schedule.lastOne === undefined) return '';
  const { from, every, until, lastOne } = schedule;
  if (until < from) return 'its end is before its first time: it fires once';
  if (lastOne + every <= until)
    return `never at ${utcOfSeconds(lastOne + every)}: it ends before the next block of Ethereum`;
  return lastOne === until && lastOne > from ? 'the last one needs a block of exactly that second' : '';
}

/** `every 1 h for ever, from 2026-11-20 15:00:00 UTC`. */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
      return `once, at ${utcOfSeconds(schedule.at)}`;
    case 'exactly':
      return `at the block of ${utcOfSeconds(schedule.at)}, if there is one`;
    case 'every': {
      const { from, every, until } = schedule;
      const start = from === 0n ? 'counted from 1970' : `from ${utcOfSeconds(from)}`;
      const end = until === undefined ? 'for ever' : `until ${utcOfSeconds(until)}`;
      return `every ${periodInWords(every)} ${end}, ${start}`;
    }
    case 'sometime':
      return `every ${periodInWords(schedule.every)}, from when is not said`;
    case 'never':
      return 'never: it has no time';
    case 'unreadable':
      return 'its times cannot be read';
  }
}

/** `every 1 h`, `once at 2026-11-20 15:00:00 UTC`. */
export function briefSchedule(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
    case 'exactly':
      return `once at ${utcOfSeconds(schedule.at)}`;
    case 'every':
    case 'sometime':
      return `every ${periodInWords(schedule.every)}`;
    case 'never':
      return 'never';
    case 'unreadable':
      return 'at times that cannot be read';
  }
}
