import { resourceById } from '../../resources/registry.ts';
import { linesLike } from '../model/command-history.ts';
import { suggest } from '../model/filters.ts';
import { fieldText } from '../model/mode.ts';
import type { SessionState } from '../model/state.ts';
import { fieldToFind, namedRangeOf, snap } from '../model/wizard.ts';

// Why keys of a field do nothing now.

export const emptyField = (state: SessionState): string | undefined =>
  fieldText(state) === '' ? 'the field is empty' : undefined;

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
