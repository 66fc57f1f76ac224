import { type EditedText, editText, insertText, MAX_FIELD_LENGTH } from '../../base/text/edit-text.ts';
import { normaliseTypedLine } from '../../base/text/safe-text.ts';
import type { KeyAction, TextAction } from '../core/action.ts';
import { topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';

/** The target of keys: a screen, an overlay, or a text field of either. */
export type KeyTarget = 'screen' | 'overlay' | 'field';

export function currentKeyTarget(state: SessionState): KeyTarget {
  const layer = topLayer(state);
  if (layer === undefined) return 'screen';
  return layer.field !== null ? 'field' : layer.isOverlay ? 'overlay' : 'screen';
}

/** Whether typed text goes into a field. */
export const isTyping = (state: SessionState): boolean => currentKeyTarget(state) === 'field';

/** The field in focus: its text, and where the cursor stands in it; an empty text where none has it. */
export const focusedField = (state: SessionState): EditedText => topLayer(state)?.field ?? NO_FIELD;

const NO_FIELD: EditedText = { text: '', at: 0 };

/** Whether nothing was done yet to the text that the program has put into the field in focus: typing replaces it. */
export const hasProposedText = (state: SessionState): boolean => topLayer(state)?.field?.isProposed === true;

export type FieldEdit = TextAction | Extract<KeyAction, { readonly type: 'edit-field' }>;

/** The text of the field in focus, and its cursor, after something was typed into it, or a key edited it. */
export const applyFieldEdit = (state: SessionState, action: FieldEdit): EditedText =>
  edited(hasProposedText(state) && action.type === 'insert-text' ? EMPTY_FIELD : focusedField(state), action);

function edited(field: EditedText, action: FieldEdit): EditedText {
  switch (action.type) {
    case 'edit-field':
      return editText(field, action.edit);
    case 'insert-text':
      return insertText(field, action.text, MAX_FIELD_LENGTH);
    case 'type-text': {
      const text = normaliseTypedLine(action.value).slice(0, MAX_FIELD_LENGTH);
      return { text, at: text.length };
    }
  }
}

const EMPTY_FIELD: EditedText = { text: '', at: 0 };
