import type { Schedule } from '../../insight/oracle/schedule.ts';
import { distance, roughlyInWords, timeAndDistance, utcOfSeconds } from '../../insight/oracle/unix-seconds.ts';
import type { ExplainedLine } from '../explanation.ts';
import type { KnownSpec } from './known-spec.ts';

/** When it was due last and whether that has come. */
export function dueLines({ due: { last }, standing, now, heardAt, source }: KnownSpec): readonly ExplainedLine[] {
  if (last === undefined) return [];
  switch (standing.kind) {
    case 'over':
    case 'nothing-due':
      return [];
    case 'arrived':
      return [{ label: 'last due', text: `${distance(last, now)}, a value came since (${utcOfSeconds(last)})` }];
    case 'was-due':
      return [{ label: 'last due', text: `was due ${timeAndDistance(last, now)}` }];
    case 'awaited':
      return [
        {
          label: 'last due',
          text: `due ${distance(standing.since, now)}, no value yet, and not late either`,
          tone: 'pending',
        },
      ];
    case 'ended':
      return [
        { label: 'last due', text: `${timeAndDistance(last, now)}, and no value came` },
        {
          label: '',
          text: `no value since ${utcOfSeconds(standing.since)}, and no later block fires it`,
          tone: 'quiet',
        },
      ];
    case 'overdue': {
      const late = roughlyInWords(heardAt - standing.since);
      const text = `overdue by ${late}, due ${utcOfSeconds(standing.since)}`;
      const isHeldBack = source.variant === 'eth-oracle' && source.filters.some(filter => filter.conditions.length > 0);
      const why = `no value since then, as far as this node keeps them${isHeldBack ? '; one that fails what must hold is not sent' : ''}`;
      return [
        { label: 'last due', text, tone: 'bad' },
        { label: '', text: why, tone: 'quiet' },
      ];
    }
  }
}

export const nextLine = (spec: KnownSpec): ExplainedLine => ({ label: 'next', text: nextText(spec) });

/** When it is due next, or why nobody can say so. */
export function nextText({ standing, source, schedules, due: { next }, now }: KnownSpec): string {
  if (standing.kind === 'over') return 'never: the spec is deactivated';
  if (next !== undefined) {
    const isExact = schedules.some(schedule => schedule.kind === 'exactly' && schedule.at === next);
    return `${timeAndDistance(next, now)}${isExact ? ', if a block has that second' : ''}`;
  }
  if (source.variant === 'oracle') return 'not known: when a signer sends it';
  if (schedules.some(({ kind }) => kind === 'sometime' || kind === 'unreadable')) return 'not known';
  return whyNever(schedules, now);
}

/** Whether it is known that it is never due again. */
export const isNever = ({ standing, schedules, due: { next } }: KnownSpec): boolean =>
  standing.kind === 'over' ||
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
  if (end !== undefined && end >= now) return `never: the next time would be after its end (${utcOfSeconds(end)})`;
  if (end !== undefined) return `never: it ended ${timeAndDistance(end, now)}`;
  const exact = schedules.find(({ kind }) => kind === 'exactly');
  if (exact !== undefined) return 'never: that second is over';
  return schedules.some(({ kind }) => kind === 'once') ? 'never: it was to fire once' : 'never: it has no time';
}
