import { repeatSafe, type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { fitCells } from '../../base/text/width.ts';
import { cutLine, fillLine, headLine, type Line, lineWidth, type Span, span } from './line.ts';

interface DrawnColumn<Item> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Identifies the row; stands out in the row at the cursor. */
  readonly isName?: boolean;
  /** Its content in this number of cells; longer content is cut at its end. */
  readonly cell: (item: Item, cells: number) => Line;
}

/** Its preferred width, and how it adapts to less. */
export interface ListColumn<Item> extends DrawnColumn<Item> {
  /** Preferred number of cells; the rest of the row for content without a limit. */
  readonly cells: number | 'rest';
  /** Minimum number of cells; the preferred number if omitted. */
  readonly least?: number;
  /** Where the others have no room it is left out, that with the most first. One without it stays. */
  readonly yields?: number;
}

/** Columns in the cells they have. */
export interface FittedTable<Item> extends Gaps {
  readonly fitted: readonly { readonly column: DrawnColumn<Item>; readonly cells: number }[];
}

interface Gaps {
  /** Cells in front of the first column: the mark of the cursor and a blank, or more marks. */
  readonly margin: number;
  /** Cells between two columns. */
  readonly gap: number;
}

export const GAPS: Gaps = { margin: 2, gap: 2 };

/** The columns that fit on a screen of this width: some are left out first, then texts are cut, then figures. */
export function fitTable<Item>(
  columns: readonly ListColumn<Item>[],
  screen: number,
  { margin, gap } = GAPS,
): FittedTable<Item> {
  const room = screen - margin;
  const shown = [...columns];
  const total = (cells: readonly number[]): number => cells.reduce((sum, width) => sum + width + gap, -gap);
  while (total(shown.map(minCellsOf)) > room) {
    const most = Math.max(...shown.map(({ yields = 0 }) => yields));
    if (most <= 0) break;
    shown.splice(
      shown.findLastIndex(({ yields }) => yields === most),
      1,
    );
  }
  const cells = shown.map(column => (column.cells === 'rest' ? minCellsOf(column) : column.cells));
  for (const align of ['left', 'right'] as const)
    while (total(cells) > room) {
      let widest = -1;
      for (const [index, column] of shown.entries()) {
        const width = cells[index] ?? 0;
        const canGive = (column.align ?? 'left') === align && width > minCellsOf(column);
        if (canGive && width > (cells[widest] ?? 0)) widest = index;
      }
      if (widest < 0) break;
      cells[widest] = (cells[widest] ?? 0) - 1;
    }
  const left = room - total(cells);
  return {
    margin,
    gap,
    fitted: shown.map((column, index) => ({
      column,
      cells: Math.max(0, (cells[index] ?? 0) + (column.cells === 'rest' ? left : 0)),
    })),
  };
}

const minCellsOf = <Item>({ cells, least }: ListColumn<Item>): number => least ?? (cells === 'rest' ? 0 : cells);

/** Behind the title of the column that the rows are sorted by. */
export const sortMark = (isDescending: boolean): SafeText => (isDescending ? safeText`\u25bc` : safeText`\u25b2`);

/** The columns that a table shows: the first one always, the others scroll to its right. */
export interface ScrolledColumns {
  readonly shown: number;
  readonly hiddenLeft: number;
  readonly hiddenRight: number;
}

/** `columns 1-7 of 9`, or `columns 1, 4-8 of 9`; empty where all have room. */
export function columnsRangeText({ shown, hiddenLeft, hiddenRight }: ScrolledColumns): string {
  if (hiddenLeft + hiddenRight === 0) return '';
  const all = hiddenLeft + shown + hiddenRight;
  if (shown === 1) return `column 1 of ${all}`;
  const [from, to] = [hiddenLeft === 0 ? 1 : hiddenLeft + 2, hiddenLeft + shown];
  return `columns ${hiddenLeft === 0 ? '' : '1, '}${from === to ? to : `${from}-${to}`} of ${all}`;
}

/** Between the heads of two columns, the first of which has this index: columns are hidden there. */
export const headGap = (index: number, { hiddenLeft }: ScrolledColumns): SafeText =>
  index === 0 && hiddenLeft > 0 ? safeText` <` : safeText`  `;

/** The heads of columns that scroll, with a mark at their right edge where some are hidden. */
export const scrolledHead = (heads: Line, { hiddenRight }: ScrolledColumns, screen: number): Line =>
  headLine(hiddenRight === 0 ? heads : [...fillLine(heads, screen - 1), span(safeText`>`, 'quiet')], screen);

/** The heads of the columns. */
export const tableHead = <Item>({ fitted, gap, margin }: FittedTable<Item>, screen: number): Line =>
  headLine(
    [
      span(repeatSafe(safeText` `, margin)),
      ...fitted.flatMap(({ column: { title, align }, cells }, index) => [
        ...(index === 0 ? [] : [span(repeatSafe(safeText` `, gap))]),
        span(fitCells(sanitize(title), cells, align), 'quiet'),
      ]),
    ],
    screen,
  );

/** A row in these columns, with the blank next to its mark. */
export const tableRow = <Item>({ fitted, gap }: FittedTable<Item>, item: Item, isSelected = false): Line => [
  span(safeText` `),
  ...fitted.flatMap(({ column: { align, isName, cell }, cells }, index) => {
    const drawn = fitLine(cell(item, cells), cells, align);
    const named = isSelected && isName === true ? drawn.map(emphasized) : drawn;
    return index === 0 ? named : [span(repeatSafe(safeText` `, gap)), ...named];
  }),
];

const emphasized = (part: Span): Span => (part.style === 'plain' ? { ...part, style: 'selected' } : part);

function fitLine(drawn: Line, cells: number, align: 'left' | 'right' = 'left'): Line {
  const cut = cutLine(drawn, cells);
  if (align === 'left') return fillLine(cut, cells);
  return [span(repeatSafe(safeText` `, cells - lineWidth(cut))), ...cut];
}
