import { GlyphTable, SPACE, TAIL } from './glyph-table.ts';
import { PLAIN } from './style-table.ts';

/** The cells of a screen, row by row: their characters and styles. */
export class Grid {
  readonly columns: number;
  readonly rows: number;
  readonly glyphs: Int32Array;
  readonly styles: Int32Array;
  /** What the glyphs stand for: grids that are compared share it. */
  readonly table: GlyphTable;

  constructor(columns: number, rows: number, table: GlyphTable = new GlyphTable()) {
    this.table = table;
    this.columns = columns;
    this.rows = rows;
    this.glyphs = new Int32Array(columns * rows).fill(SPACE);
    this.styles = new Int32Array(columns * rows);
  }

  /** Takes over the cells of a grid of the same size. */
  copyFrom(other: Grid): void {
    this.glyphs.set(other.glyphs);
    this.styles.set(other.styles);
  }

  /** The same cells, with a table that knows nothing else. */
  renumbered(): Grid {
    const grid = new Grid(this.columns, this.rows);
    grid.styles.set(this.styles);
    grid.glyphs.set(this.glyphs.map(glyph => grid.table.glyphOf(this.table.textOf(glyph))));
    return grid;
  }

  /** The upper left part, in another size; a wide character that is cut goes. */
  resized(columns: number, rows: number): Grid {
    const grid = new Grid(columns, rows, this.table);
    const width = Math.min(columns, this.columns);
    for (let row = 0; row < Math.min(rows, this.rows); row++) {
      const from = row * this.columns;
      const isCut = this.glyphs[from + width] === TAIL && width < this.columns;
      const copied = isCut ? this.headOf(from + width) - from : width;
      grid.glyphs.set(this.glyphs.subarray(from, from + copied), row * columns);
      grid.styles.set(this.styles.subarray(from, from + copied), row * columns);
    }
    return grid;
  }

  /** Where the character begins that covers this cell. */
  headOf(at: number): number {
    let head = at;
    while (head > 0 && this.glyphs[head] === TAIL) head--;
    return head;
  }

  /** Blanks cells of one row; of a wide character that is hit in part nothing stays. */
  blank(from: number, to: number, style: number): void {
    if (from >= to) return;
    const start = this.headOf(from);
    let end = to;
    while (end % this.columns !== 0 && this.glyphs[end] === TAIL) end++;
    this.glyphs.fill(SPACE, start, end);
    this.styles.fill(style, start, end);
  }

  /** Moves everything up a row. */
  scrollUp(style: number): void {
    const last = this.columns * (this.rows - 1);
    this.glyphs.copyWithin(0, this.columns);
    this.styles.copyWithin(0, this.columns);
    this.glyphs.fill(SPACE, last);
    this.styles.fill(style, last);
  }

  isBlank(at: number): boolean {
    return this.glyphs[at] === SPACE && this.styles[at] === PLAIN;
  }
}
