import { resourceById } from '../../resources/registry.ts';
import { editText, type TextEdit } from '../../text/edit-text.ts';
import { editedField, isProposed } from '../model/field.ts';
import { suggest } from '../model/filters.ts';
import type { SessionState } from '../model/state.ts';
import { fieldToFind, namedRangeOf, snap } from '../model/wizard.ts';

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
    const draft = state.browsers[state.tab]?.draft;
    if (resource === undefined || !draft) return undefined;
    return suggest(state, resource, draft, direction) === draft ? 'no other value was seen' : undefined;
  };
}

/** An error stands in the place of the bounds. */
export const noBounds = ({ wizard }: SessionState): string | undefined =>
  wizard.failure === null ? undefined : 'the segments are not known: Enter asks again';

const noSegments = (state: SessionState): string | undefined =>
  noBounds(state) ?? (state.wizard.boundaries === null ? 'the segments are on their way' : undefined);

export function snapOff(direction: 1 | -1) {
  return (state: SessionState): string | undefined =>
    noSegments(state) ??
    (snap(state.wizard, direction) === state.wizard
      ? `there is no boundary ${direction === 1 ? 'above' : 'below'}`
      : undefined);
}

/** What Enter does first where it does not go on yet. */
export function insteadOfGoingOn({ wizard }: SessionState): string | undefined {
  if (wizard.step !== 'range') return undefined;
  if (wizard.failure !== null) return 'ask again';
  return namedRangeOf(wizard) === undefined && fieldToFind(wizard) === undefined ? undefined : 'find';
}

/** Enter asks for the segments where they are not known. */
export const rangeOff = ({ wizard }: SessionState): string | undefined =>
  wizard.step === 'range' && wizard.asking !== null ? 'the segments are on their way' : undefined;
