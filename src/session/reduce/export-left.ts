import { type ExportResult, savedSlicesText } from '../../export/download/result.ts';
import type { SessionState } from '../model/state.ts';
import { withNotice } from './transitions.ts';

/** The export of a node that was left has ended: what is there of it is said here, as its screen is gone. */
export function exportLeft(state: SessionState, result: ExportResult): SessionState {
  const { knownNodes } = state;
  const left = { ...state, nodes: { ...knownNodes, leaving: null } };
  return withNotice(left, `the export from ${knownNodes.leaving?.name ?? 'the other node'} ${whatIsLeft(result)}`);
}

function whatIsLeft(result: ExportResult): string {
  switch (result.kind) {
    case 'saved':
      return `is complete: ${result.path}`;
    case 'saved-slices':
      return `is complete: ${result.folder}`;
    case 'stopped-slices':
      return `was cancelled; ${savedSlicesText(result)} in ${result.folder}`;
    case 'cancelled':
    case 'failed':
    case 'not-complete':
      return result.partPath === null ? 'was cancelled' : `was cancelled; what arrived is kept as ${result.partPath}`;
  }
}
