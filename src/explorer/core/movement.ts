import type { KeyAction } from './action.ts';
import { movePage, selectLine, WHEEL_LINES, type Window } from './window.ts';

export type MoveAction = Extract<KeyAction, { readonly type: 'move' | 'move-to' }>;

/** Where a key of movement leads in a list of `count` lines with `height` lines drawn. */
export function moveWindow(window: Window, action: MoveAction, count: number, height: number): Window {
  if (action.type === 'move-to') return selectLine(window, targetLine(action.line, count - 1), count, height);
  const lines = action.by === 'line' ? 1 : action.by === 'wheel' ? WHEEL_LINES : 0;
  if (lines > 0) return selectLine(window, window.row + action.direction * lines, count, height);
  return movePage(window, action.direction, action.by === 'page' ? height : Math.ceil(height / 2), count, height);
}

/** The first line drawn, after a key of movement, of a text that has no line selected. */
export function scrollTop(
  top: number,
  action: MoveAction,
  { height, last }: { readonly height: number; readonly last: number },
): number {
  if (action.type === 'move-to') return Math.max(0, Math.min(targetLine(action.line, last), last));
  const lines = { line: 1, wheel: WHEEL_LINES, half: Math.ceil(height / 2), page: height };
  return Math.max(0, Math.min(top + action.direction * lines[action.by], last));
}

const targetLine = (line: Extract<MoveAction, { readonly type: 'move-to' }>['line'], last: number): number =>
  line === 'first' ? 0 : line === 'last' ? last : line;
