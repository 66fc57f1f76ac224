import { shortDuration } from './duration.ts';

const NS_PER_MS = 1_000_000n;

const NS_PER_S = 1_000_000_000n;

const US_PER_S = 1_000_000n;

export const MINUTE_MS = 60_000;

/** A day of UTC. */
export const DAY_MS = 86_400_000;

/** A range of time, such as a day with all of its nanoseconds. */
export interface TimeRange {
  readonly fromNs: bigint;
  /** The first moment after it. */
  readonly untilNs: bigint;
}

/** A UTC time as written: the whole of the last unit given. */
export interface WrittenTime extends TimeRange {
  readonly unit: 'month' | 'day' | 'minute' | 'second' | 'fraction';
}

/** Reads `2026-11`, `2026-11-20`, `2026-11-20 15:00`, `2026-11-20T15:00:03.5Z`; undefined for dates that do not exist. */
export function readTime(text: string): WrittenTime | undefined {
  const [, year, month, day, minute, second, fraction] = WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const written = `${year}-${month}-${day ?? '01'}T${minute ?? '00:00'}:${second ?? '00'}.000Z`;
  const startMs = Date.parse(written);
  // Dates that do not exist are read as later ones: 30 February as 2 March.
  if (Number.isNaN(startMs) || new Date(startMs).toISOString() !== written) return undefined;
  const fromNs = BigInt(startMs) * NS_PER_MS + BigInt((fraction ?? '').padEnd(9, '0'));
  const until = (unit: WrittenTime['unit'], lengthNs: bigint) => ({ unit, fromNs, untilNs: fromNs + lengthNs });
  if (fraction !== undefined) return until('fraction', 10n ** BigInt(9 - fraction.length));
  if (second !== undefined) return until('second', NS_PER_S);
  if (minute !== undefined) return until('minute', 60n * NS_PER_S);
  if (day !== undefined) return until('day', BigInt(DAY_MS) * NS_PER_MS);
  return until('month', BigInt(Date.UTC(Number(year), Number(month), 1) - startMs) * NS_PER_MS);
}

const WRITTEN =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?(?: ?(?:Z|UTC|\+00(?::?00)?))?$/i;

/** 9999-12-31 23:59:59: later years have more than four digits. */
const LAST_SECOND = 253_402_300_799n;

/** Whether a Unix second is a date that a node can mean: nodes use 0 for "not set", and none is before 1970. */
export const isDate = (seconds: bigint): boolean => seconds > 0n && seconds <= LAST_SECOND;

/** Unix milliseconds from decimal Unix nanoseconds; undefined for 0 and anything else. */
export const nanosecondsToMs = (text: string): number | undefined =>
  /^[1-9]\d{0,19}$/.test(text) ? Number(BigInt(text) / 1_000_000n) : undefined;

/** Unix milliseconds from RFC 3339 text; null for anything else and for the year 1, Go's unset time. */
export function rfc3339ToMs(text: string): number | null {
  const timeMs = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return timeMs > 0 && timeMs <= Number(LAST_SECOND) * 1000 ? timeMs : null;
}

/** A Unix time in nanoseconds as UTC, with every digit: `2026-11-20 15:11:03.123456 UTC`; other text is not changed. */
export function utcTime(timeNs: string): string {
  const ns = readNs(timeNs);
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

/** A time in Unix milliseconds to the second: `2026-10-01 12:00:00 UTC`. */
export const momentText = (timeMs: number): string => `${secondText(timeMs)} UTC`;

/** The same without its zone, to be read again. */
export const secondText = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');

/** A time in Unix milliseconds as the clock of UTC shows it: `12:00:05`. */
export const timeOfDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(11, 19);

/** Unix microseconds like exported rows: `2026-10-01T12:00:00.000000Z`. */
export function microText(us: bigint): string {
  const belowSecond = ((us % US_PER_S) + US_PER_S) % US_PER_S;
  const second = new Date(Number((us - belowSecond) / US_PER_S) * 1000).toISOString().slice(0, 19);
  return `${second}.${String(belowSecond).padStart(6, '0')}Z`;
}

/** Unix nanoseconds to the millisecond, or finer if there are more digits: `2026-10-01T12:00:00.000Z`. */
export function isoTime(ns: bigint): string {
  const belowMs = ((ns % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  const digits = String(belowMs).padStart(6, '0').replace(/0+$/, '');
  return new Date(Number((ns - belowMs) / NS_PER_MS)).toISOString().replace('Z', `${digits}Z`);
}

/** A time of a line of its own: `2026-11-20 15:11:03 UTC  (2 h ago)`, `not set` for 0, `-5  (not a date)`. */
export function timeAndAge(timeNs: string, nowMs: number): string {
  if (isZero(timeNs)) return 'not set';
  if (/^-?\d+$/.test(timeNs) && readNs(timeNs) === undefined) return `${timeNs}  (not a date)`;
  return timeNs === '' ? '' : `${utcTime(timeNs)}  (${relativeTime(timeNs, nowMs)})`;
}

/** A Unix time in nanoseconds to the second, on a clock of UTC: `2026-11-22 13:40:05Z`; `never` for 0. */
export const clockTime = (timeNs: string): string =>
  isZero(timeNs) ? 'never' : utcTime(timeNs).replace(/(?:\.\d+)? UTC$/, 'Z');

/** A Unix time in nanoseconds as distance from now: `2 h ago`, `in 3 d`; `never` for 0. */
export function relativeTime(timeNs: string, nowMs: number): string {
  if (isZero(timeNs)) return 'never';
  const ns = readNs(timeNs);
  if (ns === undefined) return timeNs;
  const elapsedMs = nowMs - Number(ns / NS_PER_MS);
  return elapsedMs >= 0 ? `${shortDuration(elapsedMs)} ago` : `in ${shortDuration(-elapsedMs)}`;
}

const isZero = (timeNs: string): boolean => /^-?0{1,20}$/.test(timeNs);

function readNs(timeNs: string): bigint | undefined {
  const ns = /^\d{1,20}$/.test(timeNs) ? BigInt(timeNs) : 0n;
  return isDate(ns / NS_PER_S) ? ns : undefined;
}
