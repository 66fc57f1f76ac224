import { faultLines, NodeError, RefusedError } from '../api/errors.ts';
import { joinSafe, type SafeText, safeLine } from '../text/safe-text.ts';

/** An error as lines for stderr: what happened, where, every detail the node gave, what to try. */
export function describeError(error: unknown): SafeText {
  const first = safeLine(`blockglass: ${error instanceof Error ? error.message : String(error)}`);
  if (!(error instanceof NodeError)) return first;
  const details = error instanceof RefusedError ? faultLines(error.fault).map(line => `  ${line}`) : [];
  return joinSafe([first, ...[...details, `  at ${error.url}`, `  try: ${error.hint}`].map(safeLine)]);
}
