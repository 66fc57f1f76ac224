import { isSameRequest, type RequestFacts } from '../../api/request-facts.ts';
import { select } from './window.ts';

/** The last requests of this run, over whatever else is shown. */
export interface RequestsView {
  /** How often anything was told of them; -1 before the first time. */
  readonly version: number;
  /** Newest first. */
  readonly requests: readonly RequestFacts[];
  readonly row: number;
  readonly top: number;
}

export const NO_REQUESTS: RequestsView = { version: -1, requests: [], row: 0, top: 0 };

/** Whoever looks at the newest goes on doing so; a selected request stays selected, where it was on the screen. */
export function withRequests(
  view: RequestsView,
  told: Pick<RequestsView, 'version' | 'requests'>,
  height: number,
): RequestsView {
  const selected = view.row === 0 ? undefined : view.requests[view.row];
  const at = selected === undefined ? 0 : told.requests.findIndex(other => isSameRequest(selected, other));
  const row = Math.max(0, at);
  const top = Math.max(0, view.top + row - view.row);
  return { ...told, ...select({ row, top }, row, told.requests.length, height) };
}
