import { simpleWidth } from '../../../base/text/cluster-width.ts';
import { codeBytes, SPACE, TAIL } from './glyph-table.ts';
import type { Grid } from './grid.ts';
import { type CursorPlace, Pen, UNKNOWN, wayBytes } from './pen.ts';
import { planScroll, rowsAfter, type ScrollPlan, scrollSequence } from './scroll-plan.ts';
import { PLAIN, styleChange } from './style-table.ts';

interface DiffOptions {
  /** The terminal has scroll regions. */
  readonly canScroll: boolean;
  /** Where the cursor is before. */
  readonly from: CursorPlace;
  /** Where it has to be afterwards; null when that does not matter, since it is hidden. */
  readonly cursor: CursorPlace | null;
}

interface FrameDiff {
  readonly text: string;
  /** As they arrive at the terminal. */
  readonly bytes: number;
  readonly place: CursorPlace;
}

/**
 * What to write to a terminal that shows `previous` in order that it shows `next`; both of one size, the style plain
 * before and after. Without `previous` whatever it shows is erased first.
 */
export function diffFrames(previous: Grid | undefined, next: Grid, options: DiffOptions): FrameDiff {
  if (previous === undefined) return paint(new Painter(undefined, next, options.from), START_OVER, options);
  const still = paint(new Painter(previous, next, options.from), '', options);
  if (!options.canScroll || still.bytes < WORTH_A_SCROLL) return still;
  const plan = planScroll(previous, next);
  if (plan === undefined) return still;
  const moved = paint(new Painter(previous, next, NOWHERE, plan), scrollSequence(plan, next.rows), options);
  return moved.bytes < still.bytes ? moved : still;
}

// Initial character set, margins and style, then everything erased.
const START_OVER = '\u000f\u001b(B\u001b[r\u001b[m\u001b[H\u001b[J';
const NOWHERE: CursorPlace = { row: UNKNOWN, column: UNKNOWN };
const WORTH_A_SCROLL = 64;
/** Erases this number of cells from the cursor on. */
const erasure = (cells: number): string => `\u001b[${cells}X`;
const ERASE_TO_END = '\u001b[K';
const MAX_GAP_CELLS = 8;

function paint(painter: Painter, prefix: string, { cursor }: DiffOptions): FrameDiff {
  const { pen } = painter;
  pen.text = prefix;
  pen.bytes = prefix.length + (prefix.split('\n').length - 1);
  painter.paintRows();
  pen.restyle(PLAIN);
  if (cursor !== null) pen.moveTo(cursor.row, cursor.column);
  return { text: pen.text, bytes: pen.bytes, place: pen.place };
}

class Painter {
  readonly pen: Pen;
  readonly #previous: Grid | undefined;
  readonly #next: Grid;
  readonly #sources: Int32Array | undefined;
  /** From a cell of the row being painted to the cell it had before; NaN when that was blank. */
  #shift = 0;

  constructor(previous: Grid | undefined, next: Grid, from: CursorPlace, plan?: ScrollPlan) {
    this.#previous = previous;
    this.#next = next;
    this.#sources = plan && rowsAfter(plan, next.rows);
    this.pen = new Pen(next, previous === undefined ? { row: 0, column: 0 } : from);
  }

  paintRows(): void {
    const { columns, rows } = this.#next;
    for (let row = 0; row < rows; row++) {
      const source = this.#previous === undefined ? -1 : (this.#sources?.[row] ?? row);
      this.#shift = source === -1 ? Number.NaN : (source - row) * columns;
      this.#paintRow(row);
    }
  }

  #paintRow(row: number): void {
    const { columns, glyphs } = this.#next;
    const start = row * columns;
    let at = start;
    let last = start + columns - 1;
    while (at <= last && !this.#hasChanged(at)) at++;
    if (at > last) return;
    while (!this.#hasChanged(last)) last--;
    const erased = this.#erasedFrom(at, last, start + columns);
    for (; at <= last && at < erased; at++) {
      if (!this.#hasChanged(at)) continue;
      // Marks that came late may have changed the width of a character and nothing else.
      while (glyphs[at] === TAIL) at--;
      this.#reach(row, at - start, this.#next.styles[at] ?? PLAIN);
      const blanks = this.#changedBlanks(at, last);
      if (blanks > this.#eraseBytes(at, blanks, last)) at += this.#erase(blanks) - 1;
      else at += this.#put(at) - 1;
    }
    if (erased > last) return;
    this.#reach(row, erased - start, PLAIN);
    this.pen.restyle(PLAIN);
    this.pen.write(ERASE_TO_END);
  }

  /** From where the rest of the row is better erased than overwritten. */
  #erasedFrom(first: number, last: number, rowEnd: number): number {
    let from = rowEnd;
    while (from > first && this.#next.isBlank(from - 1)) from--;
    while (from <= last && !this.#hasChanged(from)) from++;
    return last - from + 1 > ERASE_TO_END.length ? from : rowEnd;
  }

  /** Blank cells from here to the last one in a row that has changed. */
  #changedBlanks(from: number, last: number): number {
    let changed = from - 1;
    for (let at = from; at <= last && this.#next.isBlank(at); at++) if (this.#hasChanged(at)) changed = at;
    return changed - from + 1;
  }

  /** Bytes to erase so many cells, and to get behind them if more follows. */
  #eraseBytes(at: number, cells: number, last: number): number {
    const bytes = erasure(cells).length;
    return at + cells > last ? bytes : 2 * bytes;
  }

  /** Erases cells in the plain style; the cursor stays in front of them. */
  #erase(cells: number): number {
    this.pen.restyle(PLAIN);
    this.pen.write(erasure(cells));
    return cells;
  }

  #hasChanged(at: number): boolean {
    if (this.#previous === undefined || Number.isNaN(this.#shift)) return !this.#next.isBlank(at);
    const { glyphs, styles } = this.#previous;
    const before = at + this.#shift;
    return glyphs[before] !== this.#next.glyphs[at] || styles[before] !== this.#next.styles[at];
  }

  /** Writes a character; returns the cells it takes. */
  #put(at: number): number {
    const { columns, glyphs, styles } = this.#next;
    const rowEnd = at - (at % columns) + columns;
    let width = 1;
    while (at + width < rowEnd && glyphs[at + width] === TAIL) width++;
    this.pen.put(glyphs[at] ?? SPACE, width, styles[at] ?? PLAIN);
    return width;
  }

  /** Moves the cursor there: by a cursor movement, or by writing the characters in between again if that is shorter. */
  #reach(row: number, column: number, style: number): void {
    const { pen } = this;
    if (pen.row === row && pen.column === column) return;
    const isBehind = pen.row === row && pen.column !== UNKNOWN && pen.column <= column;
    const from = isBehind ? pen.column : 0;
    const move = wayBytes(pen.wayTo(row, column)) + styleChange(pen.style, style).length;
    const start = row * this.#next.columns;
    const gap = this.#gapBytes(start + from, start + column, style);
    if (gap + wayBytes(pen.wayTo(row, from)) > move) {
      pen.moveTo(row, column);
      return;
    }
    pen.moveTo(row, from);
    for (let at = start + from; at < start + column; ) at += this.#put(at);
  }

  #gapBytes(from: number, to: number, style: number): number {
    const { glyphs, styles } = this.#next;
    if (to - from > MAX_GAP_CELLS || glyphs[from] === TAIL) return Number.POSITIVE_INFINITY;
    let bytes = 0;
    let current = this.pen.style;
    for (let at = from; at < to; at++) {
      const glyph = glyphs[at] ?? SPACE;
      if (glyph === TAIL) continue;
      if (simpleWidth(glyph) === 0) return Number.POSITIVE_INFINITY;
      const own = styles[at] ?? PLAIN;
      bytes += codeBytes(glyph) + styleChange(current, own).length;
      current = own;
    }
    return bytes + styleChange(current, style).length;
  }
}
