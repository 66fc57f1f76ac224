import { nameOf } from '../../directory/directory.ts';
import { longText } from '../../insight/kind.ts';
import { titledColumns } from '../../resources/columns.ts';
import { countedText } from '../../resources/line-text.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Column, Resource, Row } from '../../resources/resource.ts';
import { cellValue } from '../model/cell-text.ts';
import { changesOn, timeText } from '../model/changes.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { selectedRow } from '../model/visible-rows.ts';
import { openOver } from './layers.ts';

/** Why there is nothing to show of the selected row. */
export function noChange(state: SessionState): string | undefined {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return undefined;
  const changes = changesOn(browser.changes, browser.page);
  if (changes === null) return 'w watches: what a reload has changed is marked, and this key shows what it was';
  const row = selectedRow(resource, browser);
  if (row !== undefined && changes.added.has(row)) return `this row is new since ${timeText(changes.sinceMs)}`;
  return row !== undefined && changes.changed.has(row)
    ? undefined
    : `nothing in the columns of this row has changed since ${timeText(changes.sinceMs)}`;
}

/** What the columns of the selected row held before, and what they hold now. */
export function viewChange(state: SessionState, resource: Resource, browser: Browser): SessionState {
  const { page } = browser;
  const changes = changesOn(browser.changes, page);
  const row = selectedRow(resource, browser);
  const change = row === undefined ? undefined : changes?.changed.get(row);
  if (page === null || changes === null || row === undefined || change === undefined) return state;
  const lines = titledColumns(resource, page.request.filters).flatMap(column => {
    const was = change.values.get(column.id);
    if (was === undefined) return [];
    const text = (of: Row, value: string) => exactText(state, column, { row: of, value, nowMs: page.receivedAtMs });
    return [
      column.title,
      `  before  ${text(change.before, was)}`,
      `  now     ${text(row, cellValue(column, row, page))}`,
    ];
  });
  const title = `changed since ${timeText(changes.sinceMs)}`;
  return openOver(state, 'value', { title, text: lines.join('\n') });
}

interface Held {
  readonly row: Row;
  readonly value: string;
  readonly nowMs: number;
}

// Nothing is rounded, and what was sent is there.
function exactText({ directory }: SessionState, { kind, entity, unit }: Column, { row, value, nowMs }: Held): string {
  if (value === '') return '(nothing)';
  const counted = kind === 'amount' ? unit?.(row) : undefined;
  if (counted !== undefined) return countedText(value, counted, directory);
  const name = entity === undefined ? undefined : nameOf(directory, entity, value);
  const text = longText(kind, value, nowMs);
  return name === undefined ? text : `${name}  ${text}`;
}
