import type { EditedText } from '../../../../base/text/edit-text.ts';
import { compareHex } from '../../../../base/text/ids.ts';
import { type Directory, isMine, nameOf } from '../../../../chain/directory/directory.ts';
import type { Entity } from '../../../../chain/directory/entity.ts';
import { allKnownIds, sortIdsByName, sortMarketIds } from '../../../../chain/directory/known-ids.ts';
import { type Filter, type FilterValues, filterProblem, normalizeValue } from '../../../../chain/resources/filter.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { normalizeBoolean } from '../../../core/filter-completions.ts';

/** The filter bar while it is edited: one text a filter, in the descriptor's order. */
export interface FilterBar {
  readonly texts: readonly EditedText[];
  readonly field: number;
  readonly problem: string | null;
  /** Index into the suggestions of the field; -1 when none is taken. */
  readonly suggestion: number;
  /** What stood in the field before a suggestion took its place. */
  readonly typed: string;
  /** The value selected in the list below the bar; the field does not hold it. Null until a value is selected. */
  readonly chosen: string | null;
  /** It opened without a key, and is still empty: letters and digits are not for it yet. */
  readonly isOffered: boolean;
  /** The node requires a filter: the values to choose from are a list of their own below the bar. */
  readonly isChoice?: true;
}

/** The filter bar opened on filters, its cursors behind their texts. */
export const openFilterBar = (resource: Resource, filters: FilterValues): FilterBar => ({
  texts: resource.filters.map(({ name }) => atEnd((filters[name] ?? []).join(' '))),
  field: 0,
  problem: null,
  suggestion: -1,
  typed: '',
  chosen: null,
  isOffered: false,
});

/** The bar that opens without a key if the node wants a filter. */
export const requiredFilterBar = (resource: Resource, filters: FilterValues): FilterBar => ({
  ...openFilterBar(resource, filters),
  isOffered: true,
  isChoice: true,
});

/** Which of the values listed below the bar is selected: until one was moved to, the first of a bar that takes no letters, and of what letters have narrowed; otherwise -1. */
export const selectedValueIndex = ({ isOffered, chosen }: FilterBar, { values, isNarrowed }: Suggestions): number =>
  Math.max(chosen === null ? -1 : values.indexOf(chosen), (isOffered || isNarrowed) && values.length > 0 ? 0 : -1);

const atEnd = (text: string): EditedText => ({ text, at: text.length });

const NO_TEXT = atEnd('');

/** The text of a field, by default of the one in focus. */
export const fieldText = ({ texts, field }: FilterBar, index = field): EditedText => texts[index] ?? NO_TEXT;

/** With the focus moved by this number of fields; the last field is followed by the first. */
export function withFocusMoved(bar: FilterBar, by: number): FilterBar {
  const count = bar.texts.length;
  return withFocusOn(bar, (bar.field + by + count) % count);
}

/** A field is entered behind its text. */
export const withFocusOn = (bar: FilterBar, field: number): FilterBar => ({
  ...bar,
  field,
  texts: bar.texts.with(field, atEnd(fieldText(bar, field).text)),
  suggestion: -1,
  chosen: null,
});

/** With something typed into the field in focus, or the cursor moved in it. */
export function withFieldEdited(bar: FilterBar, value: EditedText): FilterBar {
  const edited = { ...bar, texts: bar.texts.with(bar.field, value) };
  return value.text === fieldText(bar).text ? edited : { ...edited, problem: null, suggestion: -1, chosen: null };
}

/** With a value in the field in focus. */
export const withValue = (bar: FilterBar, value: string): FilterBar =>
  withFieldEdited({ ...bar, isOffered: false }, atEnd(value));

/** What the texts of the bar stand for, or the sentence about the first wrong one and its field. */
type FilterBarValues =
  | { readonly isValid: true; readonly filters: FilterValues }
  | { readonly isValid: false; readonly problem: string; readonly field: number };

/** Returns the id that a name stands for. */
type ResolveId = (filter: Filter, word: string) => string;

export function filterBarValues(
  resource: Resource,
  bar: FilterBar,
  idOf: ResolveId = (_, word) => word,
): FilterBarValues {
  const filters: Record<string, readonly string[]> = {};
  for (const [field, filter] of resource.filters.entries()) {
    const values = parseFilterValues(filter, fieldText(bar, field).text).map(value => idOf(filter, value));
    for (const value of values) {
      const problem = filterProblem(filter, value);
      if (problem !== undefined) return { isValid: false, problem, field };
    }
    if (values.length > 0) filters[filter.name] = values.map(value => normalizeValue(filter, value));
  }
  return { isValid: true, filters };
}

function parseFilterValues(filter: Filter, text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (filter.repeats) return trimmed.split(/[\s,]+/).filter(value => value !== '');
  if (filter.kind === 'boolean') return [normalizeBoolean(trimmed)];
  return [trimmed];
}

/** Values that can be put into the focused field. */
export interface Suggestions {
  readonly values: readonly string[];
  /** Only values that begin with the typed text, or whose names do. */
  readonly isNarrowed: boolean;
}

/** Ids seen in rows, and names. */
interface Known {
  readonly seen: { readonly [entity: string]: readonly string[] };
  readonly directory: Directory;
}

/** Values worth offering for the field in focus: of its kind, or ids of its entity, sorted by name; behind letters, what begins with them. */
export function suggestions({ seen: ids, directory }: Known, resource: Resource, bar: FilterBar): Suggestions {
  const filter = resource.filters[bar.field];
  if (filter === undefined) return NOTHING;
  const { kind, entity } = filter;
  if (kind === 'boolean') return { values: ['true', 'false'], isNarrowed: false };
  if (entity === undefined) return NOTHING;
  // Only what the filter takes: an id that a node made up as it liked must not get into a field.
  const isTaken = (value: string): boolean => filterProblem(filter, value) === undefined;
  const known = knownIds({ seen: ids, directory }, entity).filter(isTaken);
  const typed = compareHex(typedFieldText(bar).trim()).toLowerCase();
  // Nothing is looked for by its name yet.
  if (typed === '')
    return {
      values: bar.isChoice && entity === 'market' ? sortMarketIds(directory, known) : known,
      isNarrowed: false,
    };
  const begun = known.filter(id => {
    const name = nameOf(directory, entity, id)?.toLowerCase() ?? '';
    return [compareHex(id), name, name.replace(/^@/, '')].some(text => text.startsWith(typed));
  });
  // A complete value can be exchanged for another.
  const isWhole = begun.length === 1 && compareHex(begun[0] ?? '') === typed;
  return begun.length === 0 || isWhole ? { values: known, isNarrowed: false } : { values: begun, isNarrowed: true };
}

function knownIds({ seen: ids, directory }: Known, entity: Entity): readonly string[] {
  const seen = new Map((ids[entity] ?? []).map(id => [id.toLowerCase(), id]));
  const named = allKnownIds(directory, entity).filter(id => !seen.has(id.toLowerCase()));
  const sorted = (list: readonly string[]) => sortIdsByName(directory, entity, list);
  if (!ENTITIES_MOSTLY_UNNAMED.includes(entity)) return sorted([...seen.values(), ...named]);
  // Of those that have a name most are validators, which are seldom meant: what rows hold goes before them.
  const mine = named.filter(id => isMine(directory, entity, id));
  return [...sorted([...seen.values(), ...mine]), ...sorted(named.filter(id => !mine.includes(id)))];
}

const ENTITIES_MOSTLY_UNNAMED: readonly Entity[] = ['party', 'submitter'];

const NOTHING: Suggestions = { values: [], isNarrowed: false };

const typedFieldText = (bar: FilterBar): string => (bar.suggestion < 0 ? fieldText(bar).text : bar.typed);

/** Puts the next or previous suggestion into the field; before the first one, the field holds the typed text again. */
export function cycleSuggestion(known: Known, resource: Resource, bar: FilterBar, direction: 1 | -1): FilterBar {
  const { values } = suggestions(known, resource, bar);
  const suggestion = Math.max(-1, Math.min(bar.suggestion + direction, values.length - 1));
  // No more suggestions in this direction: the typed text stays.
  if (suggestion === bar.suggestion) return bar;
  const typed = typedFieldText(bar);
  return {
    ...bar,
    texts: bar.texts.with(bar.field, atEnd(values[suggestion] ?? typed)),
    suggestion,
    typed,
    problem: null,
  };
}

/** With the text typed before a suggestion replaced it. */
export const withoutSuggestion = (bar: FilterBar): FilterBar =>
  bar.suggestion < 0 ? bar : { ...bar, texts: bar.texts.with(bar.field, atEnd(bar.typed)), suggestion: -1 };

/** Whether the filters differ from those that the list is opened with. */
export const differsFromUsualFilters = ({ usualFilters = {} }: Resource, filters: FilterValues): boolean =>
  Object.keys(filters).length !== Object.keys(usualFilters).length ||
  Object.entries(filters).some(([name, values]) => values.join(' ') !== usualFilters[name]?.join(' '));
