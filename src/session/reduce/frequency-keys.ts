import { filterProblem, normalValue } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Column, Resource } from '../../resources/resource.ts';
import type { FrequentValue } from '../../resources/tally.ts';
import { countedColumn } from '../model/counted-columns.ts';
import { type FrequencyView, frequencyCount } from '../model/frequency.ts';
import { frequencyPlaces } from '../model/frequency-lines.ts';
import { rowsAtHand } from '../model/rows-at-hand.ts';
import type { SessionState } from '../model/state.ts';
import { select } from '../model/window.ts';
import type { Fact } from './action.ts';
import { moved } from './browse.ts';
import type { KeyIn } from './place.ts';
import { fetchAhead, restartList, withBrowser, withNotice } from './transitions.ts';

/** Counts the rows at hand by what a column of them holds. */
export function openFrequency(
  state: SessionState,
  { column, shows }: Pick<FrequencyView, 'column' | 'shows'>,
): SessionState {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || !browser?.page) return withNotice(state, 'there are no rows to count here');
  const { rows, loaded, isWhole } = rowsAtHand(resource, browser);
  const scope = { rows: rows.length, loaded, isWhole, find: browser.find };
  const ticket = state.ticket + 1;
  const place = { resource: resource.id, column, shows, scope, row: 0, top: 0 };
  return {
    ...state,
    ticket,
    overlay: null,
    countedLast: { ...state.countedLast, [resource.id]: column },
    frequency: { ...place, status: 'counting', ticket, rowsCounted: 0 },
  };
}

/** Keys of the view. */
export function frequencyKey(state: SessionState, view: FrequencyView, action: KeyIn<'frequency'>): SessionState {
  switch (action.type) {
    case 'move':
    case 'move-to': {
      const { height } = frequencyPlaces(state, view);
      return { ...state, frequency: { ...view, ...moved(view, action, frequencyCount(view), height) } };
    }
    case 'filter-by-value':
      return filterByValue(state, view);
    case 'reload':
      return openFrequency({ ...state, tab: view.resource }, view);
    case 'back':
      return { ...state, frequency: null };
  }
}

/** The list with the rows of the selected value alone: by the node where it can, else found among the loaded rows. */
function filterByValue(state: SessionState, view: FrequencyView): SessionState {
  const resource = resourceById(view.resource);
  const column = countedColumn(state, view);
  const value = view.status === 'known' && view.shows === 'values' ? view.frequency.values[view.row] : undefined;
  if (resource === undefined || column === undefined || value === undefined) return state;
  const closed = { ...state, frequency: null };
  const filter = filterOf(resource, column, value);
  if (filter !== undefined)
    return restartList(closed, resource.id, browser => ({
      ...browser,
      filters: { ...browser.filters, [filter.name]: [normalValue(filter, value.value)] },
    }));
  if (value.value.trim() === '') return withNotice(state, 'what is not there cannot be found by its text');
  if (value.value.length > LONGEST_FIND) return withNotice(state, 'this value is too long to be found by its text');
  const found = withBrowser(closed, resource.id, browser => ({
    ...browser,
    find: value.value,
    view: { ...browser.view, row: 0, top: 0 },
  }));
  return fetchAhead(found, resource.id);
}

// As long as what can be typed.
const LONGEST_FIND = 4096;

/** The filter of the column's own name: another of the same entity may mean another thing of the row. */
function filterOf({ filters }: Resource, { id, entity, ids }: Column, { value }: FrequentValue) {
  if (ids !== undefined) return undefined;
  return filters.find(
    filter => filter.title === id && filter.entity === entity && filterProblem(filter, value) === undefined,
  );
}

type FrequencyFact = Extract<Fact, { readonly type: 'rows-counting' | 'rows-counted' | 'rows-not-counted' }>;

/** Takes note of what was counted; of a view that is not open any more it changes nothing. */
export function takeFrequency(state: SessionState, fact: FrequencyFact): SessionState {
  const { frequency: view } = state;
  if (view?.status !== 'counting' || view.ticket !== fact.ticket) return state;
  switch (fact.type) {
    case 'rows-counting':
      return { ...state, frequency: { ...view, rowsCounted: fact.rows } };
    case 'rows-counted': {
      const { ticket: _, rowsCounted: __, ...place } = view;
      return { ...state, frequency: { ...place, status: 'known', frequency: fact.frequency } };
    }
    case 'rows-not-counted':
      return withNotice({ ...state, frequency: null }, fact.problem, 'bad');
  }
}

/** The view with its selection on a line that is there. */
export function frequencyInRange(state: SessionState): SessionState {
  const { frequency: view } = state;
  if (view === null) return state;
  const { row, top } = select(view, view.row, frequencyCount(view), frequencyPlaces(state, view).height);
  return row === view.row && top === view.top ? state : { ...state, frequency: { ...view, row, top } };
}
