import { stat } from 'node:fs/promises';
import { ArchiveFile } from '../../history/check/archive-file.ts';
import { inspectArchive } from '../../history/check/check-archive.ts';
import type { ContentCheck } from '../../history/check/entry-data.ts';
import type { Verdict } from '../../history/check/verdict.ts';
import type { AccountNumbering } from './account-numbering.ts';
import { AuditError } from './audit-error.ts';
import { CsvCutter } from './csv-cutter.ts';
import { type AuditRow, type RowParser, rowReader } from './rows.ts';
import type { AuditArchive, TableInput } from './table-inputs.ts';

/** A row of a table with its time and the CSV that it is in. */
interface PlacedRow {
  readonly timeUs: number;
  /** Index of the CSV among those of the table. */
  readonly csv: number;
  readonly row: AuditRow | undefined;
}

interface TableReadOptions {
  readonly accounts: AccountNumbering;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Called for each row before it is taken. */
  readonly onRow: (row: AuditRow) => void;
}

/** Rows of a table, one at a time, in the order of their times. */
export interface RowSource {
  /** Resolves with whether there is a next row. Rejects if an archive cannot be trusted. */
  readonly ready: () => Promise<boolean> | boolean;
  /** The next row, after `ready` resolved to true. */
  readonly head: () => PlacedRow | undefined;
  readonly skip: () => void;
  /** Why its rows cannot be compared. */
  readonly problem: () => string | undefined;
}

/**
 * Reads the archives of a table one after another while it checks them, no faster than the rows are taken. A table whose
 * rows are not as a node writes them has a problem instead of further rows; its archives are checked to their end anyway.
 */
export class TableRows implements RowSource {
  readonly #input: TableInput;
  readonly #how: TableReadOptions;
  #rows: PlacedRow[] = [];
  #at = 0;
  #problem: string | undefined;
  #lastUs = Number.NEGATIVE_INFINITY;
  #isDone = false;
  #failure: { readonly error: unknown } | undefined;
  #reader: CsvReader | undefined;
  #wanted = Promise.withResolvers<void>();
  #arrived = Promise.withResolvers<void>();

  constructor(input: TableInput, how: TableReadOptions) {
    this.#input = input;
    this.#how = how;
    how.signal.addEventListener('abort', () => this.#wanted.resolve(), { once: true });
    this.#read().then(
      () => this.#end(undefined),
      (error: unknown) => this.#end({ error }),
    );
  }

  problem(): string | undefined {
    return this.#problem;
  }

  ready(): Promise<boolean> | boolean {
    return this.#at < this.#rows.length ? true : this.#fill();
  }

  head(): PlacedRow | undefined {
    return this.#rows[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  async #fill(): Promise<boolean> {
    while (this.#at >= this.#rows.length) {
      if (this.#isDone) {
        if (this.#failure !== undefined) throw this.#failure.error;
        return false;
      }
      this.#rows = [];
      this.#at = 0;
      const arrived = this.#arrived.promise;
      this.#wanted.resolve();
      await arrived;
    }
    return true;
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    this.#failure = failure;
    this.#isDone = true;
    this.#arrived.resolve();
  }

  async #read(): Promise<void> {
    let csv = 0;
    for (const archive of this.#input.archives) {
      await this.#readArchive(archive, csv);
      csv += archive.csvs.length;
    }
  }

  async #readArchive(archive: AuditArchive, firstCsv: number): Promise<void> {
    const { path, sha256 } = archive;
    const before = await stat(path);
    const file = new ArchiveFile(path, undefined, this.#how.signal);
    let told = 0;
    try {
      const verdict = await inspectArchive(file, archive.expectation, {
        onContent: (csv, chunk) => this.#take(archive, firstCsv, csv, chunk),
        onProgress: ({ bytesChecked }) => {
          this.#how.onBytes(bytesChecked - told);
          told = bytesChecked;
        },
      });
      this.#how.signal.throwIfAborted();
      if (verdict.kind !== 'complete' && !hasGapsOnly(verdict))
        throw new AuditError(
          `${path} is ${verdict.kind}: ${verdict.reason}`,
          `export it again; blockglass verify ${path} lists all problems`,
        );
      if (sha256 !== undefined && sha256 !== verdict.sha256)
        throw new AuditError(
          `${path} is a complete export, but not the one in its manifest: the SHA-256 differs`,
          'run the export again',
        );
      const after = await stat(path);
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new AuditError(
          `${path} changed while it was read`,
          'wait until nothing writes to it, then audit it again',
        );
    } finally {
      file.close();
    }
    this.#reader = undefined;
  }

  #take(archive: AuditArchive, firstCsv: number, csv: ContentCheck, chunk: Buffer): Promise<void> | undefined {
    if (this.#problem !== undefined || this.#how.signal.aborted) return undefined;
    if (this.#reader?.csv !== csv) this.#reader = this.#readerOf(archive, firstCsv, csv);
    const reader = this.#reader;
    const rows: PlacedRow[] = [];
    reader.cutter.push(chunk, values => {
      if (this.#problem === undefined) this.#takeRow(reader, values, rows);
    });
    return rows.length === 0 ? undefined : this.#hand(rows);
  }

  #readerOf(archive: AuditArchive, firstCsv: number, csv: ContentCheck): CsvReader {
    const index = archive.csvs.findIndex(({ name }) => name === csv.name);
    return { csv, index: firstCsv + index, cutter: new CsvCutter(), read: undefined };
  }

  #takeRow(reader: CsvReader, values: readonly string[], rows: PlacedRow[]): void {
    if (reader.read === undefined) {
      const columns = values.map(name => name.replace(/\r$/, ''));
      reader.read = rowReader(this.#input.table, columns, this.#how.accounts);
      return;
    }
    const found = reader.read(values);
    if (typeof found === 'string') {
      this.#problem = found;
      return;
    }
    if (found.timeUs < this.#lastUs && !this.#input.isUnordered) {
      this.#problem = 'its rows are not in the order of time';
      return;
    }
    this.#lastUs = found.timeUs;
    if (found.row !== undefined) this.#how.onRow(found.row);
    rows.push({ timeUs: found.timeUs, csv: reader.index, row: found.row });
  }

  /** Hands rows over when they are wanted; resolves when more are. */
  async #hand(rows: PlacedRow[]): Promise<void> {
    await this.#wanted.promise;
    this.#wanted = Promise.withResolvers();
    if (this.#how.signal.aborted) return;
    this.#rows = rows;
    this.#at = 0;
    const arrived = this.#arrived;
    this.#arrived = Promise.withResolvers();
    arrived.resolve();
  }
}

/** A node stores no row for a block with the same time as the previous block. A check judges missing rows. */
const hasGapsOnly = ({ findings }: Verdict): boolean => findings.every(({ fault }) => fault === 'missing-rows');

interface CsvReader {
  readonly csv: ContentCheck;
  /** Of the CSV among those of the table. */
  readonly index: number;
  readonly cutter: CsvCutter;
  /** Undefined until the header was read. */
  read: RowParser | undefined;
}

/**
 * Rows that are in the order of ids, sorted by time. All are read at first: these are the small tables, and rows that no
 * check uses are left out.
 */
export class SortedRows implements RowSource {
  readonly #source: RowSource;
  readonly #table: string;
  #rows: readonly PlacedRow[] | undefined;
  #at = 0;

  constructor(source: RowSource, table: string) {
    this.#source = source;
    this.#table = table;
  }

  problem(): string | undefined {
    return this.#source.problem();
  }

  ready(): Promise<boolean> | boolean {
    return this.#rows === undefined ? this.#sort() : this.#at < this.#rows.length;
  }

  head(): PlacedRow | undefined {
    return this.#rows?.[this.#at];
  }

  skip(): void {
    this.#at++;
  }

  async #sort(): Promise<boolean> {
    const rows: PlacedRow[] = [];
    while (await this.#source.ready()) {
      const row = this.#source.head();
      if (row?.row !== undefined) rows.push(row);
      this.#source.skip();
      if (rows.length > MAX_SORTED_ROWS)
        throw new AuditError(
          `there are more than ${MAX_SORTED_ROWS} ${this.#table}, too many to compare at once`,
          'audit fewer blocks at a time',
        );
    }
    this.#rows = rows.sort((one, other) => one.timeUs - other.timeUs);
    return rows.length > 0;
  }
}

const MAX_SORTED_ROWS = 1_000_000;
