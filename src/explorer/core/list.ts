import { safeText, sanitize } from '../../base/text/safe-text.ts';
import { wrapWords } from '../../base/text/width.ts';
import { countText } from '../../chain/insight/count-of.ts';
import { selectedLine } from './appearance.ts';
import { fillRows, type Line, span } from './line.ts';
import type { ScreenContext } from './screen.ts';
import { clampWindow, type MoveAction, moveWindow, type Window } from './window.ts';

// A list with a cursor: the common part of all screens that are such a list. Each provides its rows and the action of
// Enter.

/** How many lines a list has. */
interface ListShape<State> {
  readonly count: (state: State, context: ScreenContext) => number;
  /** Lines that are drawn at once. */
  readonly height: (state: State, context: ScreenContext) => number;
}

/** Movement, and a cursor that stays on an existing line. */
export const listScreen = <State extends Window>(shape: ListShape<State>) =>
  listWithin<State, Window>({
    ...shape,
    windowOf: state => state,
    withWindow: (state, window) => ({ ...state, ...window }),
  });

interface ListWithin<State, Within extends Window> extends ListShape<State> {
  readonly windowOf: (state: State) => Within;
  readonly withWindow: (state: State, window: Within) => State;
}

/** The same of a list that is a part of the state. */
export const listWithin = <State, Within extends Window>(shape: ListWithin<State, Within>) => {
  const { windowOf, withWindow, count, height } = shape;
  return {
    kind: 'list' as const,
    move: (state: State, action: MoveAction, context: ScreenContext): State => {
      const window = windowOf(state);
      return withWindow(state, {
        ...window,
        ...moveWindow(window, action, count(state, context), height(state, context)),
      });
    },
    settle: (state: State, context: ScreenContext): State => {
      const window = windowOf(state);
      const clamped = clampWindow(window, count(state, context), height(state, context));
      return clamped === window ? state : withWindow(state, clamped);
    },
  };
};

/** Which lines are drawn of how many: `1-18 of 60`. */
export const linesRangeText = ({ top }: Pick<Window, 'top'>, count: number, height: number): string =>
  `${countText(Math.min(top + 1, count))}-${countText(Math.min(count, top + height))} of ${countText(count)}`;

/** The visible lines of a list, the one at the cursor with its mark. Each begins with a blank next to the mark. */
export const listLines = <Item>(
  drawn: readonly Item[],
  { row, top }: Window,
  { area, shared }: Pick<ScreenContext, 'area' | 'shared'>,
  draw: (item: Item, isSelected: boolean) => Line,
): readonly Line[] =>
  drawn.map((item, index) => {
    const isSelected = top + index === row;
    if (!isSelected) return [span(safeText` `), ...draw(item, false)];
    return selectedLine([span(safeText`>`, 'selected'), ...draw(item, true)], area.columns, shared);
  });

/** Rows below a list that have all of the selected line, of which the row shows what fits. */
const WHOLE_ROWS = 2;

/** The lines that are drawn at once of a list with heads above it, and the selected one whole below it. */
export const wholeHeight = (_: unknown, { area: { rows } }: Pick<ScreenContext, 'area'>): number =>
  Math.max(1, rows - 1 - WHOLE_ROWS);

interface WholeDrawing<Item> {
  readonly draw: (item: Item, isSelected: boolean) => Line;
  /** All of a line. */
  readonly sentence: (item: Item) => string;
}

/** The lines of such a list. */
export function wholeLines<Item>(
  all: readonly Item[],
  window: Window,
  context: ScreenContext,
  { draw, sentence }: WholeDrawing<Item>,
): readonly Line[] {
  const height = wholeHeight(undefined, context);
  const lines = listLines(all.slice(window.top, window.top + height), window, context, draw);
  const selected = all[window.row];
  const words = wrapWords(
    sanitize(selected === undefined ? '' : sentence(selected)),
    Math.max(10, context.area.columns - 2),
  );
  return [
    ...fillRows(lines, height),
    ...words.slice(0, WHOLE_ROWS).map((text): Line => [span(safeText` ${text}`, 'quiet')]),
  ];
}
