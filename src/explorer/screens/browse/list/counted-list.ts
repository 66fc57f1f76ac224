import { isSummable } from '../../../../chain/resources/amount-sums.ts';
import { titledColumns } from '../../../../chain/resources/columns.ts';
import { filterProblem, normalValue } from '../../../../chain/resources/filter.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Column, Resource } from '../../../../chain/resources/resource.ts';
import { isByDay } from '../../../../chain/resources/tally.ts';
import type { Action } from '../../../core/action.ts';
import { type CountsOpening, type ListedColumn, open } from '../../../openings.ts';
import { findFlag, listCommand, wholeListCommand } from '../../../services/copying/equal-commands.ts';
import { type ListContext, type ListStep, noticed } from '../list-context.ts';
import { leftList, returnedList } from '../open-list.ts';
import type { BrowseState, CountedValue, LoadedPage } from '../state.ts';
import { fetchedAhead, fromFirstPage } from './pager.ts';
import { rowsAtHand, shownColumns } from './visible-rows.ts';

// What a list opens the counts with, and how it answers them.

type Shows = CountsOpening['shows'];

/** Counts the rows at hand by what a column of them holds. */
export function openCounts(
  list: BrowseState,
  { column: id, shows, value }: { readonly column: string; readonly shows: Shows; readonly value?: string },
  { shared, to }: ListContext,
): ListStep {
  const resource = resourceById(list.resource);
  const { page, find } = list;
  const column = resource && columnOf(resource, list, id);
  if (resource === undefined || column === undefined || page === null)
    return { state: list, messages: [noticed('there are no rows to count here')] };
  const { rows, loaded, isWhole } = rowsAtHand(resource, list);
  const scope = { rows: rows.length, loaded, isWhole, find };
  const opening: CountsOpening = {
    ...{ resource: resource.id, column, shows, rows, page, scope },
    ...(value !== undefined && { value }),
    command: countCommand(shared, page, { resource, column, shows, scope }),
    narrow: value => to({ type: 'narrow', column: id, value }),
    again: to({ type: 'count-column', column: id, shows }),
    otherColumn: to({ type: 'open-menu', id: 'count' }),
  };
  return { state: { ...list, countedLast: id }, messages: [open('counts', opening)] };
}

/** With the title that it has under the filters of the list. */
const columnOf = (resource: Resource, { page }: BrowseState, id: string): Column | undefined =>
  titledColumns(resource, page?.request.filters ?? {}).find(column => column.id === id);

/** The command that counts the same rows. */
function countCommand(
  { node }: ListContext['shared'],
  page: LoadedPage,
  {
    resource,
    column,
    shows,
    scope,
  }: Pick<CountsOpening, 'column' | 'shows' | 'scope'> & { readonly resource: Resource },
): string {
  const isOfAll = scope.isWhole || page.whole !== undefined;
  const rows = (isOfAll ? wholeListCommand : listCommand)(node, resource, page.request);
  return `${rows}${findFlag(scope.find)} --${shows === 'values' ? 'freq' : 'sum'} ${column.id}`;
}

/** The list with the rows of a value alone: by the node where it can, else found among the loaded rows. */
export function narrowed(
  list: BrowseState,
  { column: id, value }: { readonly column: string; readonly value: string },
): ListStep {
  const resource = resourceById(list.resource);
  const column = resource && columnOf(resource, list, id);
  if (resource === undefined || column === undefined) return { state: list };
  const uncovered: readonly Action[] = [{ type: 'go-to-root', tab: list.resource }];
  const withWayBack = (state: BrowseState): ListStep => {
    const { filters, find } = state;
    const left = withWaysBack(leftList(list).state, MOST_WAYS_BACK - 1);
    const counted: CountedValue = { left, column: id, value, by: { filters, find } };
    return { state: { ...state, counted }, messages: [...uncovered, noticed('Esc comes back to the counts')] };
  };
  const filter = filterOf(resource, column, value);
  if (filter !== undefined) {
    const filters = { ...list.filters, [filter.name]: [normalValue(filter, value)] };
    return withWayBack(fromFirstPage({ ...list, filters }));
  }
  const refused = (text: string): ListStep => ({ state: list, messages: [noticed(text)] });
  if (value.trim() === '') return refused('what is not there cannot be found by its text');
  if (value.length > LONGEST_FIND) return refused('this value is too long to be found by its text');
  const view = { ...list.view, row: 0, top: 0 };
  return withWayBack(fetchedAhead({ ...list, find: value, view }));
}

/** Values chosen one within the other that Esc leads back through; each holds its list as it was left. */
const MOST_WAYS_BACK = 10;

/** The list, with so many counts to come back to: the first ones are forgotten. */
function withWaysBack(list: BrowseState, most: number): BrowseState {
  const { counted } = list;
  if (counted === null) return list;
  return { ...list, counted: most === 0 ? null : { ...counted, left: withWaysBack(counted.left, most - 1) } };
}

/** The counts that its rows are of one value of; undefined where other filters or another search hold by now. */
export function countsBehind({ counted, filters, find }: BrowseState): CountedValue | undefined {
  return counted !== null && counted.by.filters === filters && counted.by.find === find ? counted : undefined;
}

/** The list as it was counted, and the counts over it. */
export const backToCounts = (
  list: BrowseState,
  { left, column, value }: CountedValue,
  context: ListContext,
): ListStep => openCounts(returnedList(list, left), { column, shows: 'values', value }, context);

// As long as what can be typed.
const LONGEST_FIND = 4096;

/** The filter of the column's own name: another of the same entity may mean another thing of the row. */
function filterOf({ filters }: Resource, { id, entity, ids }: Column, value: string) {
  if (ids !== undefined) return undefined;
  return filters.find(
    filter => filter.title === id && filter.entity === entity && filterProblem(filter, value) === undefined,
  );
}

/** The columns to choose from, the last used one first. */
export function countChoices(list: BrowseState, { to }: ListContext): readonly ListedColumn[] {
  const resource = resourceById(list.resource);
  if (resource === undefined) return [];
  const { countedLast: last } = list;
  const columns = countableIn(resource, list);
  return [...columns.filter(({ id }) => id === last), ...columns.filter(({ id }) => id !== last)].map(column => ({
    column: column.id,
    mark: column.id === last ? '*' : '',
    label: column.title,
    detail: isByDay(column) ? 'by day, UTC' : isSummable(column) ? 'with sums, of each asset' : '',
    action: to({ type: 'count-column', column: column.id, shows: 'values' }),
  }));
}

/** The columns that can be counted, those that are shown first. */
function countableIn(resource: Resource, browser: BrowseState): readonly Column[] {
  const shown = shownColumns(resource, browser);
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...titledColumns(resource, browser.page?.request.filters ?? {}).filter(({ id }) => !ids.has(id))];
}
