import { type SafeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { type Directory, nameOf } from '../../../chain/directory/directory.ts';
import { type Filter, unsetWord } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Action } from '../../core/action.ts';
import type { ScreenNotification } from '../../core/screen.ts';
import { differsFromUsualFilters } from './filters/filter-bar.ts';
import { columnLayout } from './list/column-layout.ts';
import { moveToPage, restartList, withNewRequest } from './list/pager.ts';
import type { ListContext, ListStep } from './list-context.ts';
import { reopenList } from './open-list.ts';
import { listPanes } from './panes.ts';
import type { BrowseState, Inspector } from './state.ts';

/** What a list makes of something that happened to the program. */
export function handleListNotification(list: BrowseState, news: ScreenNotification, context: ListContext): ListStep {
  switch (news.type) {
    case 'arrived':
      return loadWhenShown(list, news.isAgain, context);
    case 'connected': {
      if (list.isStepped) return { state: moveToPage(list, 'reload') };
      const opened = reopenList(list, news.preferences, news.saved);
      const isOther = JSON.stringify(opened.filters) !== JSON.stringify(list.filters);
      return {
        state: opened,
        messages: isOther && isShown(list, context) ? noticeRestoredFilters(opened, context) : [],
      };
    }
    case 'names': {
      const { directory } = context.shared;
      const isLaidOut = isNameless(news.before) && isUntouched(list) && hidesColumns(list, context);
      const known = requestExplanation(news.isOtherChain || isLaidOut ? withDirectoryNames(list, directory) : list);
      return { state: known, messages: isShown(list, context) ? renoticeWithNames(known, news.before, directory) : [] };
    }
    case 'node-back':
      // Retries requests that failed while the node was away.
      return {
        state: isShown(list, context) && list.failure !== null && isAway(list.failure) ? retryAfterReturn(list) : list,
      };
  }
}

/** The first names come right behind the first rows. */
const isNameless = ({ markets, assets, validators }: Directory): boolean =>
  [markets, assets, validators].every(({ size }) => size === 0);

/** Nothing is being read yet that could move. */
const isUntouched = ({ view, sort, find, inspector, filterBar }: BrowseState): boolean =>
  view.row === 0 && view.left === 0 && sort === null && find === '' && inspector === null && filterBar === null;

/** Ids without names may take the room of the columns that are needed most. */
function hidesColumns(list: BrowseState, context: ListContext): boolean {
  const resource = resourceById(list.resource);
  if (resource === undefined || list.page === null) return false;
  return columnLayout(resource, list, list.page, listPanes(list, context).tableColumns).hiddenRight > 0;
}

const isShown = ({ resource }: BrowseState, { shared }: ListContext): boolean => shared.tab === resource;

/** It is asked for when it never was. In its record its own key leads back to the rows. */
function loadWhenShown(list: BrowseState, isAgain: boolean, context: ListContext): ListStep {
  const { page, loading, failure, demand, inspector, filterBar } = list;
  const shown = isAgain && inspector !== null && filterBar === null ? { ...list, inspector: null } : list;
  if (loading === null && isFailureResolved(failure, context)) return { state: retryAfterReturn(shown) };
  const isAsked = page !== null || loading !== null || failure !== null || demand !== null;
  return isAsked ? { state: shown } : { state: restartList(shown), messages: noticeRestoredFilters(shown, context) };
}

// Another notice that is already shown takes precedence.
function noticeRestoredFilters(list: BrowseState, { shared }: ListContext): readonly Action[] {
  const text = restoredFiltersText(list, shared.directory);
  return text === undefined ? [] : [{ type: 'noticed', text, inPlaceOf: '' }];
}

/** The same once more with other names, where it is still there to be read. */
function renoticeWithNames(list: BrowseState, before: Directory, now: Directory): readonly Action[] {
  const [was, text] = [restoredFiltersText(list, before), restoredFiltersText(list, now)];
  return was === undefined || text === undefined ? [] : [{ type: 'noticed', text, inPlaceOf: was }];
}

const withDirectoryNames = (list: BrowseState, names: Directory): BrowseState => ({
  ...list,
  names,
  namesLaidOut: names,
  inspector: list.inspector && { ...list.inspector, names },
  preview: list.preview && { ...list.preview, names },
});

/** The current explanation stays until there is one with the current names. */
const requestExplanation = (list: BrowseState): BrowseState =>
  withNewRequest(list, (shown, id) => {
    const inspector = shown.inspector && withExplanationRequest(shown.inspector, id);
    // Only one previewed record is explained at a time.
    const preview =
      shown.nextPreview === null ? shown.preview && withExplanationRequest(shown.preview, id) : shown.preview;
    const nextPreview = shown.nextPreview && withExplanationRequest(shown.nextPreview, id);
    const isSame = inspector === shown.inspector && preview === shown.preview && nextPreview === shown.nextPreview;
    return isSame ? shown : { ...shown, inspector, preview, nextPreview };
  });

function withExplanationRequest<Record extends Inspector>(inspector: Record, id: number): Record {
  const { meaning } = inspector;
  switch (meaning.status) {
    case 'known':
    case 'asked':
      return { ...inspector, meaning: { ...meaning, requestId: id } };
    case 'none':
    case 'failed':
      return inspector;
  }
}

/** The cause of a list's failure is over: the node answers again, or accepts requests again. */
function isFailureResolved(failure: BrowseState['failure'], { shared: { node } }: ListContext): boolean {
  if (failure === null) return false;
  if (failure.kind === 'rate-limited') return Math.max(failure.retryAtMs, node.blockedUntilMs) <= node.nowMs;
  return isAway(failure) && node.contact.silentSinceMs === null;
}

const isAway = ({ kind }: NonNullable<BrowseState['failure']>): boolean => kind === 'network' || kind === 'timeout';

const retryAfterReturn = (list: BrowseState): BrowseState => moveToPage(list, 'reload');

/** A notice about the filters that a list was left with last time, so that no one wonders where rows are. */
function restoredFiltersText({ resource: id, filters, opened }: BrowseState, directory: Directory): string | undefined {
  const resource = resourceById(id);
  if (resource === undefined || filters !== opened.filters || !differsFromUsualFilters(resource, filters))
    return undefined;
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
  return name === undefined ? truncateMiddle(sanitize(value), MAX_VALUE_CELLS) : truncateMiddle(name, MAX_NAME_CELLS);
}

const MAX_VALUE_CELLS = 12;
const MAX_NAME_CELLS = 24;
