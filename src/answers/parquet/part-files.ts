import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckedContent } from '../../export/check/entry-data.ts';

/** Whole rows of one CSV in a file of their own. */
export interface CsvPart {
  readonly path: string;
  /** Number of the CSV in its archive, and of the part in the CSV, both from 1. */
  readonly csv: number;
  readonly number: number;
  readonly columns: readonly string[];
  /** Whether its first row is the header. */
  readonly hasHeader: boolean;
  /** Rows without the header, as the check has counted them. */
  readonly rows: number;
}

interface OpenPart {
  readonly path: string;
  readonly descriptor: number;
  readonly number: number;
  /** Where in the CSV it begins, and the rows before it. */
  readonly from: number;
  readonly rowsBefore: number;
  bytes: number;
}

/**
 * Cuts CSVs into parts as they come out of the check: by its count of rows, which knows quotes. The bytes go to disk as
 * they are; nothing is read of them here.
 */
export class PartFiles {
  readonly #folder: string;
  readonly #partBytes: number;
  #csv: CheckedContent | undefined;
  #csvs = 0;
  #csvBytes = 0;
  #open: OpenPart | undefined;

  /** A part has `partBytes`, and what comes up to the end of a row. */
  constructor(folder: string, partBytes: number) {
    this.#folder = folder;
    this.#partBytes = partBytes;
  }

  /** The parts that are whole now. Throws the error of the file system. */
  take(csv: CheckedContent, chunk: Buffer): readonly CsvPart[] {
    const before = csv === this.#csv ? [] : this.#begin(csv);
    const at = this.#csvBytes;
    this.#csvBytes += chunk.length;
    const open = this.#open ?? this.#openPart(csv, 0, 0);
    const cut = csv.wholeRowsBytes;
    // Rows end where the check has come to, so a cut behind the part's beginning lies in this chunk.
    if (open.bytes + chunk.length < this.#partBytes || cut <= Math.max(at, open.from)) {
      this.#write(open, chunk);
      return before;
    }
    this.#write(open, chunk.subarray(0, cut - at));
    const part = this.#close(csv, open);
    const rest = chunk.subarray(cut - at);
    if (rest.length > 0) this.#write(this.#openPart(csv, cut, csv.rows), rest);
    return part === undefined ? before : [...before, part];
  }

  /** The last part. A row that was not finished is left out of it. */
  end(): readonly CsvPart[] {
    const [csv, open] = [this.#csv, this.#open];
    if (csv === undefined || open === undefined) return [];
    const part = this.#close(csv, open);
    return part === undefined ? [] : [part];
  }

  /** Closes what is open, whatever is in it. */
  abandon(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  #begin(csv: CheckedContent): readonly CsvPart[] {
    const last = this.end();
    this.#csv = csv;
    this.#csvs++;
    this.#csvBytes = 0;
    return last;
  }

  #openPart(csv: CheckedContent, from: number, rowsBefore: number): OpenPart {
    const number = from === 0 ? 1 : (this.#lastNumber ?? 0) + 1;
    this.#lastNumber = number;
    const path = join(this.#folder, `${this.#csvs}-${number}.csv`);
    this.#csv = csv;
    this.#open = { path, descriptor: openSync(path, 'wx', 0o600), number, from, rowsBefore, bytes: 0 };
    return this.#open;
  }

  #lastNumber: number | undefined;

  #close(csv: CheckedContent, open: OpenPart): CsvPart | undefined {
    this.#open = undefined;
    const bytes = csv.wholeRowsBytes - open.from;
    if (bytes < open.bytes) ftruncateSync(open.descriptor, Math.max(0, bytes));
    closeSync(open.descriptor);
    const { path, number, from, rowsBefore } = open;
    const rows = csv.rows - rowsBefore;
    return { path, csv: this.#csvs, number, columns: csv.columns, hasHeader: from === 0, rows };
  }

  #write(open: OpenPart, bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(open.descriptor, bytes, offset);
    open.bytes += bytes.length;
  }
}
