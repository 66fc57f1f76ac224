/** The ways in which a CSV breaks rule 5 of the interface, or cannot be one of PostgreSQL. */
export type CsvFlaw =
  | { readonly flaw: StoppingFlaw | 'long-line' | 'repeated-header' | 'encoding' }
  | { readonly flaw: 'columns'; readonly has: number; readonly expected: number }
  | { readonly flaw: 'null'; readonly column: number };

/** What comes after one of these cannot be read as rows any more. */
export type StoppingFlaw =
  | 'text-after-quote'
  | 'quote-in-field'
  | 'bare-return'
  | 'nul'
  | 'long-header'
  | 'unclosed-quote'
  | 'no-final-newline';

/** What the rows below a header are held to. */
export interface RowRules {
  readonly columns: number;
  /** The column to report of each row, -1 for none. */
  readonly watched: number;
  /** 1 for each column that may not be NULL. */
  readonly notNull: Uint8Array;
  /** The rows are not to be read at all. */
  readonly isEnough: boolean;
}

export interface CsvScanListener {
  /** The header row without its line feed. */
  onHeader(row: Buffer): RowRules;
  /** The watched column of a row, as written. */
  onWatched(text: string, row: number, byteOffset: number): void;
  /** Of flaws that can come in every row only the first of each kind; the scan counts the others. */
  onFlaw(flaw: CsvFlaw, row: number, byteOffset: number): void;
}
