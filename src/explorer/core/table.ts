import {
  type FittableColumn,
  type FittedCells,
  fitColumns,
  type ScrolledColumns,
} from '../../base/text/fit-columns.ts';
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

/** Its preferred width, and how it adapts to less: some are left out first, then texts are cut, then figures. */
export interface ListColumn<Item> extends DrawnColumn<Item>, Pick<FittableColumn, 'yields'> {
  /** Preferred number of cells; the rest of the row for content without a limit. */
  readonly cells: number | 'rest';
  /** Minimum number of cells; the preferred number if omitted. */
  readonly least?: number;
}

/** One whose width has steps of its own. */
export interface SteppedColumn<Item> extends DrawnColumn<Item>, FittableColumn {}

/** Columns in the cells they have. */
export interface FittedTable<Item> extends Gaps {
  readonly fitted: readonly FittedCells<DrawnColumn<Item>>[];
}

interface Gaps {
  /** Cells in front of the first column: the mark of the cursor and a blank, or more marks. */
  readonly margin: number;
  /** Cells between two columns. */
  readonly gap: number;
}

export const GAPS: Gaps = { margin: 2, gap: 2 };

/** The columns that fit on a screen of this width. */
export const fitTable = <Item>(
  columns: readonly (ListColumn<Item> | SteppedColumn<Item>)[],
  screen: number,
  { margin, gap } = GAPS,
): FittedTable<Item> => ({
  margin,
  gap,
  fitted: fitColumns(
    columns.map(column => ('steps' in column ? column : { ...column, steps: stepsOf(column) })),
    { room: screen - margin, gap },
  ),
});

function stepsOf<Item>({ cells, least, align }: ListColumn<Item>): FittableColumn['steps'] {
  if (cells === 'rest') return [least ?? 0, least ?? 0, least ?? 0, Number.POSITIVE_INFINITY];
  return align === 'right' ? [least ?? cells, cells] : [least ?? cells, least ?? cells, cells];
}

/** Behind the title of the column that the rows are sorted by. */
export const sortMark = (isDescending: boolean): SafeText => (isDescending ? safeText`\u25bc` : safeText`\u25b2`);

/** `columns 1-7 of 9`, or `columns 1, 4-8 of 9`; in brief `cols 1-7/9`; empty where all have room. */
export function columnsRangeText({ shown, hiddenLeft, hiddenRight }: ScrolledColumns, isBrief = false): string {
  if (hiddenLeft + hiddenRight === 0) return '';
  const all = hiddenLeft + shown + hiddenRight;
  const [word, of] = isBrief ? ['col', '/'] : ['column', ' of '];
  if (shown === 1) return `${word} 1${of}${all}`;
  const [from, to] = [hiddenLeft === 0 ? 1 : hiddenLeft + 2, hiddenLeft + shown];
  return `${word}s ${hiddenLeft === 0 ? '' : '1, '}${from === to ? to : `${from}-${to}`}${of}${all}`;
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
