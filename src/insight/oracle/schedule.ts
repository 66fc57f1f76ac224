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
  | { readonly kind: 'every'; readonly from: bigint; readonly every: bigint; readonly until: bigint | undefined }
  /** It repeats, from a time that nobody has sent. */
  | { readonly kind: 'sometime'; readonly every: bigint }
  | { readonly kind: 'never' }
  | { readonly kind: 'unreadable' };

/**
 * The schedule of a trigger. Calls of a contract count from 0 where they have no first time; the chain's own clock has
 * to be told one (node-behaviour.md section 5).
 */
export function scheduleOf(trigger: Trigger, clock: 'contract' | 'chain'): Schedule {
  const [initial, every, until] = [trigger.initial, trigger.every, trigger.until].map(numberOrUnset);
  if (initial === undefined || every === undefined || until === undefined) return { kind: 'unreadable' };
  if (initial < 0n || every < 0n || until < 0n) return { kind: 'unreadable' };
  if (every === 0n) return initial === 0n ? { kind: 'never' } : { kind: 'once', at: initial };
  if (initial === 0n && clock === 'chain') return { kind: 'sometime', every };
  return { kind: 'every', from: initial, every, until: until === 0n ? undefined : until };
}

const numberOrUnset = (text: string): bigint | undefined => (text === '' ? 0n : readSeconds(text));

/** The last time it was due by then, in Unix seconds; undefined when there was none. */
export function lastDue(schedule: Schedule, now: bigint): bigint | undefined {
  switch (schedule.kind) {
    case 'once':
      return schedule.at <= now ? schedule.at : undefined;
    case 'every':
      return repeatedLast(schedule, now);
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
      return schedule.at > now ? schedule.at : undefined;
    case 'every': {
      const { from, every, until } = schedule;
      if (now < from) return from;
      const next = from + ((now - from) / every + 1n) * every;
      return until === undefined || next <= until ? next : undefined;
    }
    case 'sometime':
    case 'never':
    case 'unreadable':
      return undefined;
  }
}

// The first time counts though it is behind the end: the end is asked of repetitions alone.
function repeatedLast({ from, every, until }: Extract<Schedule, { kind: 'every' }>, now: bigint): bigint | undefined {
  if (now < from) return undefined;
  const end = until === undefined || until > now ? now : until < from ? from : until;
  return from + ((end - from) / every) * every;
}

/** `every 1 h for ever, from 2026-11-20 15:00:00 UTC`. */
export function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'once':
      return `once, at ${utcOfSeconds(schedule.at)}`;
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
