import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckedContent } from '../../export/check/entry-data.ts';

/** Whole rows of one CSV in a file of their own. */
export interface CsvPart {
  readonly path: string;
  /** Name of the CSV. */
  readonly name: string;
  /** Number of the CSV in its archive, and of the part in the CSV, both from 1. */
  readonly csv: number;
  readonly number: number;
  readonly columns: readonly string[];
  /** Whether its first row is the header. */
  readonly hasHeader: boolean;
  /** Rows without the header, as the check has counted them. */
  readonly rows: number;
  /** Those of the CSV that come before. */
  readonly rowsBefore: number;
  /** What its rows end with, the header too: a carriage return and a line feed, or a line feed alone. */
  readonly rowEnds: 'returns' | 'line-feeds' | 'mixed';
}

interface OpenPart {
  readonly path: string;
  readonly descriptor: number;
  bytes: number;
}

/** A CSV that is being cut, and where its next part begins. */
interface CutCsv {
  readonly content: CheckedContent;
  readonly number: number;
  /** Bytes of it that came so far. */
  bytes: number;
  parts: number;
  from: number;
  rowsBefore: number;
  returnsBefore: number;
}

/**
 * Cuts CSVs into parts as they come out of the check: by its count of rows, which knows quotes. The bytes go to disk as
 * they are; nothing is read of them here.
 */
export class PartFiles {
  readonly #folder: string;
  readonly #partBytes: number;
  #csv: CutCsv | undefined;
  #open: OpenPart | undefined;
  /** CSVs that are over. */
  #ended = 0;

  /** A part has `partBytes`, and what comes up to the end of a row. */
  constructor(folder: string, partBytes: number) {
    this.#folder = folder;
    this.#partBytes = partBytes;
  }

  /** The parts that are whole now. Throws the error of the file system. */
  take(content: CheckedContent, chunk: Buffer): readonly CsvPart[] {
    const before = content === this.#csv?.content ? [] : this.end();
    const csv = this.#csv ?? this.#begin(content);
    const at = csv.bytes;
    csv.bytes += chunk.length;
    const isFull = csv.bytes - csv.from >= this.#partBytes;
    // Where a row has ended in this chunk, it is cut behind it; a longer row makes a longer part.
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

  /** The last part of a CSV. A row that was not finished is left out of it. */
  end(): readonly CsvPart[] {
    const csv = this.#csv;
    if (csv === undefined) return [];
    const last = this.#close(csv);
    this.#ended = csv.number;
    this.#csv = undefined;
    return last;
  }

  /** Closes what is open, whatever is in it. */
  abandon(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  #begin(content: CheckedContent): CutCsv {
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
    const rowEnds = rowEndsOf(hasHeader ? rows + 1 : rows, content.rowsEndedByReturn - returnsBefore);
    return [{ path: open.path, name, csv: number, number: parts, columns, hasHeader, rows, rowsBefore, rowEnds }];
  }
}

function rowEndsOf(rows: number, returns: number): CsvPart['rowEnds'] {
  if (returns === 0) return 'line-feeds';
  return returns === rows ? 'returns' : 'mixed';
}
