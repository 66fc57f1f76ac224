import {
  type ChoiceEvent,
  choiceHandlers,
  choiceKeys,
  choiceScreen,
  INITIAL_CHOICE_LIST,
  matchingChoices,
  type WithChoices,
} from '../../core/choices.ts';
import type { ListScreen, ScreenContext, Step } from '../../core/screen.ts';
import type { ColumnsOpening, ListedColumn } from '../../openings.ts';

interface OpenColumns extends WithChoices {
  readonly opening: ColumnsOpening;
}

/** The columns of a list: shown or hidden. */
export const columnsScreen: ListScreen<OpenColumns, ChoiceEvent, ColumnsOpening> = {
  title: 'the columns',
  needs: null,
  open: opening => ({ opening, list: { ...INITIAL_CHOICE_LIST, row: opening.cursor ?? 0 } }),
  ...choiceScreen(() => 'Columns', shownColumnChoices),
  keys: [
    ...choiceKeys(shownColumnChoices),
    { keys: ['esc'], program: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', when: isNotFiltering },
  ],
  handlers: { ...choiceHandlers(shownColumnChoices), choose: chooseColumn },
};

function shownColumnChoices({ opening, list }: OpenColumns, { below }: ScreenContext): readonly ListedColumn[] {
  return matchingChoices(opening.choices(below), list);
}

function isNotFiltering({ list }: OpenColumns): boolean {
  return list.filter === null;
}

// It stays open: several are turned on and off in one go.
function chooseColumn(columns: OpenColumns, _: unknown, context: ScreenContext): Step<OpenColumns> {
  const choice = shownColumnChoices(columns, context)[columns.list.row];
  return choice === undefined ? { state: columns } : { state: columns, messages: [choice.action] };
}
