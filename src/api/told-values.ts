import type { Json } from './json.ts';

/** A text that says something; null otherwise. */
export const textOr = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Height of a block: 0 stands for none. */
export const heightOr = (text: string): bigint | null => (/^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : null);

/** Unix milliseconds of Unix nanoseconds. */
export const fromNanoseconds = (text: string): number | undefined =>
  /^[1-9]\d{0,19}$/.test(text) ? Number(BigInt(text) / 1_000_000n) : undefined;

/** Unix milliseconds. */
export function fromRfc3339(text: string): number | null {
  const timeMs = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? null : timeMs;
}
