import type { SessionState } from '../model/state.ts';
import { openTableOf, rowAt } from '../model/viewer.ts';
import { chartable } from './viewer-look.ts';
import { isViewing, tableHere } from './viewer-state.ts';

// Why keys of a table on the disk do nothing now.

const NOT_OPEN = 'the table is not open';

/** Of a table that is not open there is nothing to copy. */
export function nothingViewed(state: SessionState): string | undefined {
  return isViewing(state) && tableHere(state) === undefined ? NOT_OPEN : undefined;
}

/** Where there is an error in the place of the rows, opening it again is what can be done. */
export function insteadOfRows({ viewer }: SessionState): string | undefined {
  const isFailed = viewer?.files.status === 'failed' || (openTableOf(viewer)?.view.problem ?? null) !== null;
  return isFailed ? 'open again' : undefined;
}

export function noViewedRows(state: SessionState): string | undefined {
  const open = tableHere(state);
  if (open === undefined) return NOT_OPEN;
  return open.view.shown.count === 0 ? 'there are no rows' : undefined;
}

export function noViewedRow(state: SessionState): string | undefined {
  const open = tableHere(state);
  if (open === undefined) return NOT_OPEN;
  if (open.view.shown.count === 0) return 'there are no rows';
  return rowAt(open.view, open.view.row) === undefined ? 'this row is not there yet' : undefined;
}

export function noFindHere(state: SessionState): string | undefined {
  return noViewedRows(state) ?? (tableHere(state)?.view.find ? undefined : '/ finds something first');
}

export function allShown(state: SessionState): string | undefined {
  const open = tableHere(state);
  if (open === undefined) return NOT_OPEN;
  const { filters, sort } = open.view.shown.look;
  return filters.length === 0 && sort === null ? 'all rows are shown in their own order' : undefined;
}

export function oneTable(state: SessionState): string | undefined {
  const open = tableHere(state);
  if (open === undefined) return NOT_OPEN;
  return open.files.tables.length > 1 ? undefined : 'there is one table in it';
}

export function noChart(state: SessionState): string | undefined {
  const open = tableHere(state);
  if (open === undefined) return NOT_OPEN;
  return chartable(open.table).length > 0 ? undefined : 'no column of numbers here has a time';
}

export function noCountedValue(state: SessionState): string | undefined {
  const over = tableHere(state)?.view.over;
  if (over?.kind !== 'counts' || !('counts' in over.answer)) return 'the values are being counted';
  return over.answer.counts.values.length > 0 ? undefined : 'there are no values';
}

export function noBars(state: SessionState): string | undefined {
  const over = tableHere(state)?.view.over;
  return over?.kind === 'chart' && 'points' in over.answer ? undefined : 'the bars are being worked out';
}
