import type { Json } from './json.ts';

/** A text that says something; null otherwise. */
export const textOr = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Height of a block: 0 stands for none. */
export const heightOr = (text: string): bigint | null => (/^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : null);

/** Unix milliseconds of Unix nanoseconds. */
export const fromNanoseconds = (text: string): number | undefined =>
  /^[1-9]\d{0,19}$/.test(text) ? Number(BigInt(text) / 1_000_000n) : undefined;

/** Unix milliseconds; null for what is no time, and for the year 1, which is how Go writes that none is set. */
export function fromRfc3339(text: string): number | null {
  const timeMs = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return timeMs > 0 && timeMs <= LAST_MS ? timeMs : null;
}

/** 9999-12-31T23:59:59Z: what lies behind it has no year of four digits. */
const LAST_MS = 253_402_300_799_000;
