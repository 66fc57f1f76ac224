import type { KeyAction } from './action.ts';

/** A selected line and the first drawn one, as indexes. */
export interface Window {
  readonly row: number;
  readonly top: number;
}

export const FIRST_LINE: Window = { row: 0, top: 0 };

export type MoveAction = Extract<KeyAction, { readonly type: 'move' | 'move-to' }>;

/** Selects a line: kept inside the list, the window moved as little as possible. */
export function selectLine(window: Window, row: number, count: number, height: number): Window {
  const selected = Math.max(0, Math.min(row, count - 1));
  const lowestTop = Math.max(0, count - height);
  let top = Math.min(window.top, lowestTop);
  if (selected < top) top = selected;
  if (selected >= top + height) top = selected - height + 1;
  return { row: selected, top };
}

/** Puts the cursor on an existing line within its window; returns the same state if nothing has to change. */
export function clampWindow<State extends Window>(state: State, count: number, height: number): State {
  const { row, top } = selectLine(state, state.row, count, height);
  return row === state.row && top === state.top ? state : { ...state, row, top };
}

/** Selects another line, in the place on the screen that the selected one has. */
export const inSamePlace = ({ row, top }: Window, selected: number): Window => ({
  row: selected,
  top: Math.max(0, selected - (row - top)),
});

/** Where a key of movement leads in a list of `count` lines with `height` lines drawn. */
export function moveWindow(window: Window, action: MoveAction, count: number, height: number): Window {
  if (action.type === 'move-to') return selectLine(window, targetLine(action.line, count - 1), count, height);
  if (action.by === 'line') return selectLine(window, window.row + action.direction, count, height);
  return movePage(window, action.direction, action.by === 'page' ? height : Math.ceil(height / 2), count, height);
}

/** A page's way: window and selection both move by it, so that the selection keeps its place but at the ends. */
function movePage(window: Window, direction: 1 | -1, step: number, count: number, height: number): Window {
  const lowestTop = Math.max(0, count - height);
  const top = Math.max(0, Math.min(window.top + direction * step, lowestTop));
  return selectLine({ row: window.row, top }, window.row + direction * step, count, height);
}

/** The first line drawn, after a key of movement, of a text that has no line selected. */
export function scrollTop(
  top: number,
  action: MoveAction,
  { height, last }: { readonly height: number; readonly last: number },
): number {
  if (action.type === 'move-to') return Math.max(0, Math.min(targetLine(action.line, last), last));
  const lines = { line: 1, half: Math.ceil(height / 2), page: height };
  return Math.max(0, Math.min(top + action.direction * lines[action.by], last));
}

const targetLine = (line: Extract<MoveAction, { readonly type: 'move-to' }>['line'], last: number): number =>
  line === 'first' ? 0 : line === 'last' ? last : line;
