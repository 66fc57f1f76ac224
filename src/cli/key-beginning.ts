import { UsageError } from './usage-error.ts';

/** The error for text that matches several keys. */
export function ambiguousKey(typed: string, scope: string, keys: readonly string[], are = 'begin with'): UsageError {
  const more = keys.length - MOST_NAMED;
  return new UsageError(`${keys.length} ${scope} ${are} "${typed}". Choose one:`, [
    ...keys.slice(0, MOST_NAMED),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]);
}

const MOST_NAMED = 12;
