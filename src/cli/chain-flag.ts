import type { ParsedFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Also of the folder of a history. */
const MAX_CHARACTERS = 4096;

/** The chain that the user names; undefined if none is. */
export function readChainFlag(given: ParsedFlags): string | undefined {
  const named = given.text('chain');
  if (named !== undefined && (named.trim() === '' || named.length > MAX_CHARACTERS))
    throw new UsageError(`--chain must have 1 to ${MAX_CHARACTERS} characters`);
  return named;
}
