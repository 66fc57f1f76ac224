import { compareHex } from '../../base/text/ids.ts';
import { type SafeText, sanitize } from '../../base/text/safe-text.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { type Directory, nameOf, plainNameOf } from '../../chain/directory/directory.ts';
import { findIds } from '../../chain/directory/find-ids.ts';
import { allKnownIds } from '../../chain/directory/known-ids.ts';
import { longText } from '../../chain/insight/kind.ts';
import { type Filter, filterProblem, flagName, valueWord } from '../../chain/resources/filter.ts';
import { resourceById } from '../../chain/resources/registry.ts';
import type { SharedState } from './screen.ts';

type Known = Pick<SharedState, 'directory' | 'seen'>;

/** A word that may stand behind a tab. */
interface FilterCompletion {
  readonly word: string;
  readonly label: string;
}

/** The filters of a tab that the last word may be, or the values of the one that it names. */
export function filterCompletions(known: Known, tab: string, words: readonly string[]): readonly FilterCompletion[] {
  const filters = resourceById(tab)?.filters ?? [];
  const last = words.at(-1) ?? '';
  const [name = '', ...typed] = last.split('=');
  if (typed.length === 0) {
    const used = words.slice(0, -1).map(word => word.split('=')[0] ?? '');
    return filters
      .filter(filter => filter.repeats === true || !used.some(word => isFilterCalled(filter, word)))
      .map(({ title }) => `${title}=`)
      .filter(word => word.startsWith(last.toLowerCase()))
      .map(word => ({ word, label: word }));
  }
  const filter = filters.find(candidate => isFilterCalled(candidate, name));
  if (filter === undefined) return [];
  return filterValues(known, filter, typed.join('=')).map(({ word, label }) => ({ word: `${name}=${word}`, label }));
}

/** Whether a word means this filter. */
export const isFilterCalled = (filter: Filter, word: string): boolean =>
  [filter.name, filter.title, flagName(filter)].includes(word);

/** Values of a filter that begin as typed, or whose names do. */
export function filterValues(known: Known, filter: Filter, typed: string): readonly FilterCompletion[] {
  const begun = compareHex(typed).toLowerCase();
  if (filter.kind === 'boolean')
    return ['true', 'false']
      .filter(word => word.startsWith(begun))
      .map(word => ({ word, label: valueWord(filter, word) }));
  const { entity } = filter;
  if (entity === undefined) return [];
  const { directory, seen } = known;
  // An id that a node made up as it liked must not get into a line.
  const ids = new Set([...(seen[entity] ?? []), ...allKnownIds(directory, entity)]);
  const found: FilterCompletion[] = [];
  for (const id of ids) {
    if (found.length === MAX_VALUES) break;
    // Typed, an id that is not in the form that nodes compare would stand for another one.
    if (filterProblem(filter, id) !== undefined || idFor(known, filter, id) !== id) continue;
    const name = plainNameOf(directory, entity, id) ?? id;
    const label = nameOf(directory, entity, id) ?? id;
    const isMeant = [id, label, label.replace(/^@/, '')].some(text => compareHex(text).toLowerCase().startsWith(begun));
    if (isMeant) found.push({ word: identifiesAlone(known, filter, { id, name }) ? name : id, label });
  }
  return found;
}

/** More are not looked through. */
const MAX_VALUES = 100;

/** Whether a name, typed as one word, stands for this id: two things may have names that look the same. */
const identifiesAlone = (known: Known, filter: Filter, { id, name }: { readonly id: string; readonly name: string }) =>
  !/[\s=]/.test(name) && filterProblem(filter, name) !== undefined && idFor(known, filter, name) === id;

/** The id that a word stands for; the word itself where it is the name of none, or of several. */
export function idFor({ directory, seen }: Known, filter: Filter, word: string): string {
  const { entity, kind } = filter;
  // A prefix of an id may belong to an id that is not known.
  const isId = kind === 'id' || kind === 'address';
  if (entity === undefined || (!isId && filterProblem(filter, word) === undefined)) return word;
  const [id, ...others] = findIds(directory, entity, word, {
    isId: found => filterProblem(filter, found) === undefined,
    seen: seen[entity] ?? [],
  });
  return id === undefined || others.length > 0 ? word : id;
}

/** `true` or `false` for a word that means one; any other word unchanged. */
export function normalizeBoolean(text: string): string {
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

/** A filter value for the line of filters: its name, or the ends of an id. */
export function filterValueText(directory: Directory, filter: Filter, value: string): SafeText {
  const { entity } = filter;
  const name = entity === undefined || entity === 'epoch' ? undefined : nameOf(directory, entity, value);
  if (name !== undefined) return truncateMiddle(name, MAX_NAME_CELLS);
  const word = sanitize(valueWord(filter, value));
  if (filter.words !== undefined) return word;
  return truncateMiddle(filter.kind === 'address' ? longText(filter.kind, value, 0) : word, MAX_ID_CELLS);
}

const MAX_NAME_CELLS = 24;
const MAX_ID_CELLS = 12;
