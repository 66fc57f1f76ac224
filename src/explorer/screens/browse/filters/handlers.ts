import { insertText, MAX_FIELD_LENGTH } from '../../../../base/text/edit-text.ts';
import { readTypedId } from '../../../../base/text/ids.ts';
import type { JsonObject } from '../../../../chain/api/json.ts';
import { namesOf } from '../../../../chain/directory/directory.ts';
import { cellIds } from '../../../../chain/resources/columns.ts';
import { type Filter, filterProblem } from '../../../../chain/resources/filter.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { idFor } from '../../../core/filter-completions.ts';
import type { Handlers } from '../../../core/screen.ts';
import type { SessionState } from '../../../core/state.ts';
import type { MoveAction } from '../../../core/window.ts';
import type { BrowseEvent, FilterKey, FilterText } from '../events.ts';
import { reloadFromFirstPage } from '../list/pager.ts';
import { noFilters } from '../list/reasons.ts';
import { selectedRow } from '../list/visible-rows.ts';
import { type ListContext, type ListStep, withResource } from '../list-context.ts';
import { listPanes } from '../panes.ts';
import type { BrowseState } from '../state.ts';
import {
  cycleSuggestion,
  type FilterBar,
  fieldText,
  filterBarValues,
  openFilterBar,
  suggestions,
  withFieldEdited,
  withFocusMoved,
  withFocusOn,
  withoutSuggestion,
  withValue,
} from './filter-bar.ts';
import { listedValues, moveInListedValues, offersValues, withValueSelected } from './offered-values.ts';

/** Handles the keys of the filter bar and the text typed into it. */
export const FILTER_HANDLERS: Handlers<BrowseState, FilterKey | FilterText> = {
  'edit-filters': withResource((list, resource) => {
    const { filterBar: bar, filters } = list;
    const filterBar = bar === null ? openFilterBar(resource, filters) : { ...bar, isOffered: false };
    return { state: { ...list, filterBar } };
  }),
  'take-offer': ofBar(({ list, resource, bar, listed }, _, { shared }) => {
    const value = listed?.values[listed.place];
    // Without a known value, the user types one; a visibly selected value is opened.
    return value === undefined
      ? withBar(list, { ...bar, isOffered: false })
      : applied(list, withValue(bar, value), { resource, shared });
  }),
  'next-field': ofBar(({ list, bar }) => withBar(list, withFocusMoved(bar, 1))),
  'previous-field': ofBar(({ list, bar }) => withBar(list, withFocusMoved(bar, -1))),
  suggest: ofBar(({ list, resource, bar, listed }, { direction }, { shared }) =>
    withBar(
      list,
      listed === undefined
        ? cycleSuggestion(shared, resource, bar, direction)
        : withValueSelected(listed, listed.place + direction),
    ),
  ),
  'leave-filters': list => withBar(list, null),
  'filter-edited': ofBar(({ list, bar }, { value }) => withBar(list, withFieldEdited(bar, value))),
  'filters-pasted': ofBar(({ list, bar }, { text }, { shared }) => pasted(list, bar, text, shared)),
  'apply-filters': ofBar(({ list, resource, bar, listed }, _, { shared }) => {
    const value = listed?.values[listed.place];
    return applied(list, value === undefined ? bar : withValue(bar, value), { resource, shared });
  }),
};

/** The list after a key of movement among the values that are offered. */
export function movedAmongOffers(list: BrowseState, action: MoveAction, context: ListContext): BrowseState {
  const listed = list.filterBar === null ? undefined : listedValues(list, context.shared);
  if (listed === undefined) return list;
  return { ...list, filterBar: moveInListedValues(listed, action, listPanes(list, context).bodyRows) };
}

interface OpenBar {
  readonly list: BrowseState;
  readonly resource: Resource;
  readonly bar: FilterBar;
  /** The values that are offered below the bar. */
  readonly listed: ReturnType<typeof listedValues>;
}

/** Handles an event while the bar is open. */
function ofBar<Event>(handler: (open: OpenBar, event: Event, context: ListContext) => ListStep) {
  return withResource<Event>((list, resource, event, context) => {
    const { filterBar: bar } = list;
    if (bar === null) return { state: list };
    return handler({ list, resource, bar, listed: listedValues(list, context.shared) }, event, context);
  });
}

function withBar(list: BrowseState, filterBar: FilterBar | null): ListStep {
  return { state: { ...list, filterBar } };
}

function applied(
  browser: BrowseState,
  bar: FilterBar,
  { resource, shared }: Pick<ListContext, 'shared'> & { readonly resource: Resource },
): ListStep {
  const values = filterBarValues(resource, bar, (filter, word) => idMeant(shared, { resource, bar, filter, word }));
  if (!values.isValid)
    return { state: { ...browser, filterBar: { ...withFocusOn(bar, values.field), problem: values.problem } } };
  const { filters } = values;
  const chosen = resource.filters[bar.field];
  // Choosing one of the markets on the screen is the same as following a link to its list.
  const isLink = offersValues(browser) && chosen !== undefined && Object.hasOwn(filters, chosen.name);
  const column = isLink && browser.sort === null ? chosen.largestFirst : undefined;
  const sort = column === undefined ? browser.sort : { column, isDescending: true };
  return { state: reloadFromFirstPage({ ...browser, filters, sort }) };
}

/** Ids seen in rows, and names. */
type Known = Pick<SessionState, 'seen' | 'directory'>;

interface Typed {
  readonly resource: Resource;
  readonly bar: FilterBar;
  readonly filter: Filter;
  readonly word: string;
}

/** The id that a word in a field stands for: by its name, or by a prefix of the only suggestion. */
function idMeant(known: Known, { resource, bar, filter, word }: Typed): string {
  const id = idFor(known, filter, word);
  if (filterProblem(filter, id) === undefined || word.length < MIN_LETTERS) return id;
  const field = resource.filters.indexOf(filter);
  const { values, isNarrowed } = suggestions(known, resource, { ...bar, field, suggestion: -1 });
  const [only, ...others] = values;
  return isNarrowed && only !== undefined && others.length === 0 ? only : id;
}

/** Of a beginning: a slip should find nothing. */
const MIN_LETTERS = 3;

/** The bar with the fields whose entity a column of the row names, so that a line of one list filters the next. */
export function barFromRow(browser: BrowseState): FilterBar | null {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return null;
  const row = selectedRow(resource, browser);
  const bar = openFilterBar(resource, browser.filters);
  if (row === undefined) return bar;
  const texts = resource.filters.map((filter, index) => {
    const before = fieldText(bar, index);
    const id = idForFilter(resource, filter, row);
    return before.text !== '' || id === undefined ? before : { text: id, at: id.length };
  });
  return { ...bar, texts };
}

/** The id of the row that a filter takes; several are a choice, and the person's. */
function idForFilter({ columns }: Resource, filter: Filter, row: JsonObject): string | undefined {
  const alike = columns.filter(({ entity }) => entity !== undefined && entity === filter.entity);
  // Two columns may hold ids of one kind: a bundle has the signer that is removed, and the submitter.
  const column = alike.find(({ id }) => id === filter.title) ?? alike[0];
  const [value = '', ...others] = column === undefined ? [] : cellIds(column, row);
  return value === '' || others.length > 0 || filterProblem(filter, value) !== undefined ? undefined : value;
}

/** Why the filter bar cannot be filled in from the selected row. */
export function noIdToFilterBy(list: BrowseState): string | undefined {
  const resource = resourceById(list.resource);
  const row = resource && selectedRow(resource, list);
  if (resource === undefined || row === undefined) return noFilters(list);
  const hasId = resource.filters.some(filter => idForFilter(resource, filter, row) !== undefined);
  return noFilters(list) ?? (hasId ? undefined : 'no filter takes an id of this row');
}

/** The event of text pasted into the filter bar, unless the text simply goes into the focused field. */
export function pastedIntoFilters(
  { resource, filterBar: bar }: BrowseState,
  text: string,
  { shared }: ListContext,
): BrowseEvent | undefined {
  if (bar === null) return undefined;
  const filters = resourceById(resource)?.filters ?? [];
  const isReplaced = bar.suggestion >= 0;
  return bar.isOffered || isReplaced || otherField(bar, filters, text, shared) !== undefined
    ? { type: 'filters-pasted', text }
    : undefined;
}

// A paste is meant for the bar, which takes letters from then on, and replaces the suggestion that is selected.
function pasted(browser: BrowseState, before: FilterBar, text: string, known: Known): ListStep {
  const bar = withoutSuggestion(before);
  const other = otherField(bar, resourceById(browser.resource)?.filters ?? [], text, known);
  const focused = { ...(other === undefined ? bar : withFocusOn(bar, other.field)), isOffered: false };
  const filterBar = withFieldEdited(focused, insertText(fieldText(focused), text, MAX_FIELD_LENGTH));
  const state = { ...browser, filterBar };
  return other === undefined ? { state } : { state, messages: [{ type: 'noticed', text: other.why }] };
}

/** The field that a pasted id is for where that is another one than the one in focus, and why. */
interface OtherField {
  readonly field: number;
  readonly why: string;
}

/**
 * The use of an id so far, or its name, determines its field. Nothing does for an unknown id; in a bar that opened by
 * itself, where no field was chosen, it is taken as a party's id, since parties have no names.
 */
function otherField(bar: FilterBar, filters: readonly Filter[], text: string, known: Known): OtherField | undefined {
  const focused = filters[bar.field];
  const id = readTypedId(text);
  if (focused?.kind !== 'id' || id === undefined || fieldText(bar).text !== '') return;
  const kinds = filters.filter(filter => isKnownAs(known, filter, id));
  const isFree = (field: number): boolean => fieldText(bar, field).text === '';
  if (kinds.includes(focused)) return;
  const field = filters.findIndex((filter, place) => kinds.includes(filter) && isFree(place));
  if (field >= 0) return { field, why: `recognised as ${filters[field]?.entity}: put into that field` };
  const party = filters.findIndex(({ entity }, place) => entity === 'party' && isFree(place));
  const isAnything = kinds.length > 0 || NAMED.some(entity => namesOf(known.directory, entity).has(id));
  if (!bar.isOffered || isAnything || party < 0 || !haveNames(known, focused)) return;
  return { field: party, why: `no ${focused.entity} known here has this id: put into the party field` };
}

function isKnownAs({ seen, directory }: Known, { kind, entity }: Filter, id: string): boolean {
  if (kind !== 'id' || entity === undefined) return false;
  return namesOf(directory, entity).has(id) || (seen[entity] ?? []).some(known => known.toLowerCase() === id);
}

/** What the chain names, and no party is. */
const NAMED = ['market', 'asset', 'node'] as const;

/** Whether what the field takes has names, and some are known. */
const haveNames = ({ directory }: Known, { entity }: Filter): boolean =>
  NAMED.some(named => named === entity && namesOf(directory, named).size > 0);
