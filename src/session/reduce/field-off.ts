import { resourceById } from '../../resources/registry.ts';
import { editText, type TextEdit } from '../../text/edit-text.ts';
import { editedField, isProposed } from '../model/field.ts';
import { suggest } from '../model/filter-bar.ts';
import type { SessionState } from '../model/state.ts';

// Why keys of a field do nothing now.

export function editOff(edit: TextEdit) {
  return (state: SessionState): string | undefined => {
    const before = editedField(state);
    if (before.text === '') return 'the field is empty';
    const after = editText(before, edit);
    if (isProposed(state) || after.text !== before.text || after.at !== before.at) return undefined;
    return before.at === 0 ? 'the cursor is at the start' : 'the cursor is at the end';
  };
}

export function suggestOff(direction: 1 | -1) {
  return (state: SessionState): string | undefined => {
    const resource = resourceById(state.tab);
    const bar = state.browsers[state.tab]?.filterBar;
    if (resource === undefined || !bar) return undefined;
    return suggest(state, resource, bar, direction) === bar ? 'no other value is known' : undefined;
  };
}
