import type { ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The chain that the user names; undefined if none is. */
export function readChainFlag(given: ParsedFlags): string | undefined {
  const named = given.text('chain');
  if (named !== undefined && (named.trim() === '' || named.length > 200))
    throw new UsageError('--chain must have 1 to 200 characters');
  return named;
}
