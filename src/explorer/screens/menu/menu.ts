import type { Choice } from '../../core/choice.ts';
import {
  type ChoiceEvent,
  choiceHandlers,
  choiceKeys,
  choiceScreen,
  INITIAL_CHOICE_LIST,
  matchingChoices,
  selectByMark,
  type WithChoices,
} from '../../core/choices.ts';
import type { ListScreen, ScreenContext } from '../../core/screen.ts';
import type { MenuOpening } from '../../openings.ts';

interface OpenMenu extends WithChoices {
  readonly opening: MenuOpening;
}

/** A list to choose from, made from what lies below it as that is now. */
export const menuScreen: ListScreen<OpenMenu, ChoiceEvent, MenuOpening> = {
  title: 'the menu',
  needs: null,
  open: opening => ({ opening, list: { ...INITIAL_CHOICE_LIST, row: opening.cursor ?? 0 } }),
  ...choiceScreen(({ opening }: OpenMenu) => opening.title, shownItems),
  keys: choiceKeys(shownItems),
  handlers: choiceHandlers(shownItems),
  otherKey: (menu, key, context) =>
    menu.opening.areMarksKeys === true ? selectByMark(shownItems(menu, context), menu.list, key) : undefined,
};

function shownItems({ opening, list }: OpenMenu, { below }: ScreenContext): readonly Choice[] {
  return matchingChoices(opening.choices(below), list);
}
