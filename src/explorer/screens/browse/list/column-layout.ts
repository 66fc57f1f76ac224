import { EMPTY } from '../../../../base/text/safe-text.ts';
import { widthCells } from '../../../../base/text/width.ts';
import { kindFormat } from '../../../../chain/insight/kind.ts';
import { nameInCell, sampleRows } from '../../../../chain/resources/cell.ts';
import { cachedColumnForm, cellText } from '../../../../chain/resources/cell-text.ts';
import { isAnswerColumn } from '../../../../chain/resources/columns.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Resource, Row } from '../../../../chain/resources/resource.ts';
import type { ScrolledColumns } from '../../../core/table.ts';
import { type ListViewport, listPanes } from '../panes.ts';
import type { BrowseState, LoadedPage } from '../state.ts';
import { BAR_CELLS, largestShare } from './share-bars.ts';
import { groupedLines } from './table-lines.ts';
import { shownColumns } from './visible-rows.ts';

/** A column that fits on the screen, and its cells. */
export interface FittedColumn {
  readonly column: Column;
  readonly cells: number;
  /** The cells before the figure, for its bar; the largest share fills them. */
  readonly bar?: { readonly cells: number; readonly largest: bigint };
}

/** The drawn columns; the first one is always shown, the others scroll to its right. */
export interface ColumnLayout extends ColumnFit {
  /** All columns, those that get room first in front. */
  readonly order: readonly string[];
}

interface ColumnFit extends ScrolledColumns {
  readonly fitted: readonly FittedColumn[];
}

const MAX_COLUMN_CELLS = 90;

/** Cells left and right of the rows, for the marks of the selected row and of columns that are hidden. */
const GUTTER = 2;
const RIGHT_GUTTER = 2;

interface CachedLayout {
  readonly choice: string;
  readonly names: BrowseState['names'];
  readonly layout: ColumnLayout;
}

const layouts = new WeakMap<LoadedPage, CachedLayout>();

/** The columns that a table with this number of cells shows. */
export function columnLayout(
  resource: Resource,
  browser: BrowseState,
  page: LoadedPage,
  tableCells: number,
): ColumnLayout {
  const room = tableCells - GUTTER - RIGHT_GUTTER;
  const { namesLaidOut: names, times } = browser;
  const shown = shownColumns(resource, browser);
  const columns = columnsInGroups(resource, browser, shown);
  const ids = columns.map(({ id }) => id);
  const choice = [room, browser.view.left, browser.sort?.column, times, ...ids].join(' ');
  const known = layouts.get(page);
  if (known?.choice === choice && known.names === names) return known.layout;
  const widths = columns.map(column => columnWidth(column, page, browser));
  // However they are scrolled they have one order.
  const order = minTotalCells(widths) <= room ? widths : orderColumnsToFit(widths.map(withoutOutliers), room);
  const fitting = layOutColumns(order, browser.view.left, room);
  const layout = { ...fitting, order: order.map(({ column }) => shown[columns.indexOf(column)]?.id ?? column.id) };
  layouts.set(page, { choice, names, layout });
  return layout;
}

// Below a group heading, a row is shown with only its own part of the name.
function columnsInGroups(resource: Resource, browser: BrowseState, columns: readonly Column[]): readonly Column[] {
  const { groupOf } = resource;
  const [first, ...others] = columns;
  if (groupOf === undefined || first === undefined || groupedLines(resource, browser) === undefined) return columns;
  const name = (row: Row): string => {
    const { title, name } = groupOf(row);
    return title === '' ? name : `  ${name}`;
  };
  return [{ ...first, id: `${first.id}${IN_GROUP}`, value: name }, ...others];
}

const IN_GROUP = ' in its group';

/** The id of the column in the descriptor: below a heading of groups the first one is called by something else. */
export const descriptorColumnId = (id: string): string => (id.endsWith(IN_GROUP) ? id.slice(0, -IN_GROUP.length) : id);

function columnWidth(column: Column, page: LoadedPage, { namesLaidOut: names, sort }: BrowseState): ColumnWidth {
  const isAnswer = isAnswerColumn(column, page.request.filters);
  const { titles } = cachedColumnForm(column, page, names);
  const [longest = 0, usual = longest, shortest = usual] = titles.map(widthCells);
  // The column that is sorted by has a mark behind its title.
  const mark = column.id === sort?.column ? 2 : 0;
  const { cells, usualCells, nameCells } = measureColumn(column, page, names);
  const enough = Math.min(Math.max(cells, usual), MAX_COLUMN_CELLS);
  const least = Math.max(leastWidth(column, enough, { title: usual, nameCells }), mark && usual + mark);
  const fewest = Math.min(Math.max(cells, shortest + mark), least);
  return {
    column,
    natural: Math.min(Math.max(cells, longest), MAX_COLUMN_CELLS),
    easy: isIdKind(column) ? Math.max(least, Math.min(nameCells, MAX_COLUMN_CELLS)) : Math.max(enough, least),
    largestShare: largestShare(column, page),
    least,
    narrow: narrowWidth(column, fewest, { title: usual, nameCells }),
    ...(isNumber(column) && { withoutOutliers: Math.min(least, Math.max(usual + mark, usualCells, ENOUGH_NUMBER)) }),
    isAnswer,
  };
}

/** Chooses columns and widths: least widths first, as many as fit, then the room left goes to those cut. */
function layOutColumns(columns: readonly ColumnWidth[], left: number, room: number): ColumnFit {
  const [first, ...others] = columns;
  if (first === undefined) return { fitted: [], shown: 0, hiddenLeft: 0, hiddenRight: 0 };
  // Columns scrolled past, at most: no more than it takes to see the last one.
  let start = Math.min(left, Math.max(0, others.length - 1));
  while (start > 0 && minTotalCells([first, ...others.slice(start - 1)]) <= room) start--;
  const candidates = [first, ...others.slice(start)];
  let count = candidates.length;
  while (count > 1 && minTotalCells(candidates.slice(0, count)) > room) count--;
  // A column too wide for the remaining room is shown cut: otherwise it could never be reached.
  const second = candidates[1];
  const isSqueezed = count === 1 && second !== undefined && room - first.least - BETWEEN >= MIN_USEFUL_CELLS;
  const fitting = isSqueezed ? [first, { ...second, least: room - first.least - BETWEEN }] : candidates.slice(0, count);
  const isWhole = hasAnswers(columns, room);
  const bars = hasRoomForBars(fitting, room) ? BAR_CELLS : 0;
  const barOf = (width: ColumnWidth): number => (width.largestShare > 0n ? bars : 0);
  const natural = (width: ColumnWidth): number =>
    isWhole || !isId(width) ? width.natural : Math.max(width.least, Math.min(width.natural, KNOWN_BY));
  const easy = (width: ColumnWidth): number => Math.min(width.easy, natural(width));
  // All digits of an id and the longest titles come last.
  const stages = [easy, natural];
  const widened = stages.reduce<readonly number[]>(
    (wide, stage) =>
      shareSpareCells(
        wide,
        fitting.map(width => barOf(width) + stage(width)),
        room - minTotalCells(wide.map(least => ({ least }))),
      ),
    fitting.map(width => width.least + barOf(width)),
  );
  const fitted = fitting.map((width, index) => {
    const cells = Math.min(widened[index] ?? 0, room);
    return {
      column: width.column,
      cells,
      ...(barOf(width) > 0 && { bar: { cells: barOf(width), largest: width.largestShare } }),
    };
  });
  return { fitted, shown: fitted.length, hiddenLeft: start, hiddenRight: candidates.length - fitting.length };
}

/** Whether shares can have bars without anything being cut for it but the digits of ids and the longest titles. */
function hasRoomForBars(columns: readonly ColumnWidth[], room: number): boolean {
  const wanted = columns.map(width => width.easy + (width.largestShare > 0n ? BAR_CELLS : 0));
  return minTotalCells(wanted.map(least => ({ least }))) <= room;
}

/** `8a2f..01be` */
const KNOWN_BY = 10;

/** Fewer are not worth a look. */
const MIN_USEFUL_CELLS = 6;

/** Shares the room left evenly among the columns that are cut, until no column is cut or no room is left. */
function shareSpareCells(least: readonly number[], natural: readonly number[], room: number): readonly number[] {
  const wide = [...least];
  let left = Math.max(0, room);
  for (;;) {
    const cut = wide.flatMap((cells, index) => (cells < (natural[index] ?? 0) ? [index] : []));
    const share = Math.floor(left / cut.length);
    if (cut.length === 0 || share === 0) return wide;
    for (const index of cut) {
      const extra = Math.min(share, (natural[index] ?? 0) - (wide[index] ?? 0));
      wide[index] = (wide[index] ?? 0) + extra;
      left -= extra;
    }
  }
}

interface ColumnMeasures {
  readonly cells: number;
  /** Half of the rows need no more. */
  readonly usualCells: number;
  /** Of those that are names. */
  readonly nameCells: number;
}

const columnMeasures = new WeakMap<
  LoadedPage,
  { readonly names: BrowseState['names']; readonly columns: Map<string, ColumnMeasures> }
>();

// Widths come from a sample of the page, so they stand still while it is scrolled.
function measureColumn(column: Column, page: LoadedPage, names: BrowseState['names']): ColumnMeasures {
  const cached = columnMeasures.get(page);
  const known = cached?.names === names ? cached : { names, columns: new Map<string, ColumnMeasures>() };
  columnMeasures.set(page, known);
  // Times of the clock have other titles, and other widths.
  const key = `${column.id} ${column.title}`;
  const found = known.columns.get(key);
  if (found !== undefined) return found;
  const rows = sampleRows(page.rows);
  const widths = rows.map(row => widthCells(cellText(column, row, page, names))).toSorted((one, other) => one - other);
  const nameCells = rows.reduce((most, row) => Math.max(most, widthCells(nameInCell(column, row, names) ?? EMPTY)), 0);
  const made = { cells: widths.at(-1) ?? 0, usualCells: widths[Math.floor(widths.length / 2)] ?? 0, nameCells };
  known.columns.set(key, made);
  return made;
}

/** A column as the layout sees it: the cells it would like, and how few it can do with. */
interface ColumnWidth {
  readonly column: Column;
  readonly natural: number;
  /** Nothing is cut but the digits of ids and the longest form of a title. */
  readonly easy: number;
  readonly least: number;
  /** Where answers would have no room otherwise: of an id its first digits, of a name or a text its beginning. */
  readonly narrow: number;
  /** Of numbers: enough for most, the others are shortened. */
  readonly withoutOutliers?: number;
  readonly isAnswer: boolean;
  /** The largest share, to which the bars relate if there is room for them; 0 for other columns. */
  readonly largestShare: bigint;
}

const BETWEEN = 2;

const minTotalCells = (columns: readonly { readonly least: number }[]): number =>
  columns.reduce((sum, { least }) => sum + least + BETWEEN, -BETWEEN);

/**
 * The columns in the order in which they have room: that of the list, as long as all that answers is on the screen. Else
 * ids give way, then times, then everything else: first their cells, then their place to what answers.
 */
function orderColumnsToFit(columns: readonly ColumnWidth[], room: number): readonly ColumnWidth[] {
  const steps: readonly NarrowingStep[] = [
    given => given,
    given => given.map(width => (isId(width) && !width.isAnswer ? toNarrowWidth(width) : width)),
    given => given.map(width => (isId(width) ? toNarrowWidth(width) : width)),
    given => moveToEnd(given, isId),
    given => moveToEnd(given, isTime),
    given => moveToEnd(given, () => true),
    given => given.map(width => (width.isAnswer ? toNarrowWidth(width) : width)),
  ];
  let order = columns;
  for (const step of steps) {
    order = step(order);
    if (hasAnswers(order, room)) return order;
  }
  return order;
}

type NarrowingStep = (given: readonly ColumnWidth[]) => readonly ColumnWidth[];

/** Whether every column that answers has room. */
const hasAnswers = (columns: readonly ColumnWidth[], room: number): boolean =>
  minTotalCells(columns.slice(0, columns.findLastIndex(({ isAnswer }) => isAnswer) + 1)) <= room;

/** Whether it holds ids: no more of one is shown than it takes to know it, while an answer is off the screen. */
const isId = ({ column }: ColumnWidth): boolean => isIdKind(column);
const isIdKind = ({ kind }: Column): boolean => kind === 'id' || kind === 'address';
const isTime = ({ column }: ColumnWidth): boolean => column.kind === 'time' || column.kind === 'unix-time';

/** A single number with many digits, which anyone may have sent, takes no room from other columns. */
const withoutOutliers = (width: ColumnWidth): ColumnWidth =>
  width.withoutOutliers === undefined ? width : { ...width, least: width.withoutOutliers, easy: width.withoutOutliers };

const isNumber = ({ kind }: Column): boolean => kindFormat(kind).within !== undefined;

const toNarrowWidth = (width: ColumnWidth): ColumnWidth => ({ ...width, least: Math.min(width.least, width.narrow) });

/** The first column stays: it identifies the row. */
const moveToEnd = (
  columns: readonly ColumnWidth[],
  isGiving: (width: ColumnWidth) => boolean,
): readonly ColumnWidth[] => {
  const [first] = columns;
  const gives = (width: ColumnWidth): boolean => width !== first && !width.isAnswer && isGiving(width);
  return [...columns.filter(width => !gives(width)), ...columns.filter(gives)];
};

interface MinWidthInput {
  /** Cells of its title. */
  readonly title: number;
  /** Cells of the longest name of its ids; 0 without names. */
  readonly nameCells: number;
}

/** What a column can do with: enough to recognise a value, a number whole. */
function leastWidth({ kind, isAnswer }: Column, natural: number, { title, nameCells }: MinWidthInput): number {
  const { enough, align, isWord } = kindFormat(kind);
  if (enough > 0) return Math.max(Math.min(natural, enough), Math.min(nameCells, ENOUGH_NAME), title);
  if (align === 'right' || isWord === true) return natural;
  return Math.min(natural, isAnswer === true ? ENOUGH_ANSWER : ENOUGH_TEXT);
}

/** The width to use when answers would have no room: `8a2f` of an id. */
function narrowWidth({ kind }: Column, least: number, { title, nameCells }: MinWidthInput): number {
  const few = kind === 'address' ? '0x'.length + FEW_DIGITS : FEW_DIGITS;
  if ((kind === 'id' || kind === 'address') && nameCells === 0)
    return Math.min(least, Math.max(few, Math.min(title, SHORT_TITLE)));
  const { align, isWord } = kindFormat(kind);
  return align === 'right' || isWord === true ? least : Math.min(least, kind === 'name' ? SHORT_NAME : SHORT_TEXT);
}

const ENOUGH_TEXT = 14;

/** What a text answers is seldom in its first words. */
const ENOUGH_ANSWER = 24;
const ENOUGH_NAME = 16;
/** `12 345 678 901.23`, or some digits with their magnitude and unit. */
const ENOUGH_NUMBER = 20;
const SHORT_TEXT = 10;
const SHORT_NAME = 16;
const FEW_DIGITS = 4;
const SHORT_TITLE = 6;

/** Id of the column whose cell is marked, while the screen shows it: keys never start from a hidden cell. */
export function markedColumn(list: BrowseState, place: ListViewport): string | null {
  const resource = resourceById(list.resource);
  const { page, inspector, cellColumn } = list;
  if (resource === undefined || page === null || inspector !== null || cellColumn === null) return null;
  const { fitted } = columnLayout(resource, list, page, listPanes(list, place).tableColumns);
  return fitted.some(({ column }) => descriptorColumnId(column.id) === cellColumn) ? cellColumn : null;
}
