/** The values of a row: null for an unquoted empty field, '' for a quoted one (export-behaviour.md section 3.0). */
export type CsvRow = readonly (string | null)[];

/** Limits for rows of any length. */
interface CsvLimits {
  /** Longer values are cut and end with `...`. */
  readonly valueCharacters: number;
  /** Further values are dropped. */
  readonly values: number;
}

const unlimited: CsvLimits = { valueCharacters: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

const SPECIAL = /[",\r\n]/g;

/**
 * Parses a CSV that arrives in pieces of text. For headers and previews only: building every value would be too slow for
 * whole exports, which CsvScan checks. It accepts malformed CSV.
 */
export class CsvRows {
  readonly #limits: CsvLimits;
  #row: (string | null)[] = [];
  #field = '';
  #isCut = false;
  #wasQuoted = false;
  #isInQuotes = false;
  #isAfterQuote = false;
  #isAtRowStart = true;
  /** Unquoted carriage returns: part of the line end if a line feed follows, otherwise of the value. */
  #heldReturns = 0;

  constructor(limits: CsvLimits = unlimited) {
    this.#limits = limits;
  }

  /** The rows completed by `text`. */
  push(text: string): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    for (let at = 0; at < text.length; ) {
      const next = this.#isInQuotes ? text.indexOf('"', at) : nextSpecial(text, at);
      const end = next < 0 ? text.length : next;
      if (end > at) this.#takeText(text.slice(at, end));
      const row = end < text.length ? this.#takeSpecial(text.charAt(end)) : undefined;
      if (row !== undefined) rows.push(row);
      at = end + 1;
    }
    return rows;
  }

  /** The last row when no line end followed it. */
  end(): readonly CsvRow[] {
    return this.#isAtRowStart ? [] : [this.#endRow()];
  }

  /** Returns the row that a line feed completes. */
  #takeSpecial(character: string): CsvRow | undefined {
    if (this.#isInQuotes) {
      this.#isInQuotes = false;
      this.#isAfterQuote = true;
    } else if (character === '\n') return this.#endRow();
    else if (character === '\r') this.#heldReturns++;
    else if (character === ',') {
      this.#takeText('');
      this.#endField();
    } else this.#takeQuote();
    return undefined;
  }

  #takeText(text: string): void {
    this.#isAtRowStart = false;
    if (this.#heldReturns > 0) this.#append('\r'.repeat(Math.max(0, Math.min(this.#heldReturns, this.#room + 1))));
    this.#heldReturns = 0;
    if (text !== '') this.#append(text);
  }

  #takeQuote(): void {
    this.#takeText('');
    if (this.#isAfterQuote) this.#append('"');
    this.#wasQuoted = true;
    this.#isInQuotes = true;
    this.#isAfterQuote = false;
  }

  get #room(): number {
    return this.#limits.valueCharacters - this.#field.length;
  }

  #append(text: string): void {
    if (this.#isCut) return;
    if (text.length <= this.#room) this.#field += text;
    else {
      this.#field += `${text.slice(0, this.#room)}...`;
      this.#isCut = true;
    }
  }

  #endField(): void {
    if (this.#row.length < this.#limits.values)
      this.#row.push(this.#field === '' && !this.#wasQuoted ? null : this.#field);
    this.#field = '';
    this.#isCut = false;
    this.#wasQuoted = false;
    this.#isAfterQuote = false;
  }

  #endRow(): CsvRow {
    this.#heldReturns = 0;
    this.#endField();
    const row = this.#row;
    this.#row = [];
    this.#isAtRowStart = true;
    return row;
  }
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}
