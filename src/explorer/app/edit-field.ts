import { type EditedText, editText, insertText, LONGEST_FIELD } from '../../text/edit-text.ts';
import { oneLine } from '../../text/safe-text.ts';
import type { KeyAction, TextAction } from '../core/action.ts';
import type { SessionState } from '../core/state.ts';
import { editedField, isProposed } from './field.ts';

export type FieldEdit = TextAction | Extract<KeyAction, { readonly type: 'edit-field' }>;

/** The text of the field in focus, and its cursor, after something was typed into it, or a key edited it. */
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

const EMPTY_FIELD: EditedText = { text: '', at: 0 };
