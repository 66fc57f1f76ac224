import { periodDays } from '../chain/range/parse-range.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

const PERIODS = ['last-month', 'last-week', 'this-month'] as const;

/** Ranges by name, instead of --from and --to. */
export const PERIOD_FLAGS: readonly Flag[] = PERIODS.map(name => ({
  name,
  kind: 'switch',
  about: `${name.replace('-', ' ')} (UTC), instead of --from and --to`,
}));

/** The days of a period that a flag names; undefined without one. Throws UsageError with another range. */
export function readPeriod(
  given: ParsedFlags,
  nowMs: number,
): { readonly flag: string; readonly from: string; readonly to?: string } | undefined {
  const [flag, second] = PERIODS.filter(name => given.has(name));
  if (flag === undefined) return undefined;
  const other = second ?? ['from', 'to', 'whole', 'year', 'at'].find(name => given.has(name));
  if (other !== undefined) throw new UsageError(`--${flag} cannot be used with --${other}`);
  const { from, to } = periodDays(flag, nowMs);
  return { flag, from, ...(to !== null && { to }) };
}
