import { BLANK, type Line, line, markedLine, span, textLine } from '../../explorer/core/line.ts';
import { marksWholeLine } from '../../session/model/looks.ts';
import type { Menu } from '../../session/model/overlay.ts';
import type { SessionState } from '../../session/model/state.ts';
import { select } from '../../session/model/window.ts';
import { menuItems, menuTitle } from '../../session/reduce/menu.ts';
import type { MenuItem } from '../../session/reduce/menu-item.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, truncateEnd, widthCells, wrapWords } from '../../text/width.ts';

const MARK_CELLS = 16;
const LABEL_CELLS = 34;

/** A narrower screen has room for no label but the longest. */
const USUAL_COLUMNS = 80;

/** Below the items: as many rows as the layout leaves there. */
const WHOLE_ROWS = 2;

/** A list to pick from, over the body. */
export function drawMenu(state: SessionState, menu: Menu, rows: number): readonly Line[] {
  const items = menuItems(state, menu);
  const { top } = select({ row: 0, top: 0 }, menu.cursor, items.length, rows);
  const hasMarks = items.some(({ mark }) => mark !== '');
  const markCells = hasMarks ? (menu.id === 'help' ? MARK_CELLS : 4) : 0;
  const { columns } = state.screen;
  const longest = Math.max(0, ...items.map(({ label }) => label.length));
  const labelCells = columns < USUAL_COLUMNS ? Math.min(LABEL_CELLS, longest) : LABEL_CELLS;
  const lines = items.slice(top, top + rows).map((item, index): Line => {
    const isSelected = top + index === menu.cursor;
    const label = sanitize(item.label);
    const quiet = item.off === undefined ? 'plain' : 'quiet';
    const line = [
      span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
      span(fitCells(sanitize(item.mark), markCells), item.off === undefined ? 'accent' : 'quiet'),
      // Without anything behind it a label has the whole row.
      span(item.detail === '' ? label : fitCells(label, labelCells), isSelected ? 'selected' : quiet),
      span(safeText` `),
      span(sanitize(item.detail.slice(0, 500)), 'quiet'),
    ];
    return isSelected && marksWholeLine(state) ? markedLine(line, columns) : line;
  });
  const cells = 2 + markCells + labelCells + 1;
  const whole = wholeItem(items[menu.cursor], { columns, cells, labelCells });
  const gap = rows - lines.length;
  const more = items.length > rows ? `  ${menu.cursor + 1} of ${items.length}` : '';
  const empty =
    items.length === 0
      ? [textLine(menu.query === '' ? '  nothing to choose' : `  nothing matches "${menu.query}"`, 'quiet')]
      : [];
  const heading = textLine(` ${menuTitle(menu)}${more}`, 'strong');
  if (items.length === 0 || whole.length === 0) return [heading, BLANK, ...lines, ...empty];
  return [heading, BLANK, ...lines, ...Array.from({ length: gap }, () => BLANK), ...whole];
}

interface MenuCells {
  readonly columns: number;
  /** Before the detail of an item. */
  readonly cells: number;
  readonly labelCells: number;
}

/** What the row of the selected item has cut, below the items. */
function wholeItem(item: MenuItem | undefined, { columns, cells, labelCells }: MenuCells): readonly Line[] {
  if (item === undefined) return [];
  const detail = sanitize(item.detail.slice(0, 500));
  const label = sanitize(item.label);
  const isCut =
    item.detail === ''
      ? cells - labelCells + widthCells(label) > columns
      : cells + widthCells(detail) > columns || widthCells(label) > labelCells;
  if (!isCut) return [];
  const words = wrapWords(item.detail === '' ? label : safeText`${label}: ${detail}`, columns - 2);
  const last = words.slice(WHOLE_ROWS - 1).length > 1 ? safeText`${words[WHOLE_ROWS - 1] ?? label}\u2026` : undefined;
  return [
    ...words.slice(0, last === undefined ? WHOLE_ROWS : WHOLE_ROWS - 1),
    ...(last === undefined ? [] : [last]),
  ].map(text => line(safeText` ${truncateEnd(text, columns - 1)}`, 'quiet'));
}
