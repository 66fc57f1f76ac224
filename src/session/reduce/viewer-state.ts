import { layoutOf } from '../model/layout.ts';
import type { SessionState } from '../model/state.ts';
import { type OpenTable, openTableOf, type TableView, type Viewer } from '../model/viewer.ts';

/** Lines of a table below its heading. */
export const viewerRows = (state: SessionState): number => Math.max(1, layoutOf(state).bodyRows - 1);

/** Whether tables on the disk have the screen, or what lies over them closes onto them. */
export const isViewing = ({ tab, viewer }: SessionState): boolean => tab === 'export' && viewer !== null;

/** The table that is looked at, once its files are open. */
export const tableHere = ({ viewer }: SessionState): OpenTable | undefined => openTableOf(viewer);

export const withViewer = (state: SessionState, viewer: Viewer | null): SessionState => ({ ...state, viewer });

export function withView(state: SessionState, { viewer, files }: OpenTable, view: TableView): SessionState {
  return view === files.view ? state : { ...state, viewer: { ...viewer, files: { ...files, view } } };
}

/** Like `withView`, with a new ticket for what the change wishes for. */
export function withViewWish(
  state: SessionState,
  open: OpenTable,
  change: (view: TableView, ticket: number) => TableView,
): SessionState {
  const ticket = state.ticket + 1;
  return withView({ ...state, ticket }, open, change(open.view, ticket));
}
