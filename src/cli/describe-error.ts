import { joinSafe, type SafeText, safeLine } from '../base/text/safe-text.ts';
import { faultLines, MissingFilterError, NodeError, RateLimitedError, RefusedError } from '../chain/api/errors.ts';
import { isAnswerError, isSnapshotError } from './errors-by-name.ts';
import { UsageError } from './usage-error.ts';

/** An error as lines for stderr: what happened, where, every detail the node gave, what to try. */
export function describeError(error: unknown, nowMs = Date.now()): SafeText {
  const first = safeLine(`blockglass: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) return joinSafe([first, ...error.others.map(line => safeLine(`  ${line}`))]);
  if (isAnswerError(error) || isSnapshotError(error)) return joinSafe([first, safeLine(`  try: ${error.hint}`)]);
  if (!(error instanceof NodeError)) return first;
  const details =
    error instanceof RefusedError
      ? faultLines(error.fault).filter(line => line !== error.message && !error.message.endsWith(`: ${line}`))
      : [];
  const wait = error instanceof RateLimitedError ? [`retry in ${secondsToRetry(error, nowMs)} s`] : [];
  const lines =
    error instanceof MissingFilterError
      ? [`try: ${error.hint}`, `the node replied: ${error.reply}`, ...details, `at ${error.url}`]
      : [...details, ...wait, `at ${error.url}`, `try: ${error.hint}`];
  return joinSafe([first, ...lines.map(line => safeLine(`  ${line}`))]);
}

const secondsToRetry = ({ retryAtMs }: RateLimitedError, nowMs: number): number =>
  Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000));
