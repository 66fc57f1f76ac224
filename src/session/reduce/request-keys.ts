import { curlOf } from '../model/equivalent.ts';
import { requestLines, requestRows } from '../model/request-lines.ts';
import { NO_REQUESTS, type RequestsView, withRequests } from '../model/requests.ts';
import type { SessionState } from '../model/state.ts';
import type { Fact } from './action.ts';
import { moved } from './browse.ts';
import type { KeyIn } from './place.ts';
import { withCopy } from './transitions.ts';

export const toggleRequests = (state: SessionState): SessionState => ({
  ...state,
  requests: state.requests === null ? NO_REQUESTS : null,
});

/** Keys of the log of requests. */
export function requestKey(state: SessionState, view: RequestsView, action: KeyIn<'requests'>): SessionState {
  const selected = view.requests[view.row];
  switch (action.type) {
    case 'move':
    case 'move-to':
      return { ...state, requests: { ...view, ...moved(view, action, view.requests.length, requestRows(state)) } };
    case 'view-value': {
      if (selected === undefined) return state;
      const text = requestLines(selected).join('\n');
      return { ...state, overlay: { kind: 'value', title: 'request', text, top: 0 } };
    }
    case 'copy-request':
      return selected === undefined ? state : withCopy(state, 'curl', curlOf(selected.url, state.node));
    case 'back':
      return { ...state, requests: null };
  }
}

/** Of a log that is not open any more nothing is kept. */
export function requestsTold(
  state: SessionState,
  { version, requests }: Extract<Fact, { readonly type: 'requests-told' }>,
): SessionState {
  const { requests: view } = state;
  if (view === null || view.version === version) return state;
  return { ...state, requests: withRequests(view, { version, requests }, requestRows(state)) };
}
