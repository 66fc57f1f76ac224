import { CsvRows } from './csv-rows.ts';
import type { EntryName } from './entry-name.ts';
import { columnsAt, columnVersions, NEWEST_KNOWN_SCHEMA_VERSION } from './table-columns.ts';

/** The header of a CSV: what it says, what is wrong with it, and what is only remarkable about it. */
export interface HeaderJudgement {
  /** None where there are so many, or such long ones, that no table can have them: then the header has a fault. */
  readonly columns: readonly string[];
  readonly columnCount: number;
  /** The columns that a CSV of this name is known to have; none where that is not known. */
  readonly known: readonly string[];
  readonly fault?: string | undefined;
  readonly notes: readonly string[];
}

/** The widest table has 40. */
const MOST_COLUMNS = 200;
/** A database cuts longer names. */
const LONGEST_COLUMN_NAME = 63;

/** Judges the header row of a CSV, given without its line feed, by what the CSV is called. */
export function judgeHeader(row: Buffer, name: EntryName | undefined): HeaderJudgement {
  const columns = readHeader(row);
  const columnCount = columns.length;
  const nothing = { columns: [], columnCount, known: [], notes: [] };
  if (columnCount > MOST_COLUMNS) return { ...nothing, fault: `has ${columnCount} columns, more than any table` };
  if (columns.some(column => column.length > LONGEST_COLUMN_NAME)) {
    return { ...nothing, fault: `has a column whose name is longer than ${LONGEST_COLUMN_NAME} characters` };
  }
  return { columns, columnCount, ...judgeColumns(columns, name) };
}

function readHeader(row: Buffer): readonly string[] {
  const text = row.toString('utf8').replace(/\r$/, '');
  if (!text.includes('"')) return text.split(',');
  const [columns = []] = new CsvRows().push(`${text}\n`);
  return columns.map(column => column ?? '');
}

/**
 * A header must hold the columns known for exactly its schema version, in their order: a node writes every column of
 * the table, and names that have changed places tell a reader that one value is another. More columns lose nothing;
 * nor is it for us to say what a schema newer than all we know has dropped or moved.
 */
function judgeColumns(
  columns: readonly string[],
  name: EntryName | undefined,
): Pick<HeaderJudgement, 'known' | 'fault' | 'notes'> {
  const fault = strangeName(columns);
  if (fault !== undefined || !name) return { known: [], fault, notes: [] };
  const known = knownColumns(columns, name);
  if (!known) return { known: [], notes: [`The columns of table ${name.table} are not known to this program.`] };
  const has = new Set(columns);
  const missing = known.filter(column => !has.has(column));
  // The interface allows names without a version; only columns that are all there say then what they should be.
  const isKnowable =
    name.schemaVersion === undefined ? missing.length === 0 : name.schemaVersion <= NEWEST_KNOWN_SCHEMA_VERSION;
  const moved = firstMoved(columns, known);
  if (!isKnowable)
    return { known: [], notes: [...missingNote(missing), ...unknownNote(columns, known), ...movedNote(moved)] };
  if (missing.length > 0) return { known, fault: `lacks ${missing.join(', ')}`, notes: [] };
  if (moved) return { known, fault: `has ${moved.is} where ${moved.should} belongs`, notes: [] };
  return { known, notes: unknownNote(columns, known) };
}

function strangeName(columns: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const column of columns) {
    if (column === '') return 'has a column without a name';
    if (seen.has(column)) return `has the column ${column} twice`;
    seen.add(column);
  }
  return undefined;
}

/** Without a version in the name, the newest known columns that the header holds all of, else the oldest. */
function knownColumns(columns: readonly string[], name: EntryName): readonly string[] | undefined {
  if (name.schemaVersion !== undefined) return columnsAt(name.table, Math.max(1, name.schemaVersion));
  const candidates = columnVersions(name.table).map(version => columnsAt(name.table, version) ?? []);
  const has = new Set(columns);
  return candidates.findLast(known => known.every(column => has.has(column))) ?? candidates[0];
}

/** The first of the known columns that stands where another of them belongs. */
function firstMoved(columns: readonly string[], known: readonly string[]) {
  const [has, knows] = [new Set(columns), new Set(known)];
  const is = columns.filter(column => knows.has(column));
  const should = known.filter(column => has.has(column));
  const at = is.findIndex((column, index) => column !== should[index]);
  return at < 0 ? undefined : { is: is[at], should: should[at] };
}

function missingNote(missing: readonly string[]): readonly string[] {
  return missing.length > 0 ? [`Its schema, unknown to this program, no longer has ${missing.join(', ')}.`] : [];
}

const MOST_NAMED = 10;

function unknownNote(columns: readonly string[], known: readonly string[]): readonly string[] {
  const knows = new Set(known);
  const unknown = columns.filter(column => !knows.has(column));
  if (unknown.length === 0) return [];
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
  return [`It has columns unknown to this program: ${unknown.slice(0, MOST_NAMED).join(', ')}${more}.`];
}

function movedNote(moved: ReturnType<typeof firstMoved>): readonly string[] {
  return moved ? ['Its columns are not in the usual order.'] : [];
}
