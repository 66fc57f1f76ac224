import type { SessionState } from '../core/state.ts';
import { transferWait } from '../services/transfer.ts';
import type { Wait } from '../services/wait.ts';
import { bodyScreen, topScreen } from './open-screens.ts';

/** The wait to show: for the node, else of the visible screens, else of the running export or fetch. */
export function currentWait(state: SessionState, top = topScreen(state)): Wait | undefined {
  const { node } = state;
  if (node.status === 'starting') return nodeWait(state);
  const body = bodyScreen(state);
  return (
    top?.screen.waits?.(top.layer.state, top.context) ??
    body?.screen.waits?.(body.layer.state, body.context) ??
    downloadWaits(state).job ??
    downloadWaits(state).fetch
  );
}

function nodeWait({ node: { requestId, label, address } }: SessionState): Wait {
  const name = label || address;
  const text = name === 'demo' ? 'starting the embedded node' : `connecting${name === '' ? '' : ` to ${name}`}`;
  return { key: `node ${requestId}`, text };
}

/** The downloads that run. */
export const downloadWaits = ({ job, chainHistory }: Pick<SessionState, 'job' | 'chainHistory'>) => ({
  job: transferWait('export', job, job?.request.table.id),
  fetch: transferWait('fetch', chainHistory.fetch),
});

/** A sign moves for as long as something is waited for. */
export const withoutStaleSpinner = (state: SessionState): SessionState =>
  state.spin === null || currentWait(state)?.key === state.spin.key ? state : { ...state, spin: null };
