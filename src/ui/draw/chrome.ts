import { bytesPerSecond } from '../../export/progress.ts';
import { longText } from '../../insight/kind.ts';
import { type Filter, isInForce, unsetWord } from '../../resources/filter.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { modeOf } from '../../session/model/mode.ts';
import type { Browser, SessionState } from '../../session/model/state.ts';
import { visibleRows } from '../../session/model/visible-rows.ts';
import { type Binding, bindingsOf, offReason } from '../../session/reduce/keymap.ts';
import { repeatSafe, type SafeText, safeText, sanitize } from '../../text/safe-text.ts';
import { truncateEnd, truncateMiddle } from '../../text/width.ts';
import { cutLine, type Line, lineWidth, type Span, span, spread, textLine } from '../line.ts';
import { byteCount } from './size.ts';

/** Every filter of the list with its value, the search, the order: nothing that narrows is hidden. */
export function drawFilterLine(state: SessionState): Line {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  if (resource === undefined || browser === undefined) return [];
  const { filters } = browser;
  // What narrows or orders the list comes first: on a small screen the rest may fall off.
  const spans: Span[] = [
    span(safeText` `),
    ...resource.filters.filter(({ name }) => isInForce(filters, name)).flatMap(filter => filterSpans(filter, browser)),
    ...viewSpans(resource, browser),
    ...resource.filters.filter(({ name }) => !isInForce(filters, name)).flatMap(filter => filterSpans(filter, browser)),
  ];
  if (resource.filters.length === 0) spans.push(span(safeText`no filters at the node  `, 'quiet'));
  return cutLine(spans, state.screen.columns);
}

function filterSpans(filter: Filter, browser: Browser): readonly Span[] {
  const values = browser.filters[filter.name] ?? [];
  const [first, ...others] = values;
  // Of several the first stands for all, so that what comes behind stays on the line.
  const shown = first === undefined ? unsetWord(filter, browser.filters) : shownValue(filter, first);
  const more = others.length === 0 ? '' : ` +${others.length}`;
  return [
    span(sanitize(`${filter.title} `), 'quiet'),
    span(sanitize(`${shown}${more}`), first === undefined ? 'quiet' : 'accent'),
    span(safeText`  `),
  ];
}

const shownValue = ({ kind }: Filter, value: string): SafeText =>
  truncateMiddle(kind === 'address' ? longText(kind, value, 0) : sanitize(value), 12);

function viewSpans(resource: Resource, browser: Browser): readonly Span[] {
  const { find, sort, newestFirst, watchS } = browser;
  const texts = [
    find === '' ? '' : `find "${truncateEnd(sanitize(find), LONGEST_FIND)}" ${countMatches(resource, browser)}`,
    sort === null ? '' : `loaded rows sorted by ${sort.column}${sort.isDescending ? ', largest first' : ''}`,
    newestFirst ? '' : 'oldest first',
    watchS === 0 ? '' : `watching, every ${watchS} s`,
  ];
  return texts.flatMap(text => (text === '' ? [] : [span(sanitize(`${text}  `), 'accent')]));
}

function countMatches(resource: Resource, browser: Browser): string {
  return `${visibleRows(resource, browser).length} of ${browser.page?.rows.length ?? 0} loaded`;
}

const LONGEST_FIND = 20;

/** The line above the footer: what just happened, and the download that runs. */
export function drawStatus(state: SessionState): Line {
  const { notice, job, screen } = state;
  const running = job?.status === 'running' ? job : undefined;
  const progress = running?.progress;
  const right =
    running === undefined || modeOf(state) === 'export-progress'
      ? []
      : textLine(
          `export ${running.plan.table.id}: ${progress ? `${byteCount(progress.bytes)}, ${byteCount(bytesPerSecond(progress))}/s` : 'starting'} `,
          'pending',
        );
  const flaws = state.browsers[state.tab]?.page?.flaws ?? [];
  const left =
    notice !== null
      ? textLine(` ${notice.text}`, notice.tone === 'info' ? 'accent' : notice.tone)
      : flaws.length > 0
        ? textLine(` ${flaws.join('; ')}`, 'bad')
        : [];
  return left.length === 0 && right.length === 0
    ? [span(repeatSafe(safeText`\u2500`, screen.columns), 'quiet')]
    : spread(left, right, screen.columns);
}

/** Where the window stands, and the keys that lead on: as many as fit, the help always. */
export function drawFooter(state: SessionState): Line {
  const hints = bindingsOf(modeOf(state)).flatMap(binding =>
    binding.footer === undefined || (binding.isRare === true && offReason(state, binding) !== undefined)
      ? []
      : [hint(state, binding, binding.footer)],
  );
  const help = hints.find(({ isHelp }) => isHelp);
  const spans: Span[] = [span(sanitize(` ${placeText(state)}   `))];
  let left = state.screen.columns - lineWidth(spans) - (help?.cells ?? 0);
  for (const { spans: parts, cells, isHelp } of hints) {
    if (isHelp || cells > left) continue;
    spans.push(...parts);
    left -= cells;
  }
  return cutLine([...spans, ...(help?.spans ?? [])], state.screen.columns);
}

function hint(state: SessionState, binding: Binding, title: string) {
  const isOff = offReason(state, binding) !== undefined;
  const spans = [
    span(sanitize(`${binding.keys[0]} `), isOff ? 'quiet' : 'strong'),
    span(sanitize(`${title}  `), isOff ? 'quiet' : 'plain'),
  ] as const;
  return { spans, cells: lineWidth(spans), isHelp: binding.keys.includes('?') };
}

function placeText(state: SessionState): string {
  const browser = state.browsers[state.tab];
  const resource = resourceById(state.tab);
  if (state.overlay !== null || browser === undefined || resource === undefined) return '';
  const { page, loading } = browser;
  if (page === null) return '';
  const count = page.rows.length;
  const rows =
    page.offset === null ? `${count} rows` : count === 0 ? 'no rows' : `rows ${page.offset + 1}-${page.offset + count}`;
  const more = page.hasNextPage ? '  more >' : '';
  const number =
    page.number === null ? (page.request.position.kind === 'last' ? 'last page' : 'page ?') : `page ${page.number}`;
  // What stands between the page and the rows drawn is said here too: the filter line may have no room for it.
  const found = browser.find === '' ? '' : `, ${visibleRows(resource, browser).length} found`;
  const order = browser.sort === null ? '' : ' sorted';
  return `${number}  ${rows}${order}${found}${more}${loading?.isSlow ? '  loading' : ''}`;
}
