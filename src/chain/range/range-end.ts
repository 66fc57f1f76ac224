import { microText, readTime } from '../../base/text/time.ts';
import type { EpochTimes, RangeBound } from '../directory/export-range.ts';
import { type Bound, boundNs } from '../insight/chain-point.ts';
import type { NamedRangeEnd } from './parse-range.ts';

/** What knows the times of epochs: a node, or the names saved with exports. */
type EpochTimesOf = (seq: string) => EpochTimes | undefined;

/** One end of a range. The place that was typed is inside, to its end: all of the epoch, month, day, minute or second. */
export interface RangeEnd {
  /** Unix nanoseconds of the first moment inside, or of the first one after the range; null if only the epoch is known. */
  readonly ns: bigint | null;
  /** The first or last epoch; null if the end was not given as an epoch. */
  readonly epoch: string | null;
}

/** Null means unbounded or unknown. */
export interface RangeEnds {
  readonly from: RangeEnd | null;
  /** Exclusive. */
  readonly until: RangeEnd | null;
}

export const rangeEnd = (place: NamedRangeEnd, bound: Bound, epochOf: EpochTimesOf): RangeEnd =>
  place.kind === 'epoch'
    ? { ns: savedTimeNs(epochMoment(place.seq, bound, epochOf)), epoch: place.seq }
    : { ns: boundNs(place, bound), epoch: null };

/** When an epoch begins or ends, as UTC to the microsecond: an epoch ends when the next one begins. Null if not known. */
export const epochMoment = (seq: string, bound: Bound, epochOf: EpochTimesOf): string | null =>
  bound === 'from'
    ? (epochOf(seq)?.start ?? epochOf(String(BigInt(seq) - 1n))?.end ?? null)
    : (epochOf(seq)?.end ?? epochOf(String(BigInt(seq) + 1n))?.start ?? null);

/** An end as saved with an export. */
export const savedRangeEnd = (saved: RangeBound | null): RangeEnd | null =>
  saved && { ns: savedTimeNs(saved.time), epoch: saved.epoch };

/** Unix nanoseconds of a time that was saved as text. */
export const savedTimeNs = (time: string | null): bigint | null =>
  time === null ? null : (readTime(time)?.fromNs ?? null);

/** Whether nothing is between both ends: epochs by their numbers, since their times may not be known. */
export function isEmptyRange({ from, until }: RangeEnds): boolean {
  if (from?.epoch && until?.epoch) return BigInt(from.epoch) > BigInt(until.epoch);
  return from?.ns != null && until?.ns != null && from.ns >= until.ns;
}

/** A moment as rows have it, UTC to the microsecond: the first one at it or after it. */
export const rowTime = (ns: bigint): string => microText((ns + 999n) / 1000n);
