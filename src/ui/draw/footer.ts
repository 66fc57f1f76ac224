import { cutLine, type Line, lineWidth, type Span, span } from '../../explorer/core/line.ts';
import { countText } from '../../insight/count-of.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Layout } from '../../session/model/layout.ts';
import type { Browser, LoadedPage, SessionState } from '../../session/model/state.ts';
import { rowsDrawn } from '../../session/model/table-lines.ts';
import { visibleRows } from '../../session/model/visible-rows.ts';
import { arrangementOf, loadedRows } from '../../session/model/whole.ts';
import type { Binding } from '../../session/reduce/binding.ts';
import { bindingsOf, footerWord, offReason } from '../../session/reduce/keymap.ts';
import { topScreen } from '../../session/reduce/layers.ts';
import { sanitize } from '../../text/safe-text.ts';
import { wholeListText } from './whole-list.ts';

/** What is loaded, and the keys that do something here and now: as many as fit, the help always, or else the way back. */
export function drawFooter(state: SessionState, layout: Layout): Line {
  const shown = bindingsOf(state).flatMap(binding => {
    const word = footerWord(state, binding);
    if (word === undefined || offReason(state, binding) !== undefined) return [];
    return [{ ...hint(binding, word), isOfNow: binding.footerNow?.(state) !== undefined }];
  });
  // What a key does for now alone nobody knows by heart.
  const hints = [...shown.filter(({ isOfNow }) => isOfNow), ...shown.filter(({ isOfNow }) => !isOfNow)];
  const spans: Span[] = [span(sanitize(` ${placeText(state, layout)}   `))];
  const room = state.screen.columns - lineWidth(spans);
  const last = lastOf(hints, room);
  let left = room - (last?.cells ?? 0);
  for (const hint of hints) {
    if (hint === last || hint.cells > left) continue;
    spans.push(...hint.spans);
    left -= hint.cells;
  }
  // Where not even that fits the key alone is more than half a word.
  return cutLine([...spans, ...(last?.alone.slice(0, left < -2 ? 1 : 2) ?? [])], state.screen.columns);
}

/** What always stands at the end. */
function lastOf(hints: readonly Hint[], room: number): Hint | undefined {
  const help = hints.find(({ key }) => key === '?');
  const back = hints.find(({ key }) => key === 'esc');
  const isRoomy = (hints[0]?.cells ?? 0) + (back?.cells ?? 0) <= room;
  return help ?? (isRoomy ? back : undefined);
}

type Hint = ReturnType<typeof hint>;

function hint(binding: Binding, title: string) {
  const spans = [span(sanitize(`${binding.keys[0]} `), 'accent'), span(sanitize(`${title}  `), 'quiet')] as const;
  // With nothing behind it there is no gap, which would be cut off with a mark.
  const alone = [spans[0], span(sanitize(title), 'quiet')] as const;
  return { key: binding.keys[0], spans, alone, cells: lineWidth(spans) };
}

function placeText(state: SessionState, layout: Layout): string {
  const browser = state.browsers[state.tab];
  const resource = resourceById(state.tab);
  const top = topScreen(state);
  if (top !== undefined) return top.screen.place?.(top.layer.state, top.context) ?? '';
  if (browser === undefined || resource === undefined || browser.page === null) return '';
  const { page, loading } = browser;
  const list = { resource, browser, page };
  const isOnePage = isWhole(page) || page.whole !== undefined;
  const loaded = isOnePage ? wholeText(list, layout, state.screen.columns) : partText(list, state.screen.columns);
  return `${loaded}${loading?.isSlow ? '  loading' : ''}`;
}

interface LoadedList {
  readonly resource: Resource;
  readonly browser: Browser;
  readonly page: LoadedPage;
}

/** Nothing of the list lies outside of the page, as far as the node says. */
const isWhole = ({ offset, hasNextPage, hasPreviousPage, flaws }: LoadedPage): boolean =>
  offset === 0 && !hasNextPage && !hasPreviousPage && flaws.length === 0;

/** `1-18 of 46`: the rows drawn, of all that there are; of one record its place. */
function wholeText({ resource, browser, page }: LoadedList, layout: Layout, columns: number): string {
  const { view, inspector } = browser;
  const { find, sort } = arrangementOf(browser);
  const count = visibleRows(resource, browser).length;
  const total = countText(loadedRows(page).length);
  const sorted = sort === null ? '' : ', sorted';
  if (count === 0) return `${find === '' ? 'no rows' : `none found among ${total}`}${sorted}`;
  const isLong = page.whole !== undefined && columns >= LONG_SENTENCES;
  const among = isLong
    ? wholeListText(browser, page, count)
    : `${find === '' ? `of ${total}` : `of ${countText(count)} found among ${total}`}${sorted}`;
  if (inspector !== null && layout.tableColumns === 0) return `${view.row + 1} ${among}`;
  const [from, to] = rowsDrawn(resource, browser, layout.tableRows);
  return `${countText(from + 1)}-${countText(to)} ${among}`;
}

// On narrower screens the sentence about a sort would be cut.
const LONG_SENTENCES = 72;

/** `rows 51-100, more`: what lies between this page and the rows drawn is said here too, since the filter line may be full. */
function partText({ resource, browser, page }: LoadedList, columns: number): string {
  const count = page.rows.length;
  const rows =
    count === 0
      ? 'no rows'
      : page.offset !== null
        ? `rows ${page.offset + 1}-${page.offset + count}`
        : `${page.request.position.kind === 'last' ? 'last ' : ''}${count} rows`;
  const more = page.hasNextPage ? ', more' : '';
  const matches = visibleRows(resource, browser).length;
  const found = browser.find === '' ? '' : `, ${matches} found`;
  if (browser.sort === null) return `${rows}${more}${found === '' ? '' : `, ${matches} of ${count} found`}`;
  const isNarrow = columns < LONG_SENTENCES;
  return isNarrow
    ? `${rows}${more}, sorted${found}`
    : `${rows}${more}${found}  sorted: these ${count} rows only (S sorts all)`;
}
