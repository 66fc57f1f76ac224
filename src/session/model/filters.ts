import type { FilterValues } from '../../resources/filter.ts';
import type { Resource } from '../../resources/resource.ts';

/** Whether other filters are in force than those that the list is opened with. */
export const isFilteredBy = ({ usualFilters = {} }: Resource, filters: FilterValues): boolean =>
  Object.keys(filters).length !== Object.keys(usualFilters).length ||
  Object.entries(filters).some(([name, values]) => values.join(' ') !== usualFilters[name]?.join(' '));

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
