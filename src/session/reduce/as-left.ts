import { type Directory, nameOf } from '../../directory/directory.ts';
import { type Filter, unsetWord } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { type SafeText, sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import { isFilteredBy } from '../model/filters.ts';
import type { Browser, SessionState } from '../model/state.ts';

/** The state with a word on the filters that the list was left with last time: nobody has to wonder where rows are. */
export function withAsLeft(state: SessionState): SessionState {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined || state.notice !== null) return state;
  const isAsLeft = browser.filters === browser.opened.filters && isFilteredBy(resource, browser.filters);
  return isAsLeft ? { ...state, notice: { text: textOf(state, resource, browser.filters), tone: 'info' } } : state;
}

/** What that word says once more, with the names that have come since it was said. */
export function withNamesAsLeft(state: SessionState, before: SessionState): SessionState {
  const said = before.notice === null ? null : withAsLeft({ ...before, notice: null }).notice;
  return said === null || said.text !== before.notice?.text ? state : withAsLeft({ ...state, notice: null });
}

function textOf({ directory }: SessionState, resource: Resource, filters: Browser['filters']): string {
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
