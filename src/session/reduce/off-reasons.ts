import type { SessionState } from '../model/state.ts';

// Why keys of views beside the lists do nothing now.

/** Rows that are on their way may be searched for beforehand. */
export function nothingToFindIn(state: SessionState): string | undefined {
  const browser = state.browsers[state.tab];
  return browser?.page || browser?.loading ? undefined : 'there are no rows to find in';
}
