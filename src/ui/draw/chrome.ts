import type { Directory } from '../../directory/directory.ts';
import { cutLine, type Line, lineWidth, type Span, span, spread, textLine } from '../../explorer/core/line.ts';
import { bytesPerSecond } from '../../export/download/progress.ts';
import { countText } from '../../insight/count-of.ts';
import { type Filter, isInForce, unsetWord } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { changesOn, changesText } from '../../session/model/changes.ts';
import { shownValue } from '../../session/model/filter-value.ts';
import type { Browser, SessionState } from '../../session/model/state.ts';
import { visibleRows } from '../../session/model/visible-rows.ts';
import { arrangementOf, holdsWholeList, loadedRows } from '../../session/model/whole.ts';
import { bodyScreen } from '../../session/reduce/layers.ts';
import { byteCount } from '../../text/byte-count.ts';
import { repeatSafe, safeText, sanitize } from '../../text/safe-text.ts';
import { truncateEnd } from '../../text/width.ts';
import { progressText } from './whole-list.ts';

/** Every filter of the list with its value, the search, the order: nothing that narrows is hidden. */
export function drawFilterLine(state: SessionState): Line {
  const top = bodyScreen(state);
  if (top !== undefined) return cutLine(top.screen.head?.(top.layer.state, top.context) ?? [], state.screen.columns);
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const { filters } = browser;
  const spansOf = (filter: Filter) => filterSpans(filter, browser, state.directory);
  const narrows = ({ name }: Filter): boolean =>
    isInForce(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' ');
  // What narrows or orders the list comes first: on a small screen the rest may fall off.
  const first: readonly Span[] = [
    span(safeText` `),
    ...resource.filters.filter(narrows).flatMap(spansOf),
    ...viewSpans(resource, browser),
  ];
  if (resource.filters.length === 0) return cutLine([...first, NO_FILTERS], state.screen.columns);
  const others = resource.filters.filter(filter => !narrows(filter));
  const set = others.filter(({ name }) => filters[name] !== undefined);
  // Filters that are not set say least: where the line is short they go before anything is cut.
  const ways = [others, set].map(shown => [...first, ...shown.flatMap(spansOf)]);
  const fitting = ways.find(spans => lineWidth(spans) - GAP <= state.screen.columns);
  return cutLine(fitting ?? ways.at(-1) ?? first, state.screen.columns);
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
    find === '' ? '' : `find "${truncateEnd(sanitize(find), LONGEST_FIND)}" ${countMatches(resource, browser)}`,
    sort === null
      ? ''
      : `${sortedRowsText(browser)} sorted by ${sort.column}${sort.isDescending ? ', largest first' : ''}`,
    newestFirst ? '' : 'oldest first',
    watchS === 0 ? '' : `watching, every ${watchS} s`,
  ];
  return texts.flatMap(text => (text === '' ? [] : [span(sanitize(`${text}  `), 'accent')]));
}

function countMatches(resource: Resource, browser: Browser): string {
  const { page } = browser;
  const found = countText(visibleRows(resource, browser).length);
  const loaded = page === null ? 0 : loadedRows(page).length;
  return `${found} of ${countText(loaded)}${isLoadedWhole(browser) ? '' : ' loaded'}`;
}

const sortedRowsText = (browser: Browser): string => (isLoadedWhole(browser) ? 'all rows' : 'loaded rows');

const isLoadedWhole = ({ page }: Browser): boolean => page !== null && holdsWholeList(page);

const LONGEST_FIND = 20;

/** The line above the footer: what just happened, and the download that runs. */
export function drawStatus(state: SessionState, top = bodyScreen(state)): Line {
  const { notice, job, screen } = state;
  const running = job?.status === 'running' ? job : undefined;
  const progress = running?.progress;
  const right =
    running === undefined || top?.screen.showsJob?.(top.layer.state) === true
      ? []
      : textLine(
          `export ${running.plan.table.id}: ${progress ? `${byteCount(progress.bytes)}, ${byteCount(bytesPerSecond(progress))}/s` : 'starting'} `,
          'pending',
        );
  const isList = top === undefined;
  const browser = isList ? state.browsers[state.tab] : undefined;
  const flaws = browser?.page?.flaws ?? [];
  const loading =
    top !== undefined
      ? top.screen.progress?.(top.layer.state, top.context)
      : browser && progressText(browser, state.node);
  const changes = browser === undefined ? null : changesOn(browser.changes, browser.page);
  const left =
    notice !== null
      ? textLine(` ${notice.text}`, notice.tone === 'info' ? 'accent' : notice.tone)
      : loading !== undefined
        ? typeof loading === 'string'
          ? textLine(` ${loading}`, 'pending')
          : [span(safeText` `), ...loading]
        : flaws.length > 0
          ? textLine(` ${flaws.join('; ')}`, 'bad')
          : changes === null
            ? []
            : textLine(` ${changesText(changes)}`, 'accent');
  return left.length === 0 && right.length === 0
    ? [span(repeatSafe(safeText`\u2500`, screen.columns), 'quiet')]
    : spread(left, right, screen.columns);
}
