import {
  type FittableColumn,
  fitColumns,
  lineCells,
  type ScrolledColumns,
  scrollColumns,
} from '../../../../base/text/fit-columns.ts';
import { EMPTY } from '../../../../base/text/safe-text.ts';
import { widthCells } from '../../../../base/text/width.ts';
import { kindFormat } from '../../../../chain/insight/kind.ts';
import { nameInCell, sampleRows } from '../../../../chain/resources/cell.ts';
import { cachedColumnForm, cellText } from '../../../../chain/resources/cell-text.ts';
import { isAnswerColumn } from '../../../../chain/resources/columns.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Resource, Row } from '../../../../chain/resources/resource.ts';
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

/** Chooses columns with the fewest cells of each, as many as fit; then the room left goes to those that are cut. */
function layOutColumns(order: readonly ColumnWidth[], left: number, room: number): ColumnFit {
  const line = { room, gap: BETWEEN };
  const isWhole = hasAnswers(order, room);
  const leastCut = (_: unknown, behind: number) => (behind === 1 ? MIN_USEFUL_CELLS : undefined);
  const wanted = order.map(width => ({ width, steps: widthSteps(width, isWhole) }));
  const { columns, ...scrolled } = scrollColumns(wanted, { ...line, past: left, leastCut });
  const barred = columns.map(column => (column.width.largestShare > 0n ? withRoomForBar(column) : column));
  // Shares have bars where nothing is cut for it but the digits of ids and the longest titles.
  const hasBars = lineCells(barred, BETWEEN, 1) <= room;
  const fitted = fitColumns(hasBars ? barred : columns, line).map(({ column: { width }, cells }) => ({
    column: width.column,
    cells,
    ...(hasBars && width.largestShare > 0n && { bar: { cells: BAR_CELLS, largest: width.largestShare } }),
  }));
  return { fitted, ...scrolled };
}

/** All digits of an id and the longest titles come last; the digits not at all while an answer is off the screen. */
function widthSteps(width: ColumnWidth, isWhole: boolean): FittableColumn['steps'] {
  const { least, easy, natural } = width;
  const most = isWhole || !isId(width) ? natural : Math.max(least, Math.min(natural, KNOWN_BY));
  return [least, Math.min(easy, most), most];
}

function withRoomForBar<Column extends FittableColumn>(column: Column): Column {
  const [least, ...more] = column.steps;
  return { ...column, steps: [least + BAR_CELLS, ...more.map(cells => cells + BAR_CELLS)] };
}

/** `8a2f..01be` */
const KNOWN_BY = 10;

/** Fewer are not worth a look. */
const MIN_USEFUL_CELLS = 6;

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
