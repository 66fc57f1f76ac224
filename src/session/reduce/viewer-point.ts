import type { PointedLine } from '../model/pointed-line.ts';
import type { SessionState } from '../model/state.ts';
import { countsRows } from './viewer-look.ts';
import { tableHere, viewerRows, withView } from './viewer-state.ts';

/** The row of a table on the disk, or the value that was counted, on a line of the body below its first one. */
export function viewedLine(state: SessionState, line: number): PointedLine | undefined {
  const open = tableHere(state);
  if (open === undefined || open.view.problem !== null) return undefined;
  const { view } = open;
  const { over } = view;
  if (over === null) return onLine('viewer', { line, ...view, count: view.shown.count, height: viewerRows(state) });
  if (over.kind === 'chart' || !('counts' in over.answer)) return undefined;
  const count = over.answer.counts.values.length;
  // Above the values is a line of what they come to, and one of headings.
  return onLine('viewer-counts', { line: line - 1, ...over, count, height: countsRows(state) });
}

interface Lines {
  readonly line: number;
  readonly row: number;
  readonly top: number;
  readonly count: number;
  readonly height: number;
}

function onLine(pane: PointedLine['pane'], { line, row, top, count, height }: Lines): PointedLine | undefined {
  const index = top + line;
  if (line < 0 || line >= height || index >= count) return undefined;
  return { pane, index, isSelected: index === row };
}

/** Selects what was pointed at there. */
export function selectViewed(state: SessionState, { pane, index }: Pick<PointedLine, 'pane' | 'index'>): SessionState {
  const open = tableHere(state);
  if (open === undefined) return state;
  const { view } = open;
  if (pane === 'viewer') return withView(state, open, { ...view, row: index });
  return view.over?.kind === 'counts' ? withView(state, open, { ...view, over: { ...view.over, row: index } }) : state;
}
