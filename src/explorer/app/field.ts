import type { EditedText } from '../../text/edit-text.ts';
import { topLayer } from '../core/layer.ts';
import type { SessionState } from '../core/state.ts';

/** The field in focus: its text, and where the cursor stands in it; an empty text where none has it. */
export const editedField = (state: SessionState): EditedText => topLayer(state)?.field ?? NO_FIELD;

const NO_FIELD: EditedText = { text: '', at: 0 };

/** Whether nothing was done yet to the text that the program has put into the field in focus: typing replaces it. */
export const isProposed = (state: SessionState): boolean => topLayer(state)?.field?.isProposed === true;
