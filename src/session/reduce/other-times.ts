import type { SessionState } from '../model/state.ts';
import { withNotice } from './transitions.ts';

/** Times as ages, or of the clock, in every list. */
export function withOtherTimes(state: SessionState): SessionState {
  const times = state.times === 'clock' ? 'ages' : 'clock';
  return withNotice({ ...state, times }, times === 'clock' ? 'times of the clock, in UTC' : 'times as ages');
}

/** The state with every list showing times as the program does. */
export function withTimesInLists(state: SessionState): SessionState {
  const { browsers, times } = state;
  const lists = Object.entries(browsers);
  if (lists.every(([, browser]) => browser.times === times)) return state;
  return { ...state, browsers: Object.fromEntries(lists.map(([id, browser]) => [id, { ...browser, times }])) };
}
