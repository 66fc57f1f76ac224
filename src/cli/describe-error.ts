import { faultLines, NodeError, RefusedError } from '../api/errors.ts';
import { sanitize } from '../text/safe-text.ts';
import { UsageError } from './usage-error.ts';

/** An error as lines for stderr: what happened, where, every detail the node gave, what to try. */
export function describeError(error: unknown): string {
  if (error instanceof UsageError) return `blockglass: ${sanitize(error.message)}\n`;
  if (!(error instanceof NodeError))
    return `blockglass: ${sanitize(error instanceof Error ? error.message : String(error))}\n`;
  const details = error instanceof RefusedError ? faultLines(error.fault).map(line => `  ${sanitize(line)}\n`) : [];
  return [
    `blockglass: ${sanitize(error.message)}\n`,
    ...details,
    `  at ${sanitize(error.url)}\n`,
    `  try: ${sanitize(error.hint)}\n`,
  ].join('');
}
