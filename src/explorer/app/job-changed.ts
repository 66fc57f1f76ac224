import type { SessionState } from '../core/state.ts';
import { ALREADY_RUNNING, isSaved, type JobEvent, jobsAfter, leftText } from '../services/export-job.ts';
import { EXPORT_KEY } from '../tabs.ts';
import { withNotice } from './transitions.ts';

/** The state after something happened to an export, and what is said of it. */
export function jobChanged(state: SessionState, event: JobEvent): SessionState {
  const { leftJob } = state;
  const id = state.ticket + 1;
  const jobs = jobsAfter(state, event, id);
  if (event.type === 'start-export')
    return jobs === state ? withNotice(state, ALREADY_RUNNING) : { ...state, ...jobs, ticket: id };
  if (jobs === state) return state;
  const after = { ...state, ...jobs };
  if (event.type !== 'export-ended') return after;
  if (leftJob !== null && jobs.leftJob === null)
    return withNotice(after, `the export from ${leftJob.node} ${leftText(event.result)}`);
  if (isSaved(event.result)) return withNotice(after, 'the export is complete', 'good');
  const where = after.tab === 'export' ? '' : `: see tab ${EXPORT_KEY}`;
  return withNotice(after, `the export did not complete${where}`, 'bad');
}
