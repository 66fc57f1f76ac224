import type { Json } from './json.ts';

/** A non-empty string; null otherwise. */
export const textOrNull = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** A block height; null for 0, which stands for none. */
export const heightOrNull = (text: string): bigint | null => (/^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : null);

/** Unix milliseconds from decimal Unix nanoseconds; undefined for 0 and anything else. */
export const nanosecondsToMs = (text: string): number | undefined =>
  /^[1-9]\d{0,19}$/.test(text) ? Number(BigInt(text) / 1_000_000n) : undefined;

/** Unix milliseconds from RFC 3339 text; null for anything else and for the year 1, Go's unset time. */
export function rfc3339ToMs(text: string): number | null {
  const timeMs = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return timeMs > 0 && timeMs <= LAST_MS ? timeMs : null;
}

/** 9999-12-31T23:59:59Z, the last time with a four-digit year. */
const LAST_MS = 253_402_300_799_000;
