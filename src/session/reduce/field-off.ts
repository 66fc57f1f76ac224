import { linesLike } from '../../explorer/services/history/history.ts';
import { resourceById } from '../../resources/registry.ts';
import { editText, type TextEdit } from '../../text/edit-text.ts';
import { editedField, isProposed } from '../model/field.ts';
import { suggest } from '../model/filters.ts';
import { modeOf } from '../model/mode.ts';
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

const isAtEnd = (state: SessionState): boolean => {
  const { text, at } = editedField(state);
  return at === text.length;
};

/** The right arrow takes what a prompt offers only where nothing stands behind the cursor. */
export const isAtOffer = (state: SessionState): boolean => modeOf(state) === 'prompt' && isAtEnd(state);
export const isNotAtOffer = (state: SessionState): boolean => !isAtOffer(state);

export function suggestOff(direction: 1 | -1) {
  return (state: SessionState): string | undefined => {
    const resource = resourceById(state.tab);
    const draft = state.browsers[state.tab]?.draft;
    if (resource === undefined || !draft) return undefined;
    return suggest(state, resource, draft, direction) === draft ? 'no other value was seen' : undefined;
  };
}

export function recallOff(direction: 1 | -1) {
  return ({ overlay, history }: SessionState): string | undefined => {
    if (overlay?.kind !== 'prompt' || overlay.id !== 'command') return 'nothing was entered here before';
    const walk = overlay.walk?.kind === 'recalled' ? overlay.walk : { typed: overlay.value, index: -1 };
    if (direction === -1) return walk.index < 0 ? 'this is the line that is typed' : undefined;
    return walk.index + 1 < linesLike(history, walk.typed).length ? undefined : 'nothing was entered here before';
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
