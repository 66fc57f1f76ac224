import { columnsAt, columnVersions, newestKnownSchemaVersion } from '../table-columns.ts';
import type { EntryName } from './entry-name.ts';

/** What is wrong with, and what is only remarkable about, the header of a CSV. */
export interface HeaderJudgement {
  readonly fault?: string;
  readonly notes: readonly string[];
}

/**
 * A header must hold the columns known for exactly its schema version: a node writes every column of the table, so one
 * that lacks a column is not the header that the node's database has. More columns, or another order, lose nothing,
 * as readers go by name; nor is it for us to say what a schema newer than all we know has dropped.
 */
export function judgeHeader(columns: readonly string[], name: EntryName | undefined): HeaderJudgement {
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) return { fault: `has the column ${repeated} twice`, notes: [] };
  if (columns.includes('')) return { fault: 'has a column without a name', notes: [] };
  if (!name) return { notes: [] };
  const known = knownColumns(columns, name);
  if (!known) return { notes: [`The columns of table ${name.table} are not known to this program.`] };
  const missing = known.filter(column => !columns.includes(column));
  // The interface allows names without a version; nobody can say then what the columns should be.
  const isKnowable = name.schemaVersion !== undefined && name.schemaVersion <= newestKnownSchemaVersion;
  if (missing.length > 0 && isKnowable) return { fault: `lacks ${missing.join(', ')}`, notes: [] };
  return { notes: [...missingNote(missing), ...unknownNote(columns, known), ...orderNote(columns, known)] };
}

/** Without a version in the name, the newest known columns that the header holds all of, else the oldest. */
function knownColumns(columns: readonly string[], name: EntryName): readonly string[] | undefined {
  if (name.schemaVersion !== undefined) return columnsAt(name.table, Math.max(1, name.schemaVersion));
  const candidates = columnVersions(name.table).map(version => columnsAt(name.table, version) ?? []);
  return candidates.findLast(known => known.every(column => columns.includes(column))) ?? candidates[0];
}

function missingNote(missing: readonly string[]): readonly string[] {
  return missing.length > 0 ? [`Its schema, unknown to this program, no longer has ${missing.join(', ')}.`] : [];
}

function unknownNote(columns: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = columns.filter(column => !known.includes(column));
  return unknown.length > 0 ? [`It has columns unknown to this program: ${unknown.join(', ')}.`] : [];
}

function orderNote(columns: readonly string[], known: readonly string[]): readonly string[] {
  const shared = columns.filter(column => known.includes(column));
  const isInOrder = shared.every((column, index) => column === known.filter(k => shared.includes(k))[index]);
  return isInOrder ? [] : ['Its columns are not in the usual order.'];
}
