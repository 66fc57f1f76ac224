import type { Arrangement } from '../../../../chain/resources/arrangement.ts';
import { pageContext } from '../../../../chain/resources/cell-text.ts';
import { clockColumn } from '../../../../chain/resources/clock-column.ts';
import { columnsTitledFor, hasValues, isShownByDefault } from '../../../../chain/resources/columns.ts';
import { holdsWholeList, loadedRows } from '../../../../chain/resources/list-page.ts';
import { rowSearch, searchText } from '../../../../chain/resources/record-search.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Resource, Row } from '../../../../chain/resources/resource.ts';
import type { RowList } from '../../../../chain/resources/row-list.ts';
import { sortedRows } from '../../../../chain/resources/sorted-rows.ts';
import { FIRST_LINE, inSamePlace } from '../../../core/window.ts';
import type { BrowseState, LoadedPage } from '../state.ts';
import { arrangedRows, isSameArrangement } from './whole-list-state.ts';

interface CachedRows extends Arrangement {
  readonly rows: readonly Row[];
}

/** The last two results: the previous one is used once more to keep the selection on its row. */
const cachedRows = new WeakMap<LoadedPage, readonly CachedRows[]>();

/** The rows of the page that match the search, in the chosen order; computed once per page and choice. */
export function visibleRows(resource: Resource, browser: BrowseState): RowList {
  const { page, find, sort, names, whole } = browser;
  if (page === null) return [];
  if (whole?.status === 'known') return arrangedRows(page, whole.arranged);
  const last = cachedRows.get(page) ?? [];
  const known = last.find(result => isSameArrangement(result, browser));
  if (known !== undefined) return known.rows;
  const rows = sortRows(resource, page, matchingRows(resource, page, browser), browser);
  cachedRows.set(page, [{ find, sort, names, rows }, ...last.slice(0, 1)]);
  return rows;
}

/**
 * The columns shown, in the descriptor's order; the first one is always included. A column that has the same value in
 * every row because of a filter carries no information, so its room goes to the others; a first column of ids gives up
 * its place as well.
 */
export function shownColumns(resource: Resource, browser: BrowseState): readonly Column[] {
  const filters = browser.page?.request.filters ?? {};
  const fixed = resource.filters.filter(({ name }) => filters[name]?.length === 1).map(({ entity }) => entity);
  const isFixed = ({ entity }: Column): boolean => entity !== undefined && fixed.includes(entity);
  const columns = columnsTitledFor(resource, filters);
  const pinned = columns.find(column => column.kind !== 'id' || !isFixed(column)) ?? columns[0];
  const rows = browser.page?.rows ?? [];
  const isChosen = (column: Column): boolean =>
    browser.columnChoice[column.id] ??
    (isShownByDefault(column, filters) && !isFixed(column) && hasValues(column, rows));
  const shown = columns.filter(column => column === pinned || isChosen(column));
  return browser.times === 'clock' ? shown.map(clockColumn) : shown;
}

function matchingRows(resource: Resource, page: LoadedPage, browser: BrowseState): readonly Row[] {
  return browser.find === '' ? page.rows : page.rows.filter(rowSearch(resource, page, browser, searchText));
}

function sortRows(
  resource: Resource,
  page: LoadedPage,
  rows: readonly Row[],
  { sort, names }: BrowseState,
): readonly Row[] {
  const column = resource.columns.find(({ id }) => id === sort?.column);
  if (column === undefined || sort === null) return rows;
  return sortedRows(column, rows, { directory: names, among: pageContext(page) }, sort.isDescending);
}

/** The selected row, or the row at this distance from it. */
export function selectedRow(resource: Resource, browser: BrowseState, by = 0): Row | undefined {
  const place = browser.view.row + by;
  return place < 0 ? undefined : visibleRows(resource, browser).at(place);
}

/** The rows that can be looked at without asking the node: those of the page, or of the whole list once it is loaded. */
interface AvailableRows {
  /** The rows that match the search, in the order shown. */
  readonly rows: RowList;
  /** Loaded, whether they match or not. */
  readonly loaded: number;
  /** The loaded rows are the whole list under its filters, according to the node. */
  readonly isWhole: boolean;
}

export function availableRows(resource: Resource, browser: BrowseState): AvailableRows {
  const { page } = browser;
  if (page === null) return { rows: [], loaded: 0, isWhole: false };
  return { rows: visibleRows(resource, browser), loaded: loadedRows(page).length, isWhole: holdsWholeList(page) };
}

/** The page with this row selected, in the line of the screen that the selection was in. */
export function selectRow(now: BrowseState, row: Row): BrowseState {
  const resource = resourceById(now.resource);
  if (resource === undefined) return now;
  const { view } = now;
  const place = visibleRows(resource, now).slice().indexOf(row);
  if (place === view.row) return now;
  return { ...now, view: { ...view, ...(place < 0 ? FIRST_LINE : inSamePlace(view, place)) } };
}
