import { simpleWidth } from '../../../base/text/cluster-width.ts';
import type { Grid } from './grid.ts';
import { PLAIN, styleChange } from './style-table.ts';

const ESC = '\u001b[';
/** A row or column that is not known. */
export const UNKNOWN = -1;

/** Where the terminal's cursor is. */
export interface CursorPlace {
  readonly row: number;
  readonly column: number;
}

/**
 * Writes cells to a terminal whose cursor and style it keeps track of, with what a VT100 understands. Knows how many
 * bytes that takes at the terminal's end: a line feed is two, since the driver puts a carriage return before it.
 */
export class Pen {
  text = '';
  bytes = 0;
  row: number;
  /** `columns` when the last cell of the row was written: the cursor waits there, and terminals differ in how. */
  column: number;
  style = PLAIN;
  readonly #columns: number;
  readonly #table: Grid['table'];

  constructor({ columns, table }: Grid, { row, column }: CursorPlace) {
    this.#columns = columns;
    this.#table = table;
    this.row = row;
    this.column = column;
  }

  get place(): CursorPlace {
    return { row: this.row, column: this.column };
  }

  /** Writes a sequence that does not change cursor or style. */
  write(sequence: string): void {
    this.text += sequence;
    this.bytes += sequence.length;
  }

  restyle(style: number): void {
    if (style === this.style) return;
    this.write(styleChange(this.style, style));
    this.style = style;
  }

  put(glyph: number, width: number, style: number): void {
    this.restyle(style);
    // What stood there before would show in the cells that a terminal does not take.
    if (this.column !== UNKNOWN && this.#table.mayTakeFewer(glyph))
      this.write(`${' '.repeat(width)}${ESC}${this.row + 1};${this.column + 1}H`);
    this.text += this.#table.textOf(glyph);
    this.bytes += this.#table.bytesOf(glyph);
    // Terminals disagree on the width of emoji and of clusters: whatever comes next is placed, not appended.
    this.column = simpleWidth(glyph) > 0 && this.column !== UNKNOWN ? this.column + width : UNKNOWN;
  }

  moveTo(row: number, column: number): void {
    const way = this.wayTo(row, column);
    this.text += way;
    this.bytes += wayBytes(way);
    this.row = row;
    this.column = column;
  }

  /** The shortest sequence that leads there. */
  wayTo(row: number, column: number): string {
    if (row === this.row && column === this.column) return '';
    let best = column === 0 ? `${ESC}${row === 0 ? '' : row + 1}H` : `${ESC}${row + 1};${column + 1}H`;
    if (this.row === UNKNOWN) return best;
    const isColumnSure = this.column !== UNKNOWN && this.column < this.#columns;
    const vertical = upOrDown(row - this.row);
    const downRows = row - this.row;
    const ways = [
      downRows > 0 && downRows < 4 ? `${'\n'.repeat(downRows)}${sideways(0, column)}` : best,
      isColumnSure ? vertical + sideways(this.column, column) : best,
      isColumnSure || vertical === '' ? `${vertical}\r${sideways(0, column)}` : best,
    ];
    for (const way of ways) if (wayBytes(way) < wayBytes(best)) best = way;
    return best;
  }
}

export function wayBytes(way: string): number {
  let bytes = way.length;
  for (let at = 0; way.charCodeAt(at) === 0x0a; at++) bytes++;
  return bytes;
}

/** A vertical tab goes down as a line feed does, and the driver puts no carriage return before it. */
const MAX_VERTICAL_TABS = 3;

function upOrDown(rows: number): string {
  if (rows === 0) return '';
  if (rows > 0 && rows <= MAX_VERTICAL_TABS) return '\v'.repeat(rows);
  return `${ESC}${counted(Math.abs(rows))}${rows < 0 ? 'A' : 'B'}`;
}

function sideways(from: number, to: number): string {
  if (to >= from) return to === from ? '' : `${ESC}${counted(to - from)}C`;
  if (to === 0) return '\r';
  const back = from - to;
  return back <= 4 ? '\b'.repeat(back) : `${ESC}${counted(back)}D`;
}

const counted = (count: number): string => (count === 1 ? '' : `${count}`);
