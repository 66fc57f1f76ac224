import type { SessionState } from '../model/state.ts';

// Why keys of views beside the lists do nothing now.

export function noRows({ job }: SessionState): string | undefined {
  const hasRows = job?.status === 'ended' && ['saved', 'not-complete', 'saved-slices'].includes(job.result.kind);
  return hasRows ? undefined : 'no CSV arrived';
}

export function jobRuns(state: SessionState): string | undefined {
  return state.job?.status === 'running' ? 'an export is running already' : undefined;
}

/** Rows that are on their way may be searched for beforehand. */
export function nothingToFindIn(state: SessionState): string | undefined {
  const browser = state.browsers[state.tab];
  return browser?.page || browser?.loading ? undefined : 'there are no rows to find in';
}
