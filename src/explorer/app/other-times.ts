import type { SessionState } from '../core/state.ts';
import { withNotice } from './transitions.ts';

/** Times as ages, or of the clock, in every list. */
export function withOtherTimes(state: SessionState): SessionState {
  const times = state.times === 'clock' ? 'ages' : 'clock';
  return withNotice({ ...state, times }, times === 'clock' ? 'times of the clock, in UTC' : 'times as ages');
}
