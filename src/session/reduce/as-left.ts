import { unsetWord } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import { isFilteredBy } from '../model/filters.ts';
import type { Browser, SessionState } from '../model/state.ts';

/** The state with a word on the filters that the list was left with last time: nobody has to wonder where rows are. */
export function withAsLeft(state: SessionState): SessionState {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined || state.notice !== null) return state;
  const isAsLeft = browser.filters === browser.opened.filters && isFilteredBy(resource, browser.filters);
  return isAsLeft ? { ...state, notice: { text: textOf(resource, browser.filters), tone: 'info' } } : state;
}

function textOf(resource: Resource, filters: Browser['filters']): string {
  const { usualFilters = {} } = resource;
  const changed = resource.filters.flatMap(filter => {
    const values = filters[filter.name] ?? [];
    if (values.join(' ') === (usualFilters[filter.name] ?? []).join(' ')) return [];
    const [first, ...others] = values.map(value => truncateMiddle(sanitize(value), LONGEST_VALUE));
    const more = others.length === 0 ? '' : ` +${others.length}`;
    return [`${filter.title}=${first === undefined ? unsetWord(filter, filters) : `${first}${more}`}`];
  });
  return `as you left it: ${changed.join(', ')}; x clears`;
}

const LONGEST_VALUE = 12;
