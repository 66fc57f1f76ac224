import { type Filter, filterProblem } from '../../resources/filter.ts';
import type { Resource } from '../../resources/resource.ts';
import type { FilterDraft } from '../model/filter-draft.ts';
import { draftValues, suggest, suggestions } from '../model/filters.ts';
import type { SessionState } from '../model/state.ts';
import { idFor } from './filter-words.ts';
import type { KeyIn } from './place.ts';
import { resourceOf, restartList, withBrowser } from './transitions.ts';

interface Typed {
  readonly resource: Resource;
  readonly draft: FilterDraft;
  readonly filter: Filter;
  readonly word: string;
}

/** The id that a word in a field stands for: a name, or the beginning of what alone is offered. */
function idMeant(state: SessionState, { resource, draft, filter, word }: Typed): string {
  const id = idFor(state, filter, word);
  if (filterProblem(filter, id) === undefined || word.length < LEAST_LETTERS) return id;
  const field = resource.filters.indexOf(filter);
  const { values, isNarrowed } = suggestions(state, resource, { ...draft, field, suggestion: -1 });
  const [only, ...others] = values;
  return isNarrowed && only !== undefined && others.length === 0 ? only : id;
}

/** Of a beginning: a slip should find nothing. */
const LEAST_LETTERS = 3;

/** Keys of the filter bar. */
export function editFilters(state: SessionState, action: KeyIn<'filters'>): SessionState {
  const resource = resourceOf(state);
  const draft = state.browsers[state.tab]?.draft;
  if (resource === undefined || !draft) return state;
  const withDraft = (changed: FilterDraft | null) =>
    withBrowser(state, resource.id, shown => ({ ...shown, draft: changed }));
  const step = (by: number) =>
    withDraft({
      ...draft,
      field: (draft.field + by + draft.texts.length) % draft.texts.length,
      suggestion: -1,
    });
  switch (action.type) {
    case 'edit-filters':
      return withDraft({ ...draft, isOffered: false });
    case 'next-field':
      return step(1);
    case 'previous-field':
      return step(-1);
    case 'suggest':
      return withDraft(suggest(state, resource, draft, action.direction));
    case 'back':
      return withDraft(null);
    case 'apply-filters': {
      const values = draftValues(resource, draft, (filter, word) => idMeant(state, { resource, draft, filter, word }));
      if (!values.isValid) return withDraft({ ...draft, field: values.field, problem: values.problem });
      return restartList(state, resource.id, shown => ({ ...shown, draft: null, filters: values.filters }));
    }
  }
}
