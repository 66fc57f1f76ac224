import type { Json } from './json.ts';

/** A non-empty string; null otherwise. */
export const textOrNull = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** A block height; null for 0, which stands for none. */
export const heightOrNull = (text: string): bigint | null => (/^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : null);
