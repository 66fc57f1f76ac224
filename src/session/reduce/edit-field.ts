import { type EditedText, editText, insertText } from '../../text/edit-text.ts';
import { oneLine } from '../../text/safe-text.ts';
import type { KeyAction, TextAction } from '../model/action.ts';
import { editedField, isProposed } from '../model/field.ts';
import { fieldText, isTyping, modeOf } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import { withField } from './transitions.ts';

export type FieldEdit = TextAction | Extract<KeyAction, { readonly type: 'edit-field' }>;

/** The field in focus after something was typed into it, or a key edited it. */
export function editField(state: SessionState, action: FieldEdit): SessionState {
  if (!isTyping(modeOf(state))) return state;
  const before = editedField(state);
  const { text, at } = editedBy(state, action);
  const changed = text === before.text && action.type !== 'type-text' ? state : withField(state, text);
  return { ...changed, cursor: action.type === 'type-text' ? null : { text: fieldText(changed), at } };
}

/** The text of the field in focus, and its cursor, after an edit. */
export const editedBy = (state: SessionState, action: FieldEdit): EditedText =>
  edited(isProposed(state) && action.type === 'insert-text' ? EMPTY_FIELD : editedField(state), action);

function edited(field: EditedText, action: FieldEdit): EditedText {
  switch (action.type) {
    case 'edit-field':
      return editText(field, action.edit);
    case 'insert-text':
      return insertText(field, action.text, LONGEST_FIELD);
    case 'type-text': {
      const text = oneLine(action.value).slice(0, LONGEST_FIELD);
      return { text, at: text.length };
    }
  }
}

/** A pasted novel is no filter; nodes refuse such addresses anyway. */
const LONGEST_FIELD = 4096;

const EMPTY_FIELD: EditedText = { text: '', at: 0 };
