import { readDuration } from '../../base/text/duration.ts';
import type { ParsedFlags } from '../flags.ts';
import { UsageError } from '../usage-error.ts';

/** A length of time of a flag, in ms; undefined without the flag. Throws UsageError. */
export function readDurationFlag(
  given: ParsedFlags,
  flag: string,
  { leastMs, mostMs = MAX_DURATION_MS }: { readonly leastMs: number; readonly mostMs?: number },
): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const ns = readDuration(text, 'typed');
  const ms = ns === undefined ? Number.NaN : Number(ns / 1_000_000n);
  if (ms >= leastMs && ms <= mostMs) return ms;
  throw new UsageError(
    `--${flag} must be a time from ${inSeconds(leastMs)} to ${inSeconds(mostMs)}, such as 10m, 24h or 90d, not "${text}"`,
  );
}

const MAX_DURATION_MS = 36_500 * 86_400_000;

const inSeconds = (ms: number): string => (ms > 0 && ms % 86_400_000 === 0 ? `${ms / 86_400_000}d` : `${ms / 1000}s`);
