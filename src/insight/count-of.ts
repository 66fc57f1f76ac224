import { groupDigits } from './decimal.ts';

/** A count with grouped digits: `200 000`. */
export const countText = (count: number | bigint): string => groupDigits(String(count));

/** `1 row`, `200 000 rows`. */
export const countOf = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  `${countText(count)} ${String(count) === '1' ? noun : plural}`;
