import {
  type ChoiceEvent,
  choiceHandlers,
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
  open: opening => ({ opening, list: { ...FIRST_CHOICE, row: opening.cursor ?? 0 } }),
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
  handlers: { ...choiceHandlers(shownColumnChoices), choose, resize, shift, 'to-column': toColumn },
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
  return shownColumnChoices(columns, context)[columns.list.row]?.column;
}

// It stays open: several are turned on and off in one go.
function choose(columns: OpenColumns, _: unknown, context: ScreenContext): Step<OpenColumns> {
  const choice = shownColumnChoices(columns, context)[columns.list.row];
  return choice === undefined ? { state: columns } : { state: columns, messages: [choice.action] };
}

interface Direction {
  readonly direction: 1 | -1;
}

function resize(columns: OpenColumns, { direction }: Direction, context: ScreenContext): Step<OpenColumns> {
  const column = columnAt(columns, context);
  return column === undefined
    ? { state: columns }
    : { state: columns, messages: [columns.opening.resize(column, direction)] };
}

// The cursor goes with it.
function shift(columns: OpenColumns, { direction }: Direction, context: ScreenContext): Step<OpenColumns> {
  const column = columnAt(columns, context);
  if (column === undefined) return { state: columns };
  const follow = context.to({ type: 'to-column', column });
  return { state: columns, messages: [columns.opening.shift(column, direction), follow] };
}

function toColumn(
  columns: OpenColumns,
  { column: wanted }: { readonly column: string },
  context: ScreenContext,
): Step<OpenColumns> {
  const row = shownColumnChoices(columns, context).findIndex(({ column }) => column === wanted);
  return { state: { ...columns, list: { ...columns.list, row: Math.max(0, row) } } };
}
