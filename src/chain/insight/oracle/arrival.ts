import { compareDecimals } from '../decimal.ts';
import type { DataSigner } from './data-source.ts';
import type { Arrival } from './delivery.ts';
import { readSeconds } from './unix-seconds.ts';

/** Data that arrived for a spec: values, or an error. */
export interface DataArrival {
  /** Unix nanoseconds. */
  readonly broadcastAt: string;
  readonly signers: readonly DataSigner[];
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Unix seconds and height of the block that was read on the other chain; '' if the node does not report them. */
  readonly sourceTime: string;
  readonly sourceHeight: string;
  /** '' for values. */
  readonly error: string;
}

/** The newest data of a spec. */
export interface Arrivals {
  /** The last one without an error; undefined if there is none among those read. */
  readonly value: DataArrival | undefined;
  /** Errors since then, newest first. */
  readonly errors: readonly DataArrival[];
  /** Older data was not read. */
  readonly hasMore: boolean;
}

/** The arrivals among the data of one spec; `hasMore`: older data may follow. */
export function newestArrivals(data: readonly DataArrival[], hasMore: boolean): Arrivals {
  const newestFirst = data.toSorted((one, other) => compareDecimals(other.broadcastAt, one.broadcastAt));
  const index = newestFirst.findIndex(({ error }) => error === '');
  return {
    value: newestFirst[index],
    errors: index < 0 ? newestFirst : newestFirst.slice(0, index),
    hasMore,
  };
}

/** The time of the last value: that of the block it was read at, else of its arrival. */
export function arrivalTime(arrivals: Arrivals | undefined): Arrival {
  if (arrivals === undefined) return 'unknown';
  const { value, hasMore } = arrivals;
  if (value === undefined) return hasMore ? 'unknown' : 'never';
  const cameAt = nsToSeconds(value.broadcastAt);
  if (value.sourceTime === '') return cameAt === undefined || cameAt === 0n ? 'unknown' : cameAt;
  const readAt = readSeconds(value.sourceTime);
  // A missing read time, or one after the arrival, cannot be trusted.
  const isOdd = readAt === undefined || readAt <= 0n || (cameAt !== undefined && readAt > cameAt + CLOCKS_APART);
  return isOdd ? 'unknown' : readAt;
}

// How many seconds the clocks of two chains may differ.
const CLOCKS_APART = 120n;

export const nsToSeconds = (ns: string): bigint | undefined =>
  /^\d{1,20}$/.test(ns) ? BigInt(ns) / 1_000_000_000n : undefined;
