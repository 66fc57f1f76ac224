import { type Directory, nameOf } from '../../../../chain/directory/directory.ts';
import { longText } from '../../../../chain/insight/kind.ts';
import { cellValue } from '../../../../chain/resources/cell-text.ts';
import { columnsTitledFor } from '../../../../chain/resources/columns.ts';
import { exactAmountText } from '../../../../chain/resources/line-text.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Row } from '../../../../chain/resources/resource.ts';
import { open } from '../../../openings.ts';
import { chainEndedAtMs } from '../../../services/node/health.ts';
import type { ListContext, ListStep } from '../list-context.ts';
import type { BrowseState } from '../state.ts';
import { changesOfPage, changesSinceText } from './changes.ts';
import { selectedRow } from './visible-rows.ts';

/** Why there is nothing to show of the selected row. */
export function noChangeToView(list: BrowseState): string | undefined {
  const resource = resourceById(list.resource);
  if (resource === undefined) return undefined;
  const changes = changesOfPage(list.changes, list.page);
  if (changes === null) return list.watchS > 0 ? 'no reload has found a change yet' : 'w marks what changed';
  const row = selectedRow(resource, list);
  if (row !== undefined && changes.added.has(row)) return `this row is new ${changesSinceText(changes)}`;
  return row !== undefined && changes.changed.has(row)
    ? undefined
    : `nothing in the columns of this row has changed ${changesSinceText(changes)}`;
}

/** The values of the selected row's columns, before and after the change. */
export function viewChange(list: BrowseState, { shared }: ListContext): ListStep {
  const resource = resourceById(list.resource);
  const { page } = list;
  const changes = changesOfPage(list.changes, page);
  const row = resource && selectedRow(resource, list);
  const change = row && changes?.changed.get(row);
  if (resource === undefined || page === null || changes === null || row === undefined || change === undefined)
    return { state: list };
  const { directory } = shared;
  const nowMs = chainEndedAtMs(shared) ?? page.receivedAtMs;
  const lines = columnsTitledFor(resource, page.request.filters).flatMap(column => {
    const was = change.values.get(column.id);
    if (was === undefined) return [];
    const text = (of: Row, value: string) => exactText(directory, column, { row: of, value, nowMs });
    return [
      column.title,
      `  before  ${text(change.before, was)}`,
      `  now     ${text(row, cellValue(column, row, page))}`,
    ];
  });
  const title = `changed ${changesSinceText(changes)}`;
  return { state: list, messages: [open('value', { title, text: lines.join('\n') })] };
}

interface ValueInRow {
  readonly row: Row;
  readonly value: string;
  readonly nowMs: number;
}

// Nothing is rounded, and the value as sent is included.
function exactText(directory: Directory, { kind, entity, unit }: Column, { row, value, nowMs }: ValueInRow): string {
  if (value === '') return '(nothing)';
  const counted = kind === 'amount' ? unit?.(row) : undefined;
  if (counted !== undefined) return exactAmountText(value, counted, directory);
  const name = entity === undefined ? undefined : nameOf(directory, entity, value);
  const text = longText(kind, value, nowMs);
  return name === undefined ? text : `${name}  ${text}`;
}
