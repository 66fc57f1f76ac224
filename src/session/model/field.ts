import type { EditedText } from '../../text/edit-text.ts';
import { barField } from './filter-bar.ts';
import { topLayer } from './layer.ts';
import { modeOf } from './mode.ts';
import type { SessionState } from './state.ts';

/** The field in focus: its text, and where the cursor stands in it; an empty text where none has it. */
export function editedField(state: SessionState): EditedText {
  const mode = modeOf(state);
  if (mode === 'layer-field') return topLayer(state)?.field ?? NO_FIELD;
  const bar = mode === 'filters' ? state.browsers[state.tab]?.filterBar : null;
  return bar ? barField(bar) : NO_FIELD;
}

const NO_FIELD: EditedText = { text: '', at: 0 };

/** Whether nothing was done yet to the text that the program has put into the field in focus: typing replaces it. */
export const isProposed = (state: SessionState): boolean =>
  modeOf(state) === 'layer-field' && topLayer(state)?.field?.isProposed === true;
