import { lookOf } from '../../insight/kind.ts';
import { isUsual, titledColumns } from '../../resources/columns.ts';
import type { Column, Resource, Row } from '../../resources/resource.ts';
import { searchText } from './record-search.ts';
import type { Browser, LoadedPage, Sort } from './state.ts';

interface Derived {
  readonly find: string;
  readonly sort: Sort | null;
  readonly rows: readonly Row[];
}

const derived = new WeakMap<LoadedPage, Derived>();

/** The rows of the page that match what is searched for, in the chosen order; computed once per page and choice. */
export function visibleRows(resource: Resource, browser: Browser): readonly Row[] {
  const { page, find, sort } = browser;
  if (page === null) return [];
  const known = derived.get(page);
  if (known !== undefined && known.find === find && known.sort === sort) return known.rows;
  const rows = sorted(resource, matching(resource, page, find), sort);
  derived.set(page, { find, sort, rows });
  return rows;
}

/**
 * The columns shown, in the descriptor's order; the first one is always there. A column that a filter makes the same
 * in every row says nothing, so its room goes to the others.
 */
export function shownColumns(resource: Resource, browser: Browser): readonly Column[] {
  const filters = browser.page?.request.filters ?? {};
  const fixed = resource.filters.filter(({ name }) => filters[name]?.length === 1).map(({ entity }) => entity);
  return titledColumns(resource, filters).filter((column, index) => {
    const isFixed = column.entity !== undefined && fixed.includes(column.entity);
    return index === 0 || (browser.columnChoice[column.id] ?? (isUsual(column, filters) && !isFixed));
  });
}

function matching(resource: Resource, page: LoadedPage, find: string): readonly Row[] {
  const wanted = find.toLowerCase();
  if (wanted === '') return page.rows;
  return page.rows.filter(row => searchText(resource, row, page).includes(wanted));
}

function sorted(resource: Resource, rows: readonly Row[], sort: Sort | null): readonly Row[] {
  const column = resource.columns.find(({ id }) => id === sort?.column);
  if (column === undefined || sort === null) return rows;
  const { compare } = lookOf(column.kind);
  const direction = sort.isDescending ? -1 : 1;
  return rows
    .map(row => ({ row, value: column.value(row) }))
    .sort((a, b) => direction * compare(a.value, b.value))
    .map(({ row }) => row);
}
