import { type Directory, nameOf } from '../../../directory/directory.ts';
import { type Filter, unsetWord } from '../../../resources/filter.ts';
import { resourceById } from '../../../resources/registry.ts';
import { type SafeText, sanitize } from '../../../text/safe-text.ts';
import { truncateMiddle } from '../../../text/width.ts';
import { isFilteredBy } from './filters/filter-bar.ts';
import type { Browser } from './state.ts';

/** A word on the filters that a list was left with last time: nobody has to wonder where rows are. */
export function asLeftText({ resource: id, filters, opened }: Browser, directory: Directory): string | undefined {
  const resource = resourceById(id);
  if (resource === undefined || filters !== opened.filters || !isFilteredBy(resource, filters)) return undefined;
  const { usualFilters = {} } = resource;
  const changed = resource.filters.flatMap(filter => {
    const values = filters[filter.name] ?? [];
    if (values.join(' ') === (usualFilters[filter.name] ?? []).join(' ')) return [];
    const [first, ...others] = values.map(value => shownValue(directory, filter, value));
    const more = others.length === 0 ? '' : ` +${others.length}`;
    return [`${filter.title}=${first === undefined ? unsetWord(filter, filters) : `${first}${more}`}`];
  });
  return `as you left it: ${changed.join(', ')}; x clears`;
}

function shownValue(directory: Directory, { entity }: Filter, value: string): SafeText {
  const name = entity === undefined ? undefined : nameOf(directory, entity, value);
  return name === undefined ? truncateMiddle(sanitize(value), LONGEST_VALUE) : truncateMiddle(name, LONGEST_NAME);
}

const LONGEST_VALUE = 12;
const LONGEST_NAME = 24;
