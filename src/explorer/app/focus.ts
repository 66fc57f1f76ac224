import { type EditedText, editText, insertText, LONGEST_FIELD } from '../../base/text/edit-text.ts';
import { oneLine } from '../../base/text/safe-text.ts';
import type { KeyAction, TextAction } from '../core/action.ts';
import { topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';

/** What has the keys: a screen, something that lies over one, or a text field of one of the two. */
export type KeyTarget = 'screen' | 'overlay' | 'field';

export function keyTargetOf(state: SessionState): KeyTarget {
  const layer = topLayer(state);
  if (layer === undefined) return 'screen';
  return layer.field !== null ? 'field' : layer.isOverlay ? 'overlay' : 'screen';
}

/** Whether what is typed goes into a field. */
export const isTyping = (state: SessionState): boolean => keyTargetOf(state) === 'field';

/** The field in focus: its text, and where the cursor stands in it; an empty text where none has it. */
export const editedField = (state: SessionState): EditedText => topLayer(state)?.field ?? NO_FIELD;

const NO_FIELD: EditedText = { text: '', at: 0 };

/** Whether nothing was done yet to the text that the program has put into the field in focus: typing replaces it. */
export const isProposed = (state: SessionState): boolean => topLayer(state)?.field?.isProposed === true;

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
