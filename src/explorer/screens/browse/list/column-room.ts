import { lookOf } from '../../../../insight/kind.ts';
import type { Column } from '../../../../resources/resource.ts';

/** A column as the layout sees it: the cells it would like, and how few it can do with. */
export interface ColumnWidth {
  readonly column: Column;
  readonly natural: number;
  readonly least: number;
  /** Where answers would have no room otherwise: of an id its first digits, of a name or a text its beginning. */
  readonly narrow: number;
  readonly isAnswer: boolean;
}

export const BETWEEN = 2;

export const cellsOf = (columns: readonly { readonly least: number }[]): number =>
  columns.reduce((sum, { least }) => sum + least + BETWEEN, -BETWEEN);

/**
 * The columns in the order in which they have room: that of the list, as long as all that answers is on the screen. Else
 * ids give way, then times, then everything else: first their cells, then their place to what answers. An order that was
 * made by hand stays.
 */
export function arranged(columns: readonly ColumnWidth[], room: number, isByHand: boolean): readonly ColumnWidth[] {
  const steps: readonly Step[] = [
    given => given,
    given => given.map(width => (isId(width) && !width.isAnswer ? narrowed(width) : width)),
    given => given.map(width => (isId(width) ? narrowed(width) : width)),
    ...(isByHand ? [] : MOVES),
    given => given.map(width => (width.isAnswer ? narrowed(width) : width)),
  ];
  let order = columns;
  for (const step of steps) {
    order = step(order);
    if (hasAnswers(order, room)) return order;
  }
  return order;
}

type Step = (given: readonly ColumnWidth[]) => readonly ColumnWidth[];

const MOVES: readonly Step[] = [
  given => behind(given, isId),
  given => behind(given, isTime),
  given => behind(given, () => true),
];

/** Whether every column that answers has room. */
export const hasAnswers = (columns: readonly ColumnWidth[], room: number): boolean =>
  cellsOf(columns.slice(0, columns.findLastIndex(({ isAnswer }) => isAnswer) + 1)) <= room;

/** Whether it holds ids: no more of one is shown than it takes to know it, while an answer is off the screen. */
export const isId = ({ column }: ColumnWidth): boolean => column.kind === 'id' || column.kind === 'address';
const isTime = ({ column }: ColumnWidth): boolean => column.kind === 'time' || column.kind === 'unix-time';

const narrowed = (width: ColumnWidth): ColumnWidth => ({ ...width, least: Math.min(width.least, width.narrow) });

const behind = (columns: readonly ColumnWidth[], isGiving: (width: ColumnWidth) => boolean): readonly ColumnWidth[] => {
  const gives = (width: ColumnWidth): boolean => !width.isAnswer && isGiving(width);
  return [...columns.filter(width => !gives(width)), ...columns.filter(gives)];
};

interface LeastOf {
  /** Cells of its title. */
  readonly title: number;
  /** Cells of the longest name that an id of it has; 0 when none has any. */
  readonly nameCells: number;
}

/** What a column can do with: enough to recognise a value, a number whole. */
export function leastWidth({ kind, isAnswer }: Column, natural: number, { title, nameCells }: LeastOf): number {
  const { enough, align, isWord } = lookOf(kind);
  if (enough > 0) return Math.max(Math.min(natural, enough), Math.min(nameCells, ENOUGH_NAME), title);
  if (align === 'right' || isWord === true) return natural;
  return Math.min(natural, isAnswer === true ? ENOUGH_ANSWER : ENOUGH_TEXT);
}

/** What it does with where answers would have no room: `8a2f` of an id. */
export function narrowWidth({ kind }: Column, least: number, { title, nameCells }: LeastOf): number {
  const few = kind === 'address' ? '0x'.length + FEW_DIGITS : FEW_DIGITS;
  if ((kind === 'id' || kind === 'address') && nameCells === 0)
    return Math.min(least, Math.max(few, Math.min(title, SHORT_TITLE)));
  const { align, isWord } = lookOf(kind);
  return align === 'right' || isWord === true ? least : Math.min(least, kind === 'name' ? SHORT_NAME : SHORT_TEXT);
}

const ENOUGH_TEXT = 14;

/** What a text answers is seldom in its first words. */
const ENOUGH_ANSWER = 24;
const ENOUGH_NAME = 16;
const SHORT_TEXT = 10;
const SHORT_NAME = 16;
const FEW_DIGITS = 4;
const SHORT_TITLE = 6;
