import { nameOf } from '../../directory/directory.ts';
import { idsNamed } from '../../directory/ids-named.ts';
import { type Filter, type FilterValues, filterProblem, normalValue } from '../../resources/filter.ts';
import type { Resource } from '../../resources/resource.ts';
import type { FilterDraft } from './filter-draft.ts';
import type { Browser, SessionState } from './state.ts';

/** The filter bar opened on what is in force. */
export function newDraft(resource: Resource, browser: Browser, problem: string | null = null): FilterDraft {
  const texts = resource.filters.map(filter => (browser.filters[filter.name] ?? []).join(' '));
  return { texts, field: 0, problem, suggestion: -1, typed: '', isOffered: false };
}

/** Whether other filters are in force than those that the list is opened with. */
export const isFilteredBy = ({ usualFilters = {} }: Resource, filters: FilterValues): boolean =>
  Object.keys(filters).length !== Object.keys(usualFilters).length ||
  Object.entries(filters).some(([name, values]) => values.join(' ') !== usualFilters[name]?.join(' '));

/** What the draft's texts stand for, or the sentence about the first wrong one and its field. */
export type DraftValues =
  | { readonly isValid: true; readonly filters: FilterValues }
  | { readonly isValid: false; readonly problem: string; readonly field: number };

/** Of a name the id that it stands for. */
type IdOf = (filter: Filter, word: string) => string;

export function draftValues(resource: Resource, draft: FilterDraft, idOf: IdOf = (_, word) => word): DraftValues {
  const filters: Record<string, readonly string[]> = {};
  for (const [field, filter] of resource.filters.entries()) {
    const values = valuesOf(filter, draft.texts[field] ?? '').map(value => idOf(filter, value));
    for (const value of values) {
      const problem = filterProblem(filter, value);
      if (problem !== undefined) return { isValid: false, problem, field };
    }
    if (values.length > 0) filters[filter.name] = values.map(value => normalValue(filter, value));
  }
  return { isValid: true, filters };
}

function valuesOf(filter: Filter, text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (filter.repeats) return trimmed.split(/[\s,]+/).filter(value => value !== '');
  if (filter.kind === 'boolean') return [booleanWord(trimmed)];
  return [trimmed];
}

/** `true` or `false` for a word that means one; any other word as it is. */
export function booleanWord(text: string): string {
  const word = text.toLowerCase();
  return (Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined) ?? text;
}

const BOOLEANS: { readonly [word: string]: string } = {
  yes: 'true',
  y: 'true',
  true: 'true',
  no: 'false',
  n: 'false',
  false: 'false',
};

/** What may be put into the field in focus. */
export interface Suggestions {
  readonly values: readonly string[];
  /** They are those alone that begin as what was typed, or whose names do. */
  readonly isNarrowed: boolean;
}

/** Values worth offering for the field in focus: of its kind, or ids of its entity seen in rows; behind letters, what begins with them. */
export function suggestions(state: SessionState, resource: Resource, draft: FilterDraft): Suggestions {
  const filter = resource.filters[draft.field];
  if (filter === undefined) return NOTHING;
  const { kind, entity } = filter;
  if (kind === 'boolean') return { values: ['true', 'false'], isNarrowed: false };
  if (entity === undefined) return NOTHING;
  // Only what the filter takes: an id that a node made up as it liked must not get into a field.
  const isTaken = (value: string): boolean => filterProblem(filter, value) === undefined;
  const seen = (state.seen[entity] ?? []).filter(isTaken);
  const typed = (draft.suggestion < 0 ? (draft.texts[draft.field] ?? '') : draft.typed).trim().toLowerCase();
  if (typed === '') return { values: seen, isNarrowed: false };
  const { directory } = state;
  const known = new Set([...seen, ...idsNamed(directory, entity).filter(isTaken)]);
  const begun = [...known].filter(id => {
    const name = nameOf(directory, entity, id)?.toLowerCase() ?? '';
    return [id.toLowerCase(), name, name.replace(/^@/, '')].some(text => text.startsWith(typed));
  });
  // What is whole already is exchanged for another.
  const isWhole = begun.length === 1 && begun[0]?.toLowerCase() === typed;
  return begun.length === 0 || isWhole ? { values: seen, isNarrowed: false } : { values: begun, isNarrowed: true };
}

const NOTHING: Suggestions = { values: [], isNarrowed: false };

/** Puts the next or previous suggestion into the field; past the first one it holds again what was typed. */
export function suggest(state: SessionState, resource: Resource, draft: FilterDraft, direction: 1 | -1): FilterDraft {
  const { values } = suggestions(state, resource, draft);
  const suggestion = Math.max(-1, Math.min(draft.suggestion + direction, values.length - 1));
  // Nothing more to offer on this side: what was typed stays.
  if (suggestion === draft.suggestion) return draft;
  const typed = draft.suggestion < 0 ? (draft.texts[draft.field] ?? '') : draft.typed;
  return {
    ...draft,
    texts: draft.texts.with(draft.field, values[suggestion] ?? typed),
    suggestion,
    typed,
    problem: null,
    isOffered: false,
  };
}
