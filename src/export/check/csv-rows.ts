/** A value of a CSV: null is an unquoted empty field, '' a quoted one (rule 5 of the interface). */
export type CsvRow = readonly (string | null)[];

/**
 * Rows of a CSV that comes in pieces of text. For headers and previews: it builds every value, which the check of a
 * whole export must not. Lenient where CsvScan has already judged.
 */
export class CsvRows {
  #row: (string | null)[] = [];
  #field = '';
  #wasQuoted = false;
  #isInQuotes = false;
  #isAfterQuote = false;
  #isAtRowStart = true;
  /** An unquoted return: part of the line end when a line feed follows, of the value otherwise. */
  #heldReturn = '';

  /** The rows completed by `text`. */
  push(text: string): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    for (const character of text) {
      if (this.#isInQuotes) this.#takeQuoted(character);
      else if (character === '\n') rows.push(this.#endRow());
      else if (character === '\r') this.#heldReturn += character;
      else this.#takePlain(character);
    }
    return rows;
  }

  /** The last row when no line end followed it. */
  end(): readonly CsvRow[] {
    return this.#isAtRowStart ? [] : [this.#endRow()];
  }

  #takeQuoted(character: string): void {
    if (character !== '"') this.#field += character;
    else {
      this.#isInQuotes = false;
      this.#isAfterQuote = true;
    }
  }

  #takePlain(character: string): void {
    this.#isAtRowStart = false;
    this.#field += this.#heldReturn;
    this.#heldReturn = '';
    if (character === ',') this.#endField();
    else if (character === '"') this.#takeQuote();
    else this.#field += character;
  }

  #takeQuote(): void {
    if (this.#isAfterQuote) this.#field += '"';
    this.#wasQuoted = true;
    this.#isInQuotes = true;
    this.#isAfterQuote = false;
  }

  #endField(): void {
    this.#row.push(this.#field === '' && !this.#wasQuoted ? null : this.#field);
    this.#field = '';
    this.#wasQuoted = false;
    this.#isAfterQuote = false;
  }

  #endRow(): CsvRow {
    this.#heldReturn = '';
    this.#endField();
    const row = this.#row;
    this.#row = [];
    this.#isAtRowStart = true;
    return row;
  }
}
