import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentCheck } from '../../history/check/entry-data.ts';

/** Whole rows of a CSV, in a separate file. */
export interface CsvPart {
  readonly path: string;
  /** Name of the CSV. */
  readonly name: string;
  /** The number of the CSV in its archive, and of the part in the CSV, both from 1. */
  readonly csv: number;
  readonly number: number;
  readonly columns: readonly string[];
  /** Whether its first row is the header. */
  readonly hasHeader: boolean;
  /** Rows without the header, counted by the check. */
  readonly rows: number;
  /** Rows of the CSV before this part. */
  readonly rowsBefore: number;
  /** The line end of its rows and header: CR LF or LF. */
  readonly rowEnds: 'returns' | 'line-feeds' | 'mixed';
}

interface OpenPart {
  readonly path: string;
  readonly descriptor: number;
  bytes: number;
}

/** A CSV being cut, and where its next part begins. */
interface CutCsv {
  readonly content: ContentCheck;
  readonly number: number;
  /** Bytes received so far. */
  bytes: number;
  parts: number;
  from: number;
  rowsBefore: number;
  returnsBefore: number;
}

/**
 * Cuts CSVs into parts while the check reads them, using its row count, which handles quotes. The bytes are written to
 * disk unread and unchanged.
 */
export class PartFiles {
  readonly #folder: string;
  readonly #partBytes: number;
  #csv: CutCsv | undefined;
  #open: OpenPart | undefined;
  /** Finished CSVs. */
  #ended = 0;

  /** A part has `partBytes` and the rest of its last row. */
  constructor(folder: string, partBytes: number) {
    this.#folder = folder;
    this.#partBytes = partBytes;
  }

  /** The parts that are now complete. Throws the error of the file system. */
  take(content: ContentCheck, chunk: Buffer): readonly CsvPart[] {
    const before = content === this.#csv?.content ? [] : this.end();
    const csv = this.#csv ?? this.#begin(content);
    const at = csv.bytes;
    csv.bytes += chunk.length;
    const isFull = csv.bytes - csv.from >= this.#partBytes;
    // Cut after the last row end in this chunk; a longer row makes a longer part.
    if (!isFull || content.wholeRowsBytes <= at) {
      this.#write(csv, chunk);
      return before;
    }
    const cut = content.wholeRowsBytes - at;
    this.#write(csv, chunk.subarray(0, cut));
    const whole = this.#close(csv);
    this.#write(csv, chunk.subarray(cut));
    return [...before, ...whole];
  }

  /** The last part of a CSV, without an unfinished row. */
  end(): readonly CsvPart[] {
    const csv = this.#csv;
    if (csv === undefined) return [];
    const last = this.#close(csv);
    this.#ended = csv.number;
    this.#csv = undefined;
    return last;
  }

  /** Closes the open file, whatever it contains. */
  abandon(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  #begin(content: ContentCheck): CutCsv {
    this.#csv = { content, number: this.#ended + 1, bytes: 0, parts: 0, from: 0, rowsBefore: 0, returnsBefore: 0 };
    return this.#csv;
  }

  #write(csv: CutCsv, bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#open ??= this.#openPart(csv);
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#open.descriptor, bytes, offset);
    this.#open.bytes += bytes.length;
  }

  #openPart(csv: CutCsv): OpenPart {
    csv.parts++;
    const path = join(this.#folder, `${csv.number}-${csv.parts}.csv`);
    return { path, descriptor: openSync(path, 'wx', 0o600), bytes: 0 };
  }

  #close(csv: CutCsv): readonly CsvPart[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const { content, number, parts, from, rowsBefore, returnsBefore } = csv;
    const bytes = Math.max(0, content.wholeRowsBytes - from);
    if (bytes < open.bytes) ftruncateSync(open.descriptor, bytes);
    closeSync(open.descriptor);
    csv.from = from + bytes;
    csv.rowsBefore = content.rows;
    csv.returnsBefore = content.rowsEndedByReturn;
    const { name, columns } = content;
    const hasHeader = from === 0;
    const rows = content.rows - rowsBefore;
    const rowEnds = classifyRowEnds(hasHeader ? rows + 1 : rows, content.rowsEndedByReturn - returnsBefore);
    return [{ path: open.path, name, csv: number, number: parts, columns, hasHeader, rows, rowsBefore, rowEnds }];
  }
}

function classifyRowEnds(rows: number, returns: number): CsvPart['rowEnds'] {
  if (returns === 0) return 'line-feeds';
  return returns === rows ? 'returns' : 'mixed';
}
