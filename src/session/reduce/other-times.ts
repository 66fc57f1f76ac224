import type { Browser, SessionState } from '../model/state.ts';
import { withNotice } from './transitions.ts';

/** Times as ages, or of the clock, in every list. */
export function withOtherTimes(state: SessionState): SessionState {
  const times = timesIn(state) === 'clock' ? 'ages' : 'clock';
  const said = times === 'clock' ? 'times of the clock, in UTC' : 'times as ages';
  return withNotice({ ...state, browsers: withTimes(state.browsers, times) }, said);
}

/** How times are shown; every list has them alike. */
export const timesIn = ({ browsers }: SessionState): Browser['times'] => Object.values(browsers)[0]?.times ?? 'ages';

export const withTimes = (browsers: SessionState['browsers'], times: Browser['times']): SessionState['browsers'] =>
  Object.fromEntries(Object.entries(browsers).map(([id, browser]) => [id, { ...browser, times }]));
