import type { SessionState } from '../core/state.ts';
import type { Saveable } from '../services/copying/saveable.ts';
import { topScreen } from './layers.ts';

/** What the view shown can be saved as; a sentence where there is nothing of it to save. */
export function saveableHere(state: SessionState): Saveable | string {
  const top = topScreen(state);
  if (top === undefined) return 'there are no rows to save';
  return top.screen.saves?.(top.layer.state, top.context) ?? `${top.screen.title} cannot be saved`;
}
