import { readTime, type TimeRange, type WrittenTime } from '../../base/text/time.ts';

/** Where something is on a chain, as people write it. */
export type ChainPoint =
  | { readonly kind: 'block'; readonly height: bigint }
  | { readonly kind: 'epoch'; readonly seq: string }
  | ({ readonly kind: 'time' } & WrittenTime);

/** Reads `17001`, `e41`, `epoch 41`, `2026-10-01` or `2026-10-01 12:00` (UTC); undefined for anything else. */
export function parseChainPoint(text: string): ChainPoint | undefined {
  const written = text.trim();
  if (/^\d{1,18}$/.test(written)) return { kind: 'block', height: BigInt(written) };
  const seq = /^(?:e|epoch)\s*0*(\d{1,18})$/i.exec(written)?.[1];
  if (seq !== undefined) return { kind: 'epoch', seq };
  const time = readTime(written);
  return time && { kind: 'time', ...time };
}

/** Both ends of `e20..e25` as written; a single place is both. Undefined for more than two. */
export function splitRangeText(text: string): { readonly from: string; readonly to: string } | undefined {
  const [from = '', to = from, ...more] = text.split('..').map(end => end.trim());
  return more.length > 0 ? undefined : { from, to };
}

/** Which end of a range. */
export type Bound = 'from' | 'to';

/** One end of a range that is a whole day, minute or second: its first moment, or the first one after it. */
export const boundNs = ({ fromNs, untilNs }: TimeRange, bound: Bound): bigint => (bound === 'from' ? fromNs : untilNs);
