import { namesOf } from '../../../../directory/directory.ts';
import { idsOf } from '../../../../resources/columns.ts';
import { type Filter, filterProblem } from '../../../../resources/filter.ts';
import { resourceById } from '../../../../resources/registry.ts';
import type { Resource } from '../../../../resources/resource.ts';
import { insertText, LONGEST_FIELD } from '../../../../text/edit-text.ts';
import { readId } from '../../../../text/ids.ts';
import { idFor } from '../../../core/filter-words.ts';
import type { MoveAction } from '../../../core/moving.ts';
import type { SessionState } from '../../../core/state.ts';
import type { BrowseEvent, ChooseValue, FilterKey, FilterText } from '../events.ts';
import { selectedRow } from '../list/visible-rows.ts';
import type { ListContext, ListStep } from '../list-context.ts';
import { fromFirstPage } from '../list-requests.ts';
import { panesOf } from '../panes.ts';
import type { BrowseState } from '../state.ts';
import {
  barField,
  type FilterBar,
  filterBarValues,
  focusedOn,
  openedFilterBar,
  suggest,
  suggestions,
  withFieldEdited,
  withFocusMoved,
  withoutSuggestion,
  withValue,
} from './filter-bar.ts';
import { choosing, listedValues, movedAmongValues, offersValues } from './offered-values.ts';

/** The list after a key of the filter bar, or after something was typed into it. */
export function editFilters(
  browser: BrowseState,
  event: FilterKey | FilterText | ChooseValue | MoveAction,
  context: ListContext,
): ListStep {
  const { shared } = context;
  const resource = resourceById(browser.resource);
  if (resource === undefined) return { state: browser };
  const { filterBar: bar } = browser;
  if (bar === null)
    return {
      state:
        event.type === 'edit-filters' ? { ...browser, filterBar: openedFilterBar(resource, browser.filters) } : browser,
    };
  const withBar = (filterBar: FilterBar | null): ListStep => ({ state: { ...browser, filterBar } });
  const listed = listedValues(browser, shared);
  switch (event.type) {
    case 'edit-filters':
      return withBar({ ...bar, isOffered: false });
    case 'take-offer': {
      const value = listed?.values[listed.place];
      // Without a known value, one is typed; what is seen to be selected is opened.
      return value === undefined
        ? withBar({ ...bar, isOffered: false })
        : applied(browser, withValue(bar, value), { resource, shared });
    }
    case 'move':
    case 'move-to':
      return listed === undefined
        ? { state: browser }
        : withBar(movedAmongValues(listed, event, panesOf(browser, context).bodyRows));
    case 'next-field':
      return withBar(withFocusMoved(bar, 1));
    case 'previous-field':
      return withBar(withFocusMoved(bar, -1));
    case 'suggest':
      return withBar(
        listed === undefined
          ? suggest(shared, resource, bar, event.direction)
          : choosing(listed, listed.place + event.direction),
      );
    case 'choose-value':
      return listed === undefined ? { state: browser } : withBar(choosing(listed, event.index));
    case 'back':
      return withBar(null);
    case 'filter-edited':
      return withBar(withFieldEdited(bar, event.value));
    case 'filters-pasted':
      return pasted(browser, bar, event.text, shared);
    case 'apply-filters': {
      const value = listed?.values[listed.place];
      return applied(browser, value === undefined ? bar : withValue(bar, value), { resource, shared });
    }
  }
}

function applied(
  browser: BrowseState,
  bar: FilterBar,
  { resource, shared }: Pick<ListContext, 'shared'> & { readonly resource: Resource },
): ListStep {
  const values = filterBarValues(resource, bar, (filter, word) => idMeant(shared, { resource, bar, filter, word }));
  if (!values.isValid)
    return { state: { ...browser, filterBar: { ...focusedOn(bar, values.field), problem: values.problem } } };
  const { filters } = values;
  const chosen = resource.filters[bar.field];
  // Choosing one of the markets on the screen is the same as following a link to its list.
  const isLink = offersValues(browser) && chosen !== undefined && Object.hasOwn(filters, chosen.name);
  const column = isLink && browser.sort === null ? chosen.largestFirst : undefined;
  const sort = column === undefined ? browser.sort : { column, isDescending: true };
  return { state: fromFirstPage({ ...browser, filters, sort }) };
}

/** Ids seen in rows, and names. */
type Known = Pick<SessionState, 'seen' | 'directory'>;

interface Typed {
  readonly resource: Resource;
  readonly bar: FilterBar;
  readonly filter: Filter;
  readonly word: string;
}

/** The id that a word in a field stands for: a name, or the beginning of what alone is offered. */
function idMeant(known: Known, { resource, bar, filter, word }: Typed): string {
  const id = idFor(known, filter, word);
  if (filterProblem(filter, id) === undefined || word.length < LEAST_LETTERS) return id;
  const field = resource.filters.indexOf(filter);
  const { values, isNarrowed } = suggestions(known, resource, { ...bar, field, suggestion: -1 });
  const [only, ...others] = values;
  return isNarrowed && only !== undefined && others.length === 0 ? only : id;
}

/** Of a beginning: a slip should find nothing. */
const LEAST_LETTERS = 3;

/** The bar with the fields whose entity a column of the row names, so that a line of one list filters the next. */
export function barFromRow(browser: BrowseState): FilterBar | null {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return null;
  const row = selectedRow(resource, browser);
  const bar = openedFilterBar(resource, browser.filters);
  if (row === undefined) return bar;
  const texts = resource.filters.map((filter, index) => {
    const alike = resource.columns.filter(({ entity }) => entity !== undefined && entity === filter.entity);
    // Two columns may hold ids of one kind: a bundle has the signer that is removed, and the submitter.
    const column = alike.find(({ id }) => id === filter.title) ?? alike[0];
    const [value = '', ...others] = column === undefined ? [] : idsOf(column, row);
    const before = barField(bar, index);
    // Several ids are a choice, and the person's.
    if (others.length > 0 || before.text !== '' || filterProblem(filter, value) !== undefined) return before;
    return { text: value, at: value.length };
  });
  return { ...bar, texts };
}

/** What comes of text pasted into the filter bar where it does not just go into the field in focus. */
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
  const focused = { ...(other === undefined ? bar : focusedOn(bar, other.field)), isOffered: false };
  const filterBar = withFieldEdited(focused, insertText(barField(focused), text, LONGEST_FIELD));
  const state = { ...browser, filterBar };
  return other === undefined ? { state } : { state, messages: [{ type: 'noticed', text: other.why }] };
}

/** The field that a pasted id is for where that is another one than the one in focus, and why. */
interface OtherField {
  readonly field: number;
  readonly why: string;
}

/**
 * What an id was seen or named as says which field it is for. Of one that nothing is known of nobody can say; in a bar
 * that opened by itself, where no field was chosen, it is taken for a party's: these are what has no names.
 */
function otherField(bar: FilterBar, filters: readonly Filter[], text: string, known: Known): OtherField | undefined {
  const focused = filters[bar.field];
  const id = readId(text.trim());
  if (focused?.kind !== 'id' || id === undefined || barField(bar).text !== '') return;
  const kinds = filters.filter(filter => isKnownAs(known, filter, id));
  const isFree = (field: number): boolean => barField(bar, field).text === '';
  if (kinds.includes(focused)) return;
  const field = filters.findIndex((filter, place) => kinds.includes(filter) && isFree(place));
  if (field >= 0) return { field, why: `known here as ${filters[field]?.entity}: put into that field` };
  const party = filters.findIndex(({ entity }, place) => entity === 'party' && isFree(place));
  const isAnything = kinds.length > 0 || NAMED.some(entity => namesOf(known.directory, entity).has(id));
  if (!bar.isOffered || isAnything || party < 0 || !haveNames(known, focused)) return;
  return { field: party, why: `no ${focused.entity} known here has it: put where a party goes` };
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
