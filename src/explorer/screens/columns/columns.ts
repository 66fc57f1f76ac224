import {
  afterChoice,
  type ChoiceEvent,
  choiceKeys,
  choiceScreen,
  FIRST_CHOICE,
  matching,
  type WithChoices,
} from '../../core/choices.ts';
import type { Screen, ScreenContext, ScreenKey, Step } from '../../core/screen.ts';
import type { ColumnsOpening, ListedColumn } from '../../openings.ts';

interface OpenColumns extends WithChoices {
  readonly opening: ColumnsOpening;
}

type ColumnsEvent =
  | ChoiceEvent
  | { readonly type: 'resize' | 'shift'; readonly direction: 1 | -1 }
  | { readonly type: 'to-column'; readonly column: string };

/** The columns of a list: shown or hidden, wider or narrower, earlier or later. */
export const columnsScreen: Screen<OpenColumns, ColumnsEvent, ColumnsOpening> = {
  title: 'the columns',
  open: opening => ({ opening, list: { ...FIRST_CHOICE, cursor: opening.cursor ?? 0 } }),
  ...choiceScreen(() => 'Columns', shownColumnChoices),
  // biome-ignore format: a table, a row a key
  keys: [
    ...choiceKeys(shownColumnChoices),
    { keys: ['esc'], program: { type: 'back' }, title: 'back', group: 'Program', footer: 'back', when: isNotFiltering },
    { keys: ['<'], event: { type: 'resize', direction: -1 }, title: 'narrower, in the list of columns', group: 'Look', footer: 'narrower' },
    { keys: ['>'], event: { type: 'resize', direction: 1 }, title: 'wider, in the list of columns', group: 'Look', footer: 'wider' },
    { keys: ['['], event: { type: 'shift', direction: -1 }, title: 'earlier, in the list of columns', group: 'Look', footer: 'earlier', disabledReason: noShift(-1) },
    { keys: [']'], event: { type: 'shift', direction: 1 }, title: 'later, in the list of columns', group: 'Look', footer: 'later', disabledReason: noShift(1) },
  ] satisfies readonly ScreenKey<OpenColumns, ColumnsEvent>[],
  update,
};

function shownColumnChoices({ opening, list }: OpenColumns, { below }: ScreenContext): readonly ListedColumn[] {
  return matching(opening.choices(below), list);
}

function isNotFiltering({ list }: OpenColumns): boolean {
  return list.filter === null;
}

function noShift(direction: 1 | -1) {
  return (columns: OpenColumns, context: ScreenContext): string | undefined => {
    const column = columnAt(columns, context);
    return column === undefined ? undefined : columns.opening.shiftProblem(context.below, column, direction);
  };
}

function columnAt(columns: OpenColumns, context: ScreenContext): string | undefined {
  return shownColumnChoices(columns, context)[columns.list.cursor]?.column;
}

function update(columns: OpenColumns, event: ColumnsEvent, context: ScreenContext): Step<OpenColumns> {
  const shown = shownColumnChoices(columns, context);
  switch (event.type) {
    case 'choose': {
      const choice = shown[columns.list.cursor];
      // It stays open: several are turned on and off in one go.
      return choice === undefined ? { state: columns } : { state: columns, messages: [choice.action] };
    }
    case 'resize':
    case 'shift': {
      const { direction } = event;
      const column = columnAt(columns, context);
      if (column === undefined) return { state: columns };
      if (event.type === 'resize') return { state: columns, messages: [columns.opening.resize(column, direction)] };
      // The cursor goes with it.
      const follow = context.to({ type: 'to-column', column });
      return { state: columns, messages: [columns.opening.shift(column, direction), follow] };
    }
    case 'to-column': {
      const cursor = shown.findIndex(({ column }) => column === event.column);
      return { state: { ...columns, list: { ...columns.list, cursor: Math.max(0, cursor) } } };
    }
    case 'select':
    case 'filter':
    case 'filter-edited':
    case 'leave-filter':
      return afterChoice(columns, event, shown);
  }
}
