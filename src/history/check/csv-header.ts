import { columnsAtVersion, columnVersions } from '../../tables/columns.ts';
import { NEWEST_KNOWN_SCHEMA_VERSION } from '../../tables/exported-tables.ts';
import { CsvRows } from './csv-rows.ts';
import type { EntryName } from './entry-name.ts';

/** The header of a CSV, with its fault or remarks. */
interface HeaderCheck {
  /** Empty when there are too many or too long names for any table, which is a fault. */
  readonly columns: readonly string[];
  readonly columnCount: number;
  /** The columns that a CSV with this name should have; empty when not known. */
  readonly known: readonly string[];
  readonly fault?: string | undefined;
  readonly notes: readonly string[];
}

/** The widest table has 40. */
const MAX_COLUMNS = 200;
/** PostgreSQL cuts longer names. */
const MAX_COLUMN_NAME_LENGTH = 63;

/** Checks the header row of a CSV (without its line feed) against the name of the CSV. */
export function checkHeader(row: Buffer, name: EntryName | undefined): HeaderCheck {
  const columns = readHeader(row);
  const columnCount = columns.length;
  const nothing = { columns: [], columnCount, known: [], notes: [] };
  if (columnCount > MAX_COLUMNS) return { ...nothing, fault: `has ${columnCount} columns, more than any table` };
  if (columns.some(column => column.length > MAX_COLUMN_NAME_LENGTH)) {
    return { ...nothing, fault: `has a column whose name is longer than ${MAX_COLUMN_NAME_LENGTH} characters` };
  }
  return { columns, columnCount, ...checkColumns(columns, name) };
}

function readHeader(row: Buffer): readonly string[] {
  const text = row.toString('utf8').replace(/\r$/, '');
  if (!text.includes('"')) return text.split(',');
  const [columns = []] = new CsvRows().push(`${text}\n`);
  return columns.map(column => column ?? '');
}

/**
 * A header must contain all columns of its schema version in their order: nodes write every column, and swapped names would
 * swap values. Additional columns are harmless. For a schema newer than all known ones, differences are only noted.
 */
function checkColumns(
  columns: readonly string[],
  name: EntryName | undefined,
): Pick<HeaderCheck, 'known' | 'fault' | 'notes'> {
  const fault = columnNameFault(columns);
  if (fault !== undefined || !name) return { known: [], fault, notes: [] };
  const known = knownColumns(columns, name);
  if (!known) return { known: [], notes: [`This program does not know the columns of table ${name.table}.`] };
  const has = new Set(columns);
  const missing = known.filter(column => !has.has(column));
  // A name without a version only counts as known when all its columns are present.
  const isKnowable =
    name.schemaVersion === undefined ? missing.length === 0 : name.schemaVersion <= NEWEST_KNOWN_SCHEMA_VERSION;
  const moved = firstMisplacedColumn(columns, known);
  if (!isKnowable)
    return { known: [], notes: [...missingNote(missing), ...unknownNote(columns, known), ...movedNote(moved)] };
  if (missing.length > 0) return { known, fault: `lacks ${missing.join(', ')}`, notes: [] };
  if (moved) return { known, fault: `has ${moved.is} where ${moved.should} belongs`, notes: [] };
  return { known, notes: unknownNote(columns, known) };
}

function columnNameFault(columns: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const column of columns) {
    if (column === '') return 'has a column without a name';
    if (seen.has(column)) return `has the column ${column} twice`;
    seen.add(column);
  }
  return undefined;
}

/** Without a version in the name: the newest known columns that are all present, otherwise the oldest. */
function knownColumns(columns: readonly string[], name: EntryName): readonly string[] | undefined {
  if (name.schemaVersion !== undefined) return columnsAtVersion(name.table, Math.max(1, name.schemaVersion));
  const candidates = columnVersions(name.table).map(version => columnsAtVersion(name.table, version) ?? []);
  const has = new Set(columns);
  return candidates.findLast(known => known.every(column => has.has(column))) ?? candidates[0];
}

/** The first known column that stands where another one belongs. */
function firstMisplacedColumn(columns: readonly string[], known: readonly string[]) {
  const [has, knows] = [new Set(columns), new Set(known)];
  const is = columns.filter(column => knows.has(column));
  const should = known.filter(column => has.has(column));
  const at = is.findIndex((column, index) => column !== should[index]);
  return at < 0 ? undefined : { is: is[at], should: should[at] };
}

function missingNote(missing: readonly string[]): readonly string[] {
  return missing.length > 0 ? [`Its schema is newer than this program and no longer has ${missing.join(', ')}.`] : [];
}

const MAX_LISTED_COLUMNS = 10;

function unknownNote(columns: readonly string[], known: readonly string[]): readonly string[] {
  const knows = new Set(known);
  const unknown = columns.filter(column => !knows.has(column));
  if (unknown.length === 0) return [];
  const more = unknown.length > MAX_LISTED_COLUMNS ? ` and ${unknown.length - MAX_LISTED_COLUMNS} more` : '';
  return [`It has columns that this program does not know: ${unknown.slice(0, MAX_LISTED_COLUMNS).join(', ')}${more}.`];
}

function movedNote(moved: ReturnType<typeof firstMisplacedColumn>): readonly string[] {
  return moved ? ['Its columns are not in the usual order.'] : [];
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** Recognises a header that is repeated as a row, with or without quotes. */
export class RepeatedHeaderDetector {
  /** A longer row is not the header. */
  readonly mostBytes: number;
  readonly #header: Buffer;
  /** Quotes around a name that still match it. */
  readonly #mostQuotes: number;
  /** Bytes of the header that the current row has repeated; -1 once it differs. */
  #repeated = 0;
  #quotes = 0;

  constructor(header: Buffer, columns: number) {
    this.#header = header.at(-1) === CARRIAGE_RETURN ? header.subarray(0, -1) : header;
    this.#mostQuotes = header.includes(QUOTE) ? 0 : 2;
    this.mostBytes = this.#header.length + this.#mostQuotes * columns;
  }

  /** The current row continues in the next piece. `rowStart` is its offset, negative if in an earlier piece. */
  carryOver(piece: Buffer, rowStart: number, to: number): void {
    this.#follow(piece, rowStart, to);
  }

  /** Whether the row from `rowStart` to `to`, without its line end, is the header. It must have as many columns. */
  isAt(piece: Buffer, rowStart: number, to: number): boolean {
    this.#follow(piece, rowStart, to);
    return this.#repeated === this.#header.length;
  }

  #follow(piece: Buffer, rowStart: number, to: number): void {
    const header = this.#header;
    if (rowStart >= 0) {
      this.#repeated = 0;
      this.#quotes = 0;
    }
    for (let at = Math.max(0, rowStart); at < to && this.#repeated >= 0; at++) {
      const byte = piece[at] ?? 0;
      if (byte === header[this.#repeated]) {
        this.#repeated++;
        if (byte === COMMA) this.#quotes = 0;
      } else if (byte === QUOTE && this.#quotes < this.#mostQuotes) this.#quotes++;
      else this.#repeated = -1;
    }
  }
}
