import { simpleWidth } from '../../../base/text/cluster-width.ts';
import { clusters } from '../../../base/text/clusters.ts';
import { type GlyphTable, TAIL } from './glyph-table.ts';
import { Grid } from './grid.ts';
import { erasedStyle, PLAIN, styleAfter } from './style-table.ts';

/** The screen that a terminal would show after the written output: cells, cursor, current style. */
export class ScreenModel {
  grid: Grid;
  row = 0;
  /** Equal to the columns when the last cell of a row was just written, and the next character would wrap. */
  column = 0;
  isCursorVisible = true;
  /** Otherwise text too long for a row overwrites its last cell (the mode DECAWM). */
  isWrapping = true;
  #style = PLAIN;

  constructor(columns: number, rows: number, table?: GlyphTable) {
    this.grid = new Grid(columns, rows, table);
  }

  /** Everything blank, the cursor at home. */
  reset(columns: number, rows: number): void {
    this.grid = new Grid(columns, rows);
    this.#style = PLAIN;
    this.moveTo(0, 0);
  }

  /** Preserves the upper left part: a program that learns the new size redraws from the top. */
  resize(columns: number, rows: number): void {
    this.grid = this.grid.resized(columns, rows);
    this.moveTo(this.row, this.column);
  }

  /** Forgets all characters that are no longer on the screen. */
  renumber(): void {
    this.grid = this.grid.renumbered();
  }

  print(text: string): void {
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      const width = simpleWidth(code);
      // The next character may be a mark that belongs to this one.
      const isAlone = width > 0 && (at + 1 === text.length || simpleWidth(text.charCodeAt(at + 1)) > 0);
      if (isAlone) {
        this.#put(code, width);
        at++;
      } else at = this.#printClusters(text, at);
    }
  }

  /** False for a control character that it does not know. */
  control(character: string): boolean {
    switch (character) {
      case '\n':
        // The terminal driver adds the carriage return, in raw mode too (libuv leaves ONLCR on); Ink relies on it.
        this.column = 0;
        this.#lineFeed();
        return true;
      case '\r':
        this.column = 0;
        return true;
      case '\b':
        this.moveTo(this.row, Math.min(this.column, this.grid.columns - 1) - 1);
        return true;
      case '\t':
        this.moveTo(this.row, (Math.floor(this.column / 8) + 1) * 8);
        return true;
      default:
        return false;
    }
  }

  /** False for a sequence that it does not know. */
  csi(parameters: string, final: string): boolean {
    if (final === 'm' && /^[\d;:]*$/.test(parameters)) {
      this.#style = styleAfter(this.#style, parameters);
      return true;
    }
    if (final === 'h' || final === 'l') {
      return this.#setMode(parameters, final === 'h');
    }
    if (!/^\d*(?:;\d*)?$/.test(parameters)) return false;
    const [first = '', second = ''] = parameters.split(';');
    return this.#erase(first, final) || this.#move(Number(first), Number(second), final);
  }

  #setMode(mode: string, isOn: boolean): boolean {
    if (mode === '?25') this.isCursorVisible = isOn;
    else if (mode === '?7') this.isWrapping = isOn;
    else return false;
    return true;
  }

  moveTo(row: number, column: number): void {
    this.row = Math.max(0, Math.min(row, this.grid.rows - 1));
    this.column = Math.max(0, Math.min(column, this.grid.columns - 1));
  }

  #move(first: number, second: number, final: string): boolean {
    const count = Math.max(1, first);
    const column = Math.min(this.column, this.grid.columns - 1);
    switch (final) {
      case 'A':
        this.moveTo(this.row - count, column);
        return true;
      case 'B':
        this.moveTo(this.row + count, column);
        return true;
      case 'C':
        this.moveTo(this.row, column + count);
        return true;
      case 'D':
        this.moveTo(this.row, column - count);
        return true;
      case 'E':
        this.moveTo(this.row + count, 0);
        return true;
      case 'F':
        this.moveTo(this.row - count, 0);
        return true;
      case 'G':
        this.moveTo(this.row, count - 1);
        return true;
      case 'd':
        this.moveTo(count - 1, column);
        return true;
      case 'H':
      case 'f':
        this.moveTo(count - 1, Math.max(1, second) - 1);
        return true;
      default:
        return false;
    }
  }

  #erase(first: string, final: string): boolean {
    if (final !== 'J' && final !== 'K') return false;
    const { columns, rows } = this.grid;
    const style = erasedStyle(this.#style);
    const start = this.row * columns;
    const cursor = start + Math.min(this.column, columns - 1);
    const which = Number(first);
    // 3 erases the scrollback, which is outside the screen.
    if (which > 2) return final === 'J' && which === 3;
    if (final === 'J') {
      const [from, to] = which === 0 ? [this.row + 1, rows] : [0, which === 1 ? this.row : rows];
      if (which === 2) {
        this.grid.blank(0, columns * rows, style);
        return true;
      }
      this.grid.blank(from * columns, to * columns, style);
    }
    this.grid.blank(which === 0 ? cursor : start, which === 1 ? cursor + 1 : start + columns, style);
    return true;
  }

  /** Prints characters that may join; returns where they end. */
  #printClusters(text: string, from: number): number {
    const { table } = this.grid;
    let end = from + 1;
    while (end < text.length && !(simpleWidth(text.charCodeAt(end)) > 0 && startsAlone(text, end))) end++;
    for (const { segment } of clusters(text.slice(from, end))) {
      const glyph = table.glyphOf(segment);
      const width = table.widthOf(glyph);
      if (width > 0) this.#put(glyph, width);
      else this.#join(segment);
    }
    return end;
  }

  /** Adds a mark to the character before the cursor. */
  #join(mark: string): void {
    if (this.column === 0) return;
    const { glyphs, columns, table } = this.grid;
    const head = this.grid.headOf(this.row * columns + this.column - 1);
    glyphs[head] = table.glyphOf(table.textOf(glyphs[head] ?? 0) + mark);
  }

  #put(glyph: number, width: number): void {
    const { columns, glyphs, styles } = this.grid;
    if (this.column + width > columns) {
      if (width > columns) return;
      if (this.isWrapping) this.#wrap();
      else if (width > 1) {
        this.column = columns - 1;
        return;
      } else this.column = columns - 1;
    }
    const at = this.row * columns + this.column;
    // Only where a wide character is cut there is something left and right to be blanked.
    if (glyphs[at] === TAIL || glyphs[at + width] === TAIL) this.grid.blank(at, at + width, this.#style);
    glyphs[at] = glyph;
    styles[at] = this.#style;
    for (let tail = at + 1; tail < at + width; tail++) {
      glyphs[tail] = TAIL;
      styles[tail] = this.#style;
    }
    this.column += width;
  }

  #wrap(): void {
    const row = this.row * this.grid.columns;
    this.grid.blank(row + this.column, row + this.grid.columns, this.#style);
    this.column = 0;
    this.#lineFeed();
  }

  #lineFeed(): void {
    if (this.row < this.grid.rows - 1) this.row++;
    else this.grid.scrollUp(erasedStyle(this.#style));
  }
}

const startsAlone = (text: string, at: number): boolean =>
  at + 1 === text.length || simpleWidth(text.charCodeAt(at + 1)) > 0;
