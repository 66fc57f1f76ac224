import { duration } from './duration.ts';

const NS_PER_MS = 1_000_000n;

const NS_PER_S = 1_000_000_000n;

/** 9999-12-31 23:59:59: later years have more than four digits. */
const LAST_SECOND = 253_402_300_799n;

/** Whether a Unix second is a date that a node can mean: 0 is how nodes say "not set", and none is before 1970. */
export const isDate = (seconds: bigint): boolean => seconds > 0n && seconds <= LAST_SECOND;

/** A Unix time in nanoseconds as UTC, with every digit: `2026-11-20 15:11:03.123456 UTC`; other text stays as it is. */
export function utcTime(timeNs: string): string {
  const ns = readTime(timeNs);
  if (ns === undefined) return timeNs;
  const rest = ns % NS_PER_S;
  const seconds = ns / NS_PER_S;
  const fraction = rest
    .toString()
    .padStart(9, '0')
    .replace(/(000)+$/, '');
  const date = new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').replace('.000Z', '');
  return `${date}${fraction === '' ? '' : `.${fraction}`} UTC`;
}

/** A time in Unix milliseconds to the minute: `2023-01-18 01:38 UTC`. */
export const minuteText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A time of a line of its own: `2026-11-20 15:11:03 UTC  (2 h ago)`, `not set` for 0, `-5  (not a date)`. */
export function timeAndAge(timeNs: string, nowMs: number): string {
  if (isZero(timeNs)) return 'not set';
  if (/^-?\d+$/.test(timeNs) && readTime(timeNs) === undefined) return `${timeNs}  (not a date)`;
  return timeNs === '' ? '' : `${utcTime(timeNs)}  (${relativeTime(timeNs, nowMs)})`;
}

/** A Unix time in nanoseconds to the second, on a clock of UTC: `2026-11-22 13:40:05Z`; `never` for 0. */
export const clockTime = (timeNs: string): string =>
  isZero(timeNs) ? 'never' : utcTime(timeNs).replace(/(?:\.\d+)? UTC$/, 'Z');

/** A Unix time in nanoseconds as distance from now: `2 h ago`, `in 3 d`; `never` for 0. */
export function relativeTime(timeNs: string, nowMs: number): string {
  if (isZero(timeNs)) return 'never';
  const ns = readTime(timeNs);
  if (ns === undefined) return timeNs;
  const elapsedMs = nowMs - Number(ns / NS_PER_MS);
  return elapsedMs >= 0 ? `${duration(elapsedMs)} ago` : `in ${duration(-elapsedMs)}`;
}

const isZero = (timeNs: string): boolean => /^-?0{1,20}$/.test(timeNs);

function readTime(timeNs: string): bigint | undefined {
  const ns = /^\d{1,20}$/.test(timeNs) ? BigInt(timeNs) : 0n;
  return isDate(ns / NS_PER_S) ? ns : undefined;
}
