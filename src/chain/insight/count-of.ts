import { groupDigits } from './decimal.ts';

/** A count with grouped digits: `200 000`. */
export const countText = (count: number | bigint): string => groupDigits(String(count));

/** `1 row`, `200 000 rows`. */
export const countOf = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  `${countText(count)} ${String(count) === '1' ? noun : plural}`;

/** How far one node is behind another: `229 blocks behind its core`, `in sync`. */
export function blocksBehindText(behind: bigint, from: string): string {
  if (behind === 0n) return `in sync`;
  return behind < 0n ? `${countOf(-behind, 'block')} ahead of ${from}` : `${countOf(behind, 'block')} behind ${from}`;
}
