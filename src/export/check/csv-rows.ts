/** A value of a CSV: null is an unquoted empty field, '' a quoted one (rule 5 of the interface). */
export type CsvRow = readonly (string | null)[];

/** How much is kept of a row that may be as long as its node likes. */
export interface CsvLimits {
  /** A longer value ends with `...` there. */
  readonly valueCharacters: number;
  /** Values after so many are left out. */
  readonly values: number;
}

const unlimited: CsvLimits = { valueCharacters: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

const SPECIAL = /[",\r\n]/g;

/**
 * Rows of a CSV that comes in pieces of text. For headers and previews: it builds every value, which the check of a
 * whole export must not. Lenient where CsvScan has already judged.
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
  /** Unquoted returns: part of the line end when a line feed follows, of the value otherwise. */
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

  /** A line feed gives the row that it ends. */
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
