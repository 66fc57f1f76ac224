import { joinSafe, safeText } from '../../../../base/text/safe-text.ts';
import type { Directory } from '../../../../chain/directory/directory.ts';
import { kindFormat } from '../../../../chain/insight/kind.ts';
import { isSummable } from '../../../../chain/resources/amount-sums.ts';
import { columnsTitledFor } from '../../../../chain/resources/columns.ts';
import { filterProblem, isFilterActive, normalizeValue } from '../../../../chain/resources/filter.ts';
import { type ColumnValue, searchWithin } from '../../../../chain/resources/record-search.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Resource } from '../../../../chain/resources/resource.ts';
import { isByDay } from '../../../../chain/resources/tally.ts';
import { filterValueText } from '../../../core/filter-completions.ts';
import { type CountedScope, type CountsOpening, type ListedColumn, open } from '../../../openings.ts';
import { findFlag, listCommandText, wholeListCommandText } from '../../../services/copying/equal-commands.ts';
import { type ListContext, type ListStep, noticeAction } from '../list-context.ts';
import { leaveList, returnToList } from '../open-list.ts';
import type { BrowseState, CountedValue, LoadedPage } from '../state.ts';
import { prefetchNextPage, reloadFromFirstPage } from './pager.ts';
import { rowsSource } from './rows-source.ts';
import { availableRows, shownColumns } from './visible-rows.ts';

// What a list opens the counts with, and how it answers them.

type Shows = CountsOpening['shows'];

/** Counts the available rows by the values of one of their columns. */
export function openCounts(
  list: BrowseState,
  { column: id, shows, value }: { readonly column: string; readonly shows: Shows; readonly value?: string },
  { shared, to }: ListContext,
): ListStep {
  const resource = resourceById(list.resource);
  const { page, find } = list;
  const column = resource && titledColumnById(resource, list, id);
  if (resource === undefined || column === undefined || page === null)
    return { state: list, messages: [noticeAction('no rows to count here')] };
  const { rows, loaded, isWhole } = availableRows(resource, list);
  const scope = { rows: rows.length, loaded, isWhole, find };
  const { title, kind } = column;
  const command = countCommand(shared, page, { resource, column, shows, scope });
  const opening: CountsOpening = {
    source: rowsSource({ column, shows, rows, page }),
    column: { id, title, align: kindFormat(kind).align, isNumber: false, isByDay: isByDay(column) },
    ...{ shows, scope },
    ...(value !== undefined && { value }),
    narrowing: ({ directory }) => narrowingOf(resource, page, directory),
    ...(command !== undefined && { command }),
    file: { parts: [resource.id, shows, id], atMs: page.receivedAtMs },
    narrow: ({ value: counted, of = '' }) => ({
      actions: [to({ type: 'narrow', sought: { column: id, value: counted ?? '', of } })],
    }),
    again: to({ type: 'count-column', column: id, shows }),
    otherColumn: to({ type: 'open-menu', id: 'count' }),
  };
  return { state: { ...list, countedLast: id }, messages: [open('counts', opening)] };
}

/** The filters of the rows, with their values. */
function narrowingOf({ filters }: Resource, { request }: LoadedPage, directory: Directory) {
  return filters
    .filter(({ name }) => isFilterActive(request.filters, name))
    .map(filter => {
      const values = request.filters[filter.name] ?? [];
      const texts = values.map(value => filterValueText(directory, filter, value));
      return { title: filter.title, text: joinSafe(texts, safeText` `) };
    });
}

/** With the title that it has under the filters of the list. */
const titledColumnById = (resource: Resource, { page }: BrowseState, id: string): Column | undefined =>
  columnsTitledFor(resource, page?.request.filters ?? {}).find(column => column.id === id);

/** The command that counts the same rows. */
function countCommand(
  { node }: ListContext['shared'],
  page: LoadedPage,
  {
    resource,
    column,
    shows,
    scope,
  }: { readonly resource: Resource; readonly column: Column; readonly shows: Shows; readonly scope: CountedScope },
): string | undefined {
  const isOfAll = scope.isWhole || page.whole !== undefined;
  const rows = (isOfAll ? wholeListCommandText : listCommandText)(node, resource, page.request);
  const found = findFlag(scope.find);
  return found === undefined ? undefined : `${rows}${found} --${shows === 'values' ? 'freq' : 'sum'} ${column.id}`;
}

/**
 * The list with only the rows of a value: filtered by the node if possible, otherwise those of the loaded rows that were
 * counted.
 */
export function narrowToValue(list: BrowseState, sought: ColumnValue): ListStep {
  const { column: id, value } = sought;
  const resource = resourceById(list.resource);
  const column = resource && titledColumnById(resource, list, id);
  if (resource === undefined || column === undefined) return { state: list };
  const withWayBack = (state: BrowseState): ListStep => {
    const { filters, find } = state;
    const left = withWaysBack(leaveList(list).state, MAX_NESTED_COUNTS - 1);
    const counted: CountedValue = { left, column: id, value, by: { filters, find } };
    return { state: { ...state, counted }, messages: [noticeAction('Esc comes back to the counts')] };
  };
  const filter = filterOfColumn(resource, column, value);
  if (filter !== undefined) {
    const filters = { ...list.filters, [filter.name]: [normalizeValue(filter, value)] };
    return withWayBack(reloadFromFirstPage({ ...list, filters }));
  }
  const view = { ...list.view, row: 0, top: 0 };
  return withWayBack(prefetchNextPage({ ...list, find: searchWithin(list.find, sought), view }));
}

/** Maximum depth of nested values that Esc leads back through; each keeps its list as the user left it. */
const MAX_NESTED_COUNTS = 10;

/** The list with at most `most` counts to return to: the oldest are dropped. */
function withWaysBack(list: BrowseState, most: number): BrowseState {
  const { counted } = list;
  if (counted === null) return list;
  return { ...list, counted: most === 0 ? null : { ...counted, left: withWaysBack(counted.left, most - 1) } };
}

/** The counts that its rows are of one value of; undefined where other filters or another search hold by now. */
export function countsToReturnTo({ counted, filters, find }: BrowseState): CountedValue | undefined {
  return counted !== null && counted.by.filters === filters && counted.by.find === find ? counted : undefined;
}

/** The list that was counted, and the counts over it. */
export const backToCounts = (
  list: BrowseState,
  { left, column, value }: CountedValue,
  context: ListContext,
): ListStep => openCounts(returnToList(list, left), { column, shows: 'values', value }, context);

/** The filter of the column's own name: another of the same entity may mean another thing of the row. */
function filterOfColumn({ filters }: Resource, { id, entity, ids }: Column, value: string) {
  if (ids !== undefined || value === '') return undefined;
  return filters.find(
    filter => filter.title === id && filter.entity === entity && filterProblem(filter, value) === undefined,
  );
}

/** The columns to choose from, the last used one first. */
export function countChoices(list: BrowseState, { to }: ListContext): readonly ListedColumn[] {
  const resource = resourceById(list.resource);
  if (resource === undefined) return [];
  const { countedLast: last } = list;
  const columns = countableColumns(resource, list);
  return [...columns.filter(({ id }) => id === last), ...columns.filter(({ id }) => id !== last)].map(column => ({
    column: column.id,
    mark: column.id === last ? '*' : '',
    label: column.title,
    detail: isByDay(column) ? 'by day, UTC' : sumsDetail(column),
    action: to({ type: 'count-column', column: column.id, shows: 'values' }),
  }));
}

const sumsDetail = (column: Column): string =>
  column.kind === 'amount' ? 'with sums, of each asset' : isSummable(column) ? 'with its sum' : '';

/** The columns that can be counted, those that are shown first. */
function countableColumns(resource: Resource, browser: BrowseState): readonly Column[] {
  const shown = shownColumns(resource, browser);
  const ids = new Set(shown.map(({ id }) => id));
  return [
    ...shown,
    ...columnsTitledFor(resource, browser.page?.request.filters ?? {}).filter(({ id }) => !ids.has(id)),
  ];
}
