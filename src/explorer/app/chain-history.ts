import type { ActionHandlers, SessionState } from '../core/state.ts';
import { type ChainHistoryEvent, chainHistoryAfter, FETCH_RUNS } from '../services/chain-history/chain-history.ts';
import { HISTORY_KEY } from '../tabs.ts';
import { bodyScreen, downloadOnScreen } from './open-screens.ts';
import { withNotice } from './transitions.ts';

/** Events of the history of the chain, with their notices. */
export const CHAIN_HISTORY_HANDLERS: ActionHandlers<ChainHistoryEvent> = {
  'read-history': apply,
  'history-stored': apply,
  'start-fetch': (state, event) => {
    const lastId = state.lastId + 1;
    const chainHistory = chainHistoryAfter(state.chainHistory, event, lastId);
    return chainHistory === state.chainHistory ? withNotice(state, FETCH_RUNS) : { ...state, chainHistory, lastId };
  },
  'cancel-fetch': apply,
  'dismiss-fetch': apply,
  'fetch-progressed': apply,
  'fetch-ended': fetchEnded,
};

function apply(state: SessionState, event: ChainHistoryEvent): SessionState {
  const chainHistory = chainHistoryAfter(state.chainHistory, event, state.lastId);
  return chainHistory === state.chainHistory ? state : { ...state, chainHistory };
}

function fetchEnded(
  state: SessionState,
  event: Extract<ChainHistoryEvent, { readonly type: 'fetch-ended' }>,
): SessionState {
  const after = apply(state, event);
  if (after === state) return state;
  const { kind, lines } = event.result;
  // The tab itself shows how the fetch ended, until Esc.
  if (downloadOnScreen(bodyScreen(after)) === 'fetch') return after;
  const where = after.tab === 'history' ? '' : `; tab ${HISTORY_KEY} has more`;
  if (kind === 'fetched') return withNotice(after, lines[0] ?? 'the fetch is complete', 'good');
  if (kind === 'cancelled') return withNotice(after, `the fetch was cancelled; arrived slices are kept${where}`);
  return withNotice(after, `the fetch stopped: ${lines[0] ?? ''}${where}`, 'bad');
}
