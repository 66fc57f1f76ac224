import type { KeyAction } from './action.ts';
import { page, select, WHEEL_LINES, type Window } from './window.ts';

export type MoveAction = Extract<KeyAction, { readonly type: 'move' | 'move-to' }>;

/** Where a key of movement leads in a list of `count` lines with `height` lines drawn. */
export function moved(window: Window, action: MoveAction, count: number, height: number): Window {
  if (action.type === 'move-to') return select(window, placeOf(action.line, count - 1), count, height);
  const lines = action.by === 'line' ? 1 : action.by === 'wheel' ? WHEEL_LINES : 0;
  if (lines > 0) return select(window, window.row + action.direction * lines, count, height);
  return page(window, action.direction, action.by === 'page' ? height : Math.ceil(height / 2), count, height);
}

/** The first line drawn, after a key of movement, of a text that has no line selected. */
export function scrolled(
  top: number,
  action: MoveAction,
  { height, last }: { readonly height: number; readonly last: number },
): number {
  if (action.type === 'move-to') return Math.max(0, Math.min(placeOf(action.line, last), last));
  const lines = { line: 1, wheel: WHEEL_LINES, half: Math.ceil(height / 2), page: height };
  return Math.max(0, Math.min(top + action.direction * lines[action.by], last));
}

const placeOf = (line: Extract<MoveAction, { readonly type: 'move-to' }>['line'], last: number): number =>
  line === 'first' ? 0 : line === 'last' ? last : line;
