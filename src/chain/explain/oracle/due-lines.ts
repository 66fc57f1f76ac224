import type { Schedule } from '../../insight/oracle/schedule.ts';
import { distanceText, roughPeriod, secondsToUtc, timeAndDistance } from '../../insight/oracle/unix-seconds.ts';
import type { ExplainedLine } from '../explanation.ts';
import type { KnownSpec } from './known-spec.ts';

/** When it was last due, and whether the value has arrived. */
export function dueLines({ due: { last }, delivery, now, heardAt, source }: KnownSpec): readonly ExplainedLine[] {
  if (last === undefined) return [];
  switch (delivery.kind) {
    case 'over':
    case 'nothing-due':
      return [];
    case 'arrived':
      return [{ label: 'last due', text: `${distanceText(last, now)}, a value came since (${secondsToUtc(last)})` }];
    case 'was-due':
      return [{ label: 'last due', text: `was due ${timeAndDistance(last, now)}` }];
    case 'awaited':
      return [
        {
          label: 'last due',
          text: `due ${distanceText(delivery.since, now)}; no value yet, not overdue`,
          tone: 'pending',
        },
      ];
    case 'ended':
      return [
        { label: 'last due', text: `${timeAndDistance(last, now)}, and no value came` },
        {
          label: '',
          text: `no value since ${secondsToUtc(delivery.since)}; no later block can fire it`,
          tone: 'quiet',
        },
      ];
    case 'overdue': {
      const late = roughPeriod(heardAt - delivery.since);
      // The first time that was missed; others may have followed.
      const text = `${secondsToUtc(delivery.since)} (${late})`;
      const isHeldBack = source.variant === 'eth-oracle' && source.filters.some(filter => filter.conditions.length > 0);
      const why = `this node has no value since then${isHeldBack ? '; values that fail a condition are not sent' : ''}`;
      return [
        { label: 'overdue since', text, tone: 'bad' },
        { label: '', text: why, tone: 'quiet' },
      ];
    }
  }
}

export function nextLine(spec: KnownSpec): ExplainedLine {
  const text = nextText(spec);
  const [short] = /^(?:never|not known)(?=:)/.exec(text) ?? [];
  return { label: 'next', text, ...(short !== undefined && { short }) };
}

/** When it is due next, or why that is unknown. */
export function nextText({ delivery, source, schedules, due: { next }, now, heardAt, isStopped }: KnownSpec): string {
  if (delivery.kind === 'over') return 'never: the spec is deactivated';
  if (next !== undefined) {
    const isExact = schedules.some(schedule => schedule.kind === 'exactly' && schedule.at === next);
    // The distance by the clock means nothing: the chain may continue much later, or not at all.
    const when = isStopped ? afterNewest(next, heardAt) : timeAndDistance(next, now);
    return `${when}${isExact ? ', but only if a block has exactly that second' : ''}`;
  }
  if (source.variant === 'oracle') return 'not known: it depends on when a signer sends it';
  if (schedules.some(({ kind }) => kind === 'sometime' || kind === 'unreadable')) return 'not known';
  return whyNever(schedules, isStopped ? heardAt : now);
}

const afterNewest = (next: bigint, newest: bigint): string =>
  next === newest
    ? `${secondsToUtc(next)}, the time of the newest block`
    : `${secondsToUtc(next)}, ${roughPeriod(next - newest)} after the newest block`;

/** Whether it is certainly never due again. */
export const isNeverDueAgain = ({ delivery, schedules, due: { next } }: KnownSpec): boolean =>
  delivery.kind === 'over' ||
  (next === undefined &&
    schedules.length > 0 &&
    schedules.every(({ kind }) => kind !== 'sometime' && kind !== 'unreadable'));

function whyNever(schedules: readonly Schedule[], now: bigint): string {
  if (schedules.length === 0) return 'not known: the spec gives no time';
  const ends = schedules.flatMap(schedule =>
    schedule.kind === 'every' && schedule.until !== undefined ? [schedule.until] : [],
  );
  const end = ends.reduce<bigint | undefined>(
    (last, until) => (last === undefined || until > last ? until : last),
    undefined,
  );
  if (end !== undefined && end >= now) return `never: the next time would be after its end (${secondsToUtc(end)})`;
  if (end !== undefined) return `never: it ended ${timeAndDistance(end, now)}`;
  const exact = schedules.find(({ kind }) => kind === 'exactly');
  if (exact !== undefined) return 'never: that second has passed';
  return schedules.some(({ kind }) => kind === 'once') ? 'never: it fires only once' : 'never: no time is given';
}
