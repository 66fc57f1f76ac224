import { WHEEL_LINES } from '../model/window.ts';
import type { KeyAction } from './action.ts';

export type MoveAction = Extract<KeyAction, { readonly type: 'move' | 'move-to' }>;

/** The first line drawn, after a key of movement, of a text that has no line selected. */
export function scrolled(
  top: number,
  action: MoveAction,
  { height, last }: { readonly height: number; readonly last: number },
): number {
  if (action.type === 'move-to') return action.end === 'start' ? 0 : last;
  const lines = { line: 1, wheel: WHEEL_LINES, half: Math.ceil(height / 2), page: height };
  return Math.max(0, Math.min(top + action.direction * lines[action.by], last));
}
