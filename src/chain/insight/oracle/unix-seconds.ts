import { secondsInWords } from '../../../base/text/duration.ts';
import { isDate, momentText } from '../../../base/text/time.ts';

/** Whole Unix seconds; undefined for other text and for numbers over 64 bits. */
export const readSeconds = (text: string): bigint | undefined => (/^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined);

export const msToSeconds = (ms: number): bigint => BigInt(Math.floor(ms / 1000));

/** `2026-11-20 15:11:03 UTC`; a number that is not a date is shown with a remark. */
export function secondsToUtc(seconds: bigint): string {
  if (!isDate(seconds)) return seconds === 0n ? '0' : `${seconds} (not a date)`;
  return momentText(Number(seconds) * 1000);
}

/** `in 1 h 12 min`, `2 h ago`, `now`. */
export function distanceText(seconds: bigint, now: bigint): string {
  if (seconds === now) return 'now';
  return seconds > now ? `in ${roughPeriod(seconds - now)}` : `${roughPeriod(now - seconds)} ago`;
}

/** Distance and time: `in 1 h 12 min (2026-11-20 15:11:03 UTC)`; without distance if it is not a date. */
export const timeAndDistance = (seconds: bigint, now: bigint): string =>
  isDate(seconds) ? `${distanceText(seconds, now)} (${secondsToUtc(seconds)})` : secondsToUtc(seconds);

/** An exact duration: `1 d 2 h 30 s`. */
export function periodInWords(seconds: bigint): string {
  const words = secondsInWords(String(seconds));
  return words === String(seconds) ? `${seconds} s` : words;
}

/** A duration in its largest unit and the next smaller one: `1 d 2 h`, and `2 h` where no minute is left over. */
export function roughPeriod(seconds: bigint): string {
  const [count = '', unit = '', nextCount = '', nextUnit = ''] = periodInWords(seconds).split(' ');
  const isNext = UNITS.indexOf(nextUnit) === UNITS.indexOf(unit) + 1;
  return isNext ? `${count} ${unit} ${nextCount} ${nextUnit}` : `${count} ${unit}`;
}

const UNITS = ['d', 'h', 'min', 's'];
