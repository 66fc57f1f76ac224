import { safeText, sanitize } from '../../base/text/safe-text.ts';
import { wrapWords } from '../../base/text/width.ts';
import { countText } from '../../chain/insight/count-of.ts';
import { selectedLine } from './appearance.ts';
import { fillRows, type Line, span } from './line.ts';
import { type MoveAction, moveWindow } from './movement.ts';
import type { Cell, PointerLine, ScreenContext } from './screen.ts';
import { selectLine, type Window } from './window.ts';

// A list with a cursor: the common part of all screens that are such a list. Each provides its rows and the action of
// Enter.

/** How many lines a list has, and where they stand in the body. */
interface ListShape<State> {
  readonly count: (state: State, context: ScreenContext) => number;
  /** Lines that are drawn at once. */
  readonly height: (state: State, context: ScreenContext) => number;
  /** Rows of the body above the first line; one, for the heads of columns, where this is left out. */
  readonly above?: (state: State, context: ScreenContext) => number;
}

/** Movement, mouse, and a cursor that stays on an existing line. */
export const listScreen = <State extends Window>({ count, height, above = () => 1 }: ListShape<State>) => ({
  kind: 'list' as const,
  move: (state: State, action: MoveAction, context: ScreenContext): State => ({
    ...state,
    ...moveWindow(state, action, count(state, context), height(state, context)),
  }),
  settle: (state: State, context: ScreenContext): State =>
    clampWindow(state, count(state, context), height(state, context)),
  pointed: (state: State, { row }: Cell, context: ScreenContext): PointerLine | undefined =>
    pointerLine(state, row - above(state, context), count(state, context), height(state, context)),
});

/** Puts the cursor on an existing line within its window; returns the same state if nothing has to change. */
export function clampWindow<State extends Window>(state: State, count: number, height: number): State {
  const { row, top } = selectLine(state, state.row, count, height);
  return row === state.row && top === state.top ? state : { ...state, row, top };
}

/** The line drawn `at` rows below the first one. */
export function pointerLine({ row, top }: Window, at: number, count: number, height: number): PointerLine | undefined {
  const line = top + at;
  return at < 0 || at >= height || line >= count ? undefined : { isSelected: line === row, line };
}

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
