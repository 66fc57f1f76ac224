import type { DrawnField } from '../../explorer/core/field-row.ts';
import { editedField, isProposed } from '../../session/model/field.ts';
import { isTyping, modeOf } from '../../session/model/mode.ts';
import type { SessionState } from '../../session/model/state.ts';
import { withoutOverlays } from '../../session/reduce/layers.ts';

/** The field of the tab that has the focus; while a question lies over it there is no cursor in it. */
export function focusedField(state: SessionState): DrawnField {
  const isFocused = isTyping(modeOf(state));
  if (!isFocused) return { ...editedField(withoutOverlays(state)), isFocused };
  return { ...editedField(state), isFocused, isProposed: isProposed(state) };
}
