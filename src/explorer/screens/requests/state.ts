import { isSameRequest, type SentRequest } from '../../../chain/api/sent-request.ts';
import type { Area } from '../../core/screen.ts';
import { inSamePlace, selectLine } from '../../core/window.ts';

/** The last requests of this run, over whatever else is shown. */
export interface RequestLog {
  /** How often the log had changed; -1 before it was read. */
  readonly version: number;
  /** Newest first. */
  readonly requests: readonly SentRequest[];
  readonly row: number;
  readonly top: number;
}

/** Lines below the heading. */
export const visibleRowCount = ({ rows }: Area): number => Math.max(1, rows - 1);

/** Where the newest was selected the newest is again; another request stays selected, where it was on the screen. */
export function withNewRequests(
  log: RequestLog,
  { version, requests }: Pick<RequestLog, 'version' | 'requests'>,
  height: number,
): RequestLog {
  const selected = log.row === 0 ? undefined : log.requests[log.row];
  const at = selected === undefined ? 0 : requests.findIndex(other => isSameRequest(selected, other));
  const row = Math.max(0, at);
  return { version, requests, ...selectLine(inSamePlace(log, row), row, requests.length, height) };
}
