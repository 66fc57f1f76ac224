import type { ValueCheck } from './column-values.ts';
import { RepeatedHeaderDetector } from './csv-header.ts';
import { Utf8Check } from './utf8-check.ts';

const COMMA = 0x2c;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The widest table has a header of 1.1 KiB. */
const HEADER_LIMIT_BYTES = 16 * 1024;
const WATCHED_LIMIT_CHARACTERS = 64;
const LINE_LIMIT_BYTES = 64 * 1024 * 1024;
/** A longer value is not looked at. Deployed nodes write no row of that length. */
const VALUE_LIMIT_BYTES = 1024 * 1024;
/** No value ends there: at the least, one ends at -1, with a carriage return in the piece before. */
const NOWHERE = -2;

/**
 * Checks a CSV that arrives in pieces, its values too, and counts its rows and columns (export-behaviour.md section 3.0). It
 * buffers only the header, one watched field, and a value that is cut between two pieces. Every byte of an export is read
 * here, so this must be fast. A value whose check finds its end is read once, by the check. The rest passes the two inner
 * loops: all special bytes (NUL, LF, CR, quote, comma) are at most 0x2c, inside quotes at most 0x22. One comparison skips
 * most others, and HighByteSkipper four at a time (2.1 GB/s instead of 0.6).
 */
export class CsvScan {
  readonly #listener: CsvScanListener;
  readonly #utf8 = new Utf8Check();
  #mode: 'plain' | 'quoted' | 'after-quote' | 'after-return' | 'stopped' = 'plain';
  #rows = -1;
  #rowsEndedByReturn = 0;
  #column = 0;
  #columns = -1;
  #watched = -1;
  #watchedText = '';
  #notNull: Uint8Array = new Uint8Array();
  /** The first column of the current row that is NULL but must not be. */
  #nullColumn = -1;
  #checks: readonly (ValueCheck | undefined)[] = [];
  /** The first column of the current row whose value cannot stand in it. */
  #wrongColumn = -1;
  #wrongValue = '';
  /** The beginning of the current value, from earlier pieces. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #header: Buffer[] = [];
  #headerBytes = 0;
  #headerRow = new RepeatedHeaderDetector(Buffer.alloc(0), 0);
  #raggedRows = 0;
  #rowsWithNull = 0;
  #rowsWithWrongValue = 0;
  #repeatedHeaders = 0;
  #longestLineBytes = 0;
  #isLongLineReported = false;
  /** Offset of the current piece in the CSV. The following ones are relative to it and may be negative. */
  #pieceOffset = 0;
  #rowStart = 0;
  #lineStart = 0;
  #fieldStart = 0;
  /** The current piece, for checks. */
  #view = viewOf(Buffer.alloc(0));
  /** Where the last value that was right when it was skipped ends. */
  #rightUntil = NOWHERE;
  /** Offset of the last unquoted carriage return. */
  #returnAt = -2;

  constructor(listener: CsvScanListener) {
    this.#listener = listener;
  }

  /** Number of complete rows after the header. */
  get rows(): number {
    return Math.max(0, this.#rows);
  }

  /** Bytes of the longest physical line. Nodes copy by physical lines (export-behaviour.md section 1.7). */
  get longestLineBytes(): number {
    return this.#longestLineBytes;
  }

  /** Bytes up to the end of the last complete row. */
  get wholeRowsBytes(): number {
    return this.#pieceOffset + this.#rowStart;
  }

  /** Rows, including the header, that end with CR LF. Nodes write none. */
  get rowsEndedByReturn(): number {
    return this.#rowsEndedByReturn;
  }

  get isStopped(): boolean {
    return this.#mode === 'stopped';
  }

  /** Counts of the flaws that can be in every row. */
  get counts(): ReadonlyMap<string, number> {
    return new Map<CsvFlaw['flaw'], number>([
      ['columns', this.#raggedRows],
      ['null', this.#rowsWithNull],
      ['value', this.#rowsWithWrongValue],
      ['encoding', this.#utf8.count],
      ['repeated-header', this.#repeatedHeaders],
    ]);
  }

  scan(piece: Buffer): void {
    if (this.#mode === 'stopped') return;
    const bad = this.#utf8.push(piece);
    // Scans up to the bad byte first, to know its row.
    const seam = bad === undefined ? piece.length : Math.max(0, bad);
    this.#scanRows(piece.subarray(0, seam));
    if (bad === undefined) return;
    this.#reportEncoding(bad - seam);
    this.#scanRows(piece.subarray(seam));
  }

  #scanRows(piece: Buffer): void {
    this.#view = viewOf(piece);
    this.#rightUntil = NOWHERE;
    let at = piece.length > 0 ? this.#resume(piece[0] ?? 0) : 0;
    const words = new HighByteSkipper(piece);
    while (at < piece.length && !this.isStopped) {
      at = this.#mode === 'quoted' ? this.#scanQuoted(piece, words, at) : this.#scanPlain(piece, words, at);
    }
    if (!this.isStopped) this.#carryOver(piece);
  }

  /** Call at the end of the CSV. Reports an unfinished row. */
  end(): void {
    if (this.#mode === 'stopped') return;
    const bad = this.#utf8.end();
    if (bad !== undefined) this.#reportEncoding(bad);
    if (this.#mode === 'plain' && this.#lineStart === 0) return;
    this.#stop(this.#mode === 'quoted' ? 'unclosed-quote' : 'no-final-newline', 0);
  }

  #scanPlain(piece: Buffer, words: HighByteSkipper, from: number): number {
    const { length } = piece;
    for (let at = this.#skip(words, from); at < length; at = this.#skip(words, at + 1)) {
      const byte = piece[at] ?? 0;
      if (byte > COMMA) continue;
      if (byte === COMMA) this.#endField(piece, at);
      else if (byte === LINE_FEED) {
        this.#endRow(piece, at);
        if (this.#mode === 'stopped') return at;
      } else if (byte === QUOTE) return this.#openQuote(at);
      else if (byte === CARRIAGE_RETURN) return this.#passReturn(piece, at);
      else if (byte === 0) return this.#stop('nul', at);
    }
    return length;
  }

  /** Skips bytes that are not special: the value that its check finds at the start of a field, or whole words. */
  #skip(words: HighByteSkipper, at: number): number {
    if (at !== this.#fieldStart) return words.skip(at, COMMA);
    const end = this.#checks[this.#column]?.endOf?.(this.#view, at, this.#view.byteLength) ?? -1;
    if (end < 0) return at;
    this.#rightUntil = end;
    return end;
  }

  #scanQuoted(piece: Buffer, words: HighByteSkipper, from: number): number {
    const { length } = piece;
    for (let at = words.skip(from, QUOTE); at < length; at = words.skip(at + 1, QUOTE)) {
      const byte = piece[at] ?? 0;
      if (byte > QUOTE) continue;
      if (byte === LINE_FEED) this.#endLine(at);
      else if (byte === 0) return this.#stop('nul', at);
      else if (byte === QUOTE) {
        if (at + 1 < length && piece[at + 1] === QUOTE) at++;
        else return this.#closeQuote(piece, at);
      }
    }
    return length;
  }

  #openQuote(at: number): number {
    if (at !== this.#fieldStart) return this.#stop('quote-in-field', at);
    this.#mode = 'quoted';
    return at + 1;
  }

  #closeQuote(piece: Buffer, at: number): number {
    this.#mode = 'after-quote';
    return at + 1 < piece.length ? at + 1 + this.#resume(piece[at + 1] ?? 0, at + 1) : at + 1;
  }

  #passReturn(piece: Buffer, at: number): number {
    this.#mode = 'after-return';
    this.#returnAt = at;
    return at + 1 < piece.length ? at + 1 + this.#resume(piece[at + 1] ?? 0, at + 1) : at + 1;
  }

  /** Handles the byte after a quote or a return, which may come with the next piece. Returns the bytes consumed. */
  #resume(byte: number, at = 0): number {
    if (this.#mode === 'after-return') {
      this.#mode = 'plain';
      if (byte !== LINE_FEED) this.#stop('bare-return', at - 1);
    } else if (this.#mode === 'after-quote') {
      this.#mode = byte === QUOTE ? 'quoted' : 'plain';
      if (byte === QUOTE) return 1;
      if (byte !== COMMA && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) this.#stop('text-after-quote', at);
    }
    return 0;
  }

  #endField(piece: Buffer, at: number): void {
    if (at === this.#fieldStart) this.#passNull();
    else this.#checkValue(piece, at);
    if (this.#column === this.#watched) this.#takeWatched(piece, at);
    this.#column++;
    this.#fieldStart = at + 1;
  }

  /** An unquoted empty field ends. */
  #passNull(): void {
    if (this.#nullColumn < 0 && this.#notNull[this.#column] === 1) this.#nullColumn = this.#column;
  }

  #checkValue(piece: Buffer, end: number): void {
    if (end === this.#rightUntil) return;
    const check = this.#checks[this.#column];
    if (check === undefined) return;
    if (this.#fieldStart < 0) this.#checkCutValue(check, piece, end);
    else if (this.#wrongColumn < 0) this.#judgeValue(check, piece, this.#view, this.#fieldStart, end);
  }

  /** A value that began in an earlier piece. */
  #checkCutValue(check: ValueCheck, piece: Buffer, end: number): void {
    const bytes = Buffer.concat([...this.#begun, piece.subarray(0, Math.max(0, end))]);
    const isLong = this.#begunBytes > VALUE_LIMIT_BYTES;
    this.#begun = [];
    this.#begunBytes = 0;
    if (this.#wrongColumn >= 0 || isLong) return;
    // The end of a row may lie before this piece, if its carriage return was the last byte of the one before.
    this.#judgeValue(check, bytes, viewOf(bytes), 0, bytes.length + Math.min(0, end));
  }

  #judgeValue(check: ValueCheck, bytes: Buffer, view: DataView, from: number, to: number): void {
    const quote = bytes[from] === QUOTE ? 1 : 0;
    if (check.isValue(view, from + quote, to - quote)) return;
    this.#wrongColumn = this.#column;
    if (this.#rowsWithWrongValue === 0)
      this.#wrongValue = bytes.toString('utf8', from, Math.min(to, from + WATCHED_LIMIT_CHARACTERS));
  }

  #endRow(piece: Buffer, at: number): void {
    this.#endLine(at);
    if (this.#returnAt === at - 1) this.#rowsEndedByReturn++;
    if (this.#rows < 0) this.#endHeader(piece, at);
    else this.#endDataRow(piece, at);
    this.#column = 0;
    this.#nullColumn = -1;
    this.#wrongColumn = -1;
    this.#rowStart = at + 1;
    this.#fieldStart = at + 1;
  }

  #endDataRow(piece: Buffer, at: number): void {
    const end = this.#returnAt === at - 1 ? at - 1 : at;
    if (end === this.#fieldStart) this.#passNull();
    else this.#checkValue(piece, end);
    const isRagged = this.#column + 1 !== this.#columns;
    if (
      !isRagged &&
      end - this.#rowStart <= this.#headerRow.mostBytes &&
      this.#headerRow.isAt(piece, this.#rowStart, end)
    ) {
      if (this.#repeatedHeaders++ === 0) this.#flawInRow({ flaw: 'repeated-header' });
      return;
    }
    if (this.#watched >= 0) this.#reportWatched(piece, at, isRagged);
    if (isRagged) this.#reportColumns();
    else {
      if (this.#nullColumn >= 0 && this.#rowsWithNull++ === 0)
        this.#flawInRow({ flaw: 'null', column: this.#nullColumn });
      if (this.#wrongColumn >= 0 && this.#rowsWithWrongValue++ === 0)
        this.#flawInRow({ flaw: 'value', column: this.#wrongColumn, value: this.#wrongValue });
    }
    this.#rows++;
  }

  #endLine(at: number): void {
    const bytes = at - this.#lineStart;
    if (bytes > this.#longestLineBytes) this.#longestLineBytes = bytes;
    this.#lineStart = at + 1;
  }

  #endHeader(piece: Buffer, at: number): void {
    this.#header.push(Buffer.from(piece.subarray(Math.max(0, this.#rowStart), at)));
    const row = Buffer.concat(this.#header);
    this.#header = [];
    if (row.length > HEADER_LIMIT_BYTES) return void this.#stop('long-header', at);
    const { columns, watched, notNull, checks, isEnough } = this.#listener.onHeader(row);
    this.#columns = columns;
    this.#watched = watched;
    this.#notNull = notNull;
    this.#checks = checks;
    this.#headerRow = new RepeatedHeaderDetector(row, columns);
    this.#rows = 0;
    if (isEnough) this.#mode = 'stopped';
  }

  /** In a row with too few columns the last field may be incomplete, so it is not reported. */
  #reportWatched(piece: Buffer, at: number, isRagged: boolean): void {
    const isLast = this.#column === this.#watched;
    if (isLast) this.#takeWatched(piece, at);
    if (isLast ? !isRagged : this.#column > this.#watched)
      this.#listener.onWatched(this.#watchedText, this.#rows + 1, this.#pieceOffset + this.#rowStart);
    this.#watchedText = '';
  }

  #takeWatched(piece: Buffer, at: number): void {
    this.#watchedText += piece.toString('latin1', Math.max(0, this.#fieldStart), at);
  }

  #reportColumns(): void {
    if (this.#raggedRows++ === 0) this.#flawInRow({ flaw: 'columns', has: this.#column + 1, expected: this.#columns });
  }

  #flawInRow(flaw: CsvFlaw): void {
    this.#listener.onFlaw(flaw, this.#rows + 1, this.#pieceOffset + this.#rowStart);
  }

  #reportEncoding(at: number): void {
    if (this.#mode !== 'stopped') this.#listener.onFlaw({ flaw: 'encoding' }, this.#rows + 1, this.#pieceOffset + at);
  }

  #stop(flaw: StoppingFlaw, at: number): number {
    this.#listener.onFlaw({ flaw }, this.#rows + 1, this.#pieceOffset + at);
    this.#mode = 'stopped';
    return at;
  }

  #carryOver(piece: Buffer): void {
    const { length } = piece;
    if (this.#rows < 0) this.#keepHeader(piece);
    else this.#headerRow.carryOver(piece, this.#rowStart, this.#mode === 'after-return' ? length - 1 : length);
    if (this.#column === this.#watched && this.#watchedText.length < WATCHED_LIMIT_CHARACTERS) {
      this.#watchedText += piece.toString('latin1', Math.max(0, this.#fieldStart), length);
    }
    if (this.#checks[this.#column] !== undefined && this.#fieldStart < length) this.#keepValue(piece);
    this.#longestLineBytes = Math.max(this.#longestLineBytes, length - this.#lineStart);
    if (this.#longestLineBytes > LINE_LIMIT_BYTES) this.#reportLongLine();
    this.#pieceOffset += length;
    this.#rowStart -= length;
    this.#lineStart -= length;
    this.#fieldStart -= length;
    this.#returnAt -= length;
  }

  #keepValue(piece: Buffer): void {
    const part = piece.subarray(Math.max(0, this.#fieldStart));
    this.#begunBytes += part.length;
    if (this.#begunBytes <= VALUE_LIMIT_BYTES) this.#begun.push(Buffer.from(part));
    else this.#begun = [];
  }

  #keepHeader(piece: Buffer): void {
    const part = Buffer.from(piece.subarray(Math.max(0, this.#rowStart)));
    this.#headerBytes += part.length;
    if (this.#headerBytes > HEADER_LIMIT_BYTES) this.#stop('long-header', 0);
    else this.#header.push(part);
  }

  #reportLongLine(): void {
    if (this.#isLongLineReported) return;
    this.#isLongLineReported = true;
    this.#listener.onFlaw({ flaw: 'long-line' }, this.#rows + 1, this.#pieceOffset + this.#rowStart);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** Flaws in a CSV that PostgreSQL should have written (export-behaviour.md section 3.0). */
export type CsvFlaw =
  | { readonly flaw: StoppingFlaw | 'long-line' | 'repeated-header' | 'encoding' }
  | { readonly flaw: 'columns'; readonly has: number; readonly expected: number }
  | { readonly flaw: 'null'; readonly column: number }
  | { readonly flaw: 'value'; readonly column: number; readonly value: string };

/** Flaws after which the rest cannot be read as rows. */
type StoppingFlaw =
  | 'text-after-quote'
  | 'quote-in-field'
  | 'bare-return'
  | 'nul'
  | 'long-header'
  | 'unclosed-quote'
  | 'no-final-newline';

/** The rules for the rows below a header. */
export interface RowRules {
  readonly columns: number;
  /** The column to report for each row, -1 for none. */
  readonly watched: number;
  /** 1 for each column that must not be NULL. */
  readonly notNull: Uint8Array;
  /** The values allowed in each column; undefined for any. */
  readonly checks: readonly (ValueCheck | undefined)[];
  /** True: do not read the rows. */
  readonly isEnough: boolean;
}

interface CsvScanListener {
  /** The header row without its line feed. */
  onHeader(row: Buffer): RowRules;
  /** The watched column of each row, as in the file. */
  onWatched(text: string, row: number, byteOffset: number): void;
  /** Each flaw that ends the scan; of those that can be in every row only the first, the others are counted. */
  onFlaw(flaw: CsvFlaw, row: number, byteOffset: number): void;
}

/** Skips bytes above a limit, four at a time. */
export class HighByteSkipper {
  readonly #words: Int32Array;
  /** Offset of the first aligned word in the piece. */
  readonly #base: number;

  constructor(piece: Buffer) {
    const end = (piece.byteOffset + piece.length) & ~3;
    // A short piece may not contain an aligned word.
    const start = Math.min((piece.byteOffset + 3) & ~3, end);
    this.#words = new Int32Array(piece.buffer, start, (end - start) >> 2);
    this.#base = start - piece.byteOffset;
  }

  /** From the start of a word, the first word with a byte up to `limit` (< 0x7f). Returns `at` if it is not aligned. */
  skip(at: number, limit: number): number {
    const ahead = at - this.#base;
    if ((ahead & 3) !== 0) return at;
    const words = this.#words;
    const { length } = words;
    const above = (limit + 1) * 0x01010101;
    let index = ahead >> 2;
    // Subtracting sets the top bit of a byte that had it clear only if the byte was below `limit + 1`.
    while (index < length && (((words[index] ?? 0) - above) & ~(words[index] ?? 0) & 0x80808080) === 0) index++;
    return this.#base + index * 4;
  }
}
