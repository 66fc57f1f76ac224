import type { Directory } from '../../../directory/directory.ts';
import { countText } from '../../../insight/count-of.ts';
import { type Filter, isInForce, unsetWord } from '../../../resources/filter.ts';
import { holdsWholeList, loadedRows } from '../../../resources/list-page.ts';
import { FIND_MINE } from '../../../resources/record-search.ts';
import { resourceById } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { truncateEnd } from '../../../text/width.ts';
import { shownValue } from '../../core/filter-value.ts';
import { type Line, lineWidth, type Span, span } from '../../core/line.ts';
import { visibleRows } from './list/visible-rows.ts';
import { arrangementOf } from './list/whole.ts';
import type { ListContext } from './list-context.ts';
import type { Browser } from './state.ts';

/** Every filter of the list with its value, the search, the order: nothing that narrows is hidden. */
export function listHead(browser: Browser, { shared, area }: ListContext): Line {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [];
  const { filters } = browser;
  const spansOf = (filter: Filter) => filterSpans(filter, browser, shared.directory);
  const narrows = ({ name }: Filter): boolean =>
    isInForce(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' ');
  // What narrows or orders the list comes first: on a small screen the rest may fall off.
  const first: readonly Span[] = [
    span(safeText` `),
    ...resource.filters.filter(narrows).flatMap(spansOf),
    ...viewSpans(resource, browser),
  ];
  if (resource.filters.length === 0) return [...first, NO_FILTERS];
  const others = resource.filters.filter(filter => !narrows(filter));
  const set = others.filter(({ name }) => filters[name] !== undefined);
  // Filters that are not set say least: where the line is short they go before anything is cut.
  const ways = [others, set].map(shown => [...first, ...shown.flatMap(spansOf)]);
  return ways.find(spans => lineWidth(spans) - GAP <= area.columns) ?? ways.at(-1) ?? first;
}

const NO_FILTERS = span(safeText`no filters`, 'quiet');

/** Behind the last filter, as behind each. */
const GAP = 2;

function filterSpans(filter: Filter, browser: Browser, directory: Directory): readonly Span[] {
  const values = browser.filters[filter.name] ?? [];
  const [first, ...others] = values;
  // Of several the first stands for all, so that what comes behind stays on the line.
  const shown = first === undefined ? unsetWord(filter, browser.filters) : shownValue(directory, filter, first);
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return [
    span(sanitize(`${filter.title}${filter.words === undefined ? '' : ':'} `), 'quiet'),
    span(sanitize(`${shown}${more}`), first === undefined ? 'quiet' : 'accent'),
    span(safeText`  `),
  ];
}

function viewSpans(resource: Resource, browser: Browser): readonly Span[] {
  const { newestFirst, watchS } = browser;
  const { find, sort } = arrangementOf(browser);
  const texts = [
    find === '' ? '' : `${findText(find)} ${countMatches(resource, browser)}`,
    sort === null
      ? ''
      : `${sortedRowsText(browser)} sorted by ${sort.column}${sort.isDescending ? ', largest first' : ''}`,
    newestFirst ? '' : 'oldest first',
    watchS === 0 ? '' : `watching, every ${watchS} s`,
  ];
  return texts.flatMap(text => (text === '' ? [] : [span(sanitize(`${text}  `), 'accent')]));
}

const findText = (find: string): string =>
  find === FIND_MINE ? 'yours' : `find "${truncateEnd(sanitize(find), LONGEST_FIND)}"`;

function countMatches(resource: Resource, browser: Browser): string {
  const { page } = browser;
  const found = countText(visibleRows(resource, browser).length);
  const loaded = page === null ? 0 : loadedRows(page).length;
  return `${found} of ${countText(loaded)}${isLoadedWhole(browser) ? '' : ' loaded'}`;
}

const sortedRowsText = (browser: Browser): string => (isLoadedWhole(browser) ? 'all rows' : 'loaded rows');

const isLoadedWhole = ({ page }: Browser): boolean => page !== null && holdsWholeList(page);

const LONGEST_FIND = 20;
