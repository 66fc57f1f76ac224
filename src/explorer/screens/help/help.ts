import type { Choice } from '../../core/choice.ts';
import {
  type ChoiceEvent,
  choiceHandlers,
  choiceKeys,
  choiceScreen,
  drawChoices,
  INITIAL_CHOICE_LIST,
  matchingChoices,
  selectByMark,
  type WithChoices,
} from '../../core/choices.ts';
import type { ListScreen, ScreenContext, Step } from '../../core/screen.ts';
import type { HelpOpening } from '../../openings.ts';
import { TABS } from '../../tabs.ts';

interface OpenHelp extends WithChoices {
  readonly opening: HelpOpening;
}

type HelpEvent = ChoiceEvent | { readonly type: 'pressed'; readonly key: string };

const TITLE = 'Keys: type / to filter, Enter runs';

const MARK_CELLS = 'backspace '.length;

const TAB_KEYS = TABS.map(({ key }) => key);

/** The keys of the tabs are drawn as a range. */
const drawnKey = (choice: Choice): Choice =>
  choice.mark === TAB_KEYS.join(' ') ? { ...choice, mark: `${TAB_KEYS[0]}-${TAB_KEYS.at(-1)}` } : choice;

/** The keys of what lies below: they work from here, each digit with its tab. */
export const helpScreen: ListScreen<OpenHelp, HelpEvent, HelpOpening> = {
  title: 'the help',
  needs: null,
  open: opening => ({ opening, list: INITIAL_CHOICE_LIST }),
  ...choiceScreen(() => TITLE, shownKeys, MARK_CELLS),
  body: (help, context) =>
    drawChoices(
      {
        title: TITLE,
        above: help.opening.description,
        shown: shownKeys(help, context).map(drawnKey),
        list: help.list,
        markCells: MARK_CELLS,
      },
      context,
    ),
  keys: choiceKeys(shownKeys),
  handlers: { ...choiceHandlers(shownKeys), pressed },
  otherKey: (help, key, context) =>
    selectByMark(shownKeys(help, context), help.list, key) === undefined ? undefined : { type: 'pressed', key },
};

function shownKeys({ opening, list }: OpenHelp, { below }: ScreenContext): readonly Choice[] {
  return matchingChoices(opening.choices(below), list);
}

function pressed(help: OpenHelp, { key }: { readonly key: string }, { below }: ScreenContext): Step<OpenHelp> {
  const meant = help.opening.pressed(below, key);
  if (meant === undefined) return { state: help };
  if ('action' in meant) return { state: null, messages: [meant.action] };
  return { state: help, messages: [{ type: 'noticed', text: meant.disabledReason }] };
}
