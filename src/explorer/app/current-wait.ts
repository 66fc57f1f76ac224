import { formatByteCount } from '../../base/text/byte-count.ts';
import { bytesPerSecond } from '../../history/download/progress.ts';
import type { SessionState } from '../core/state.ts';
import { fetchWait } from '../services/chain-history/fetch-text.ts';
import type { Job } from '../services/export-job.ts';
import type { Wait } from '../services/wait.ts';
import { bodyScreen, topScreen } from './open-screens.ts';

/** The wait to show: for the node, else of the visible screens, else of the running export or fetch. */
export function currentWait(state: SessionState, top = topScreen(state)): Wait | undefined {
  const { node, job, chainHistory } = state;
  if (node.status === 'starting') return nodeWait(state);
  const body = bodyScreen(state);
  return (
    top?.screen.waits?.(top.layer.state, top.context) ??
    body?.screen.waits?.(body.layer.state, body.context) ??
    jobWait(job) ??
    fetchWait(chainHistory.fetch)
  );
}

function nodeWait({ node: { requestId, label, address } }: SessionState): Wait {
  const name = label || address;
  const text = name === 'demo' ? 'starting the embedded node' : `connecting${name === '' ? '' : ` to ${name}`}`;
  return { key: `node ${requestId}`, text };
}

/** The export that runs. */
export function jobWait(job: Job | null): Wait | undefined {
  if (job?.status !== 'running') return undefined;
  const { id, plan, progress } = job;
  const far = progress
    ? `${formatByteCount(progress.bytes)}, ${formatByteCount(bytesPerSecond(progress))}/s`
    : 'starting';
  return { key: `export ${id}`, text: `export ${plan.table.id}: ${far}`, isTimed: true };
}

/** A sign moves for as long as something is waited for. */
export const withoutStaleSpinner = (state: SessionState): SessionState =>
  state.spin === null || currentWait(state)?.key === state.spin.key ? state : { ...state, spin: null };
