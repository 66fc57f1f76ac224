import type { EditedText } from '../../text/edit-text.ts';
import { topLayer } from './layer.ts';
import { fieldText, modeOf } from './mode.ts';
import type { SessionState } from './state.ts';

/** The field in focus: its text, and where the cursor stands in it. */
export function editedField(state: SessionState): EditedText {
  const field = modeOf(state) === 'layer-field' ? topLayer(state)?.field : undefined;
  if (field) return { text: field.text, at: field.at };
  const text = fieldText(state);
  const { cursor } = state;
  // A text that came from elsewhere, such as a value that was offered, has the cursor at its end.
  return { text, at: cursor?.text === text ? cursor.at : text.length };
}

/** Whether nothing was done yet to the text that the program has put into the field in focus: typing replaces it. */
export function isProposed(state: SessionState): boolean {
  const { cursor } = state;
  if (modeOf(state) === 'layer-field') return topLayer(state)?.field?.isProposed === true;
  if (cursor?.text === fieldText(state)) return false;
  return false;
}
