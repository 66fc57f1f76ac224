import type { Screen, ScreenContext, ScreenKey, Step, TextField } from '../../explorer/core/screen.ts';
import { resourceById } from '../../resources/registry.ts';
import { browseEffects } from '../../session/browse-effects.ts';
import { nextAgeMs } from '../../session/model/ages.ts';
import type { BrowseEvent } from '../../session/model/browse-event.ts';
import { barField } from '../../session/model/filter-bar.ts';
import { marginsOf } from '../../session/model/layout.ts';
import { leftList, returnedList } from '../../session/model/left-list.ts';
import { type BrowseOpening, listOfOtherNode, newList } from '../../session/model/open-list.ts';
import { paneOf } from '../../session/model/pane.ts';
import { savedList } from '../../session/model/saved-list.ts';
import type { Browser } from '../../session/model/state.ts';
import { afterChange } from '../../session/reduce/after-change.ts';
import { announcedCount, announcedList } from '../../session/reduce/announced-list.ts';
import { BROWSE_KEYS, type BrowseKey } from '../../session/reduce/browse-keys.ts';
import { pastedIntoFilters } from '../../session/reduce/edit-filters.ts';
import { listCopies } from '../../session/reduce/list-copies.ts';
import { listNews } from '../../session/reduce/list-news.ts';
import { pointedInList } from '../../session/reduce/list-pointed.ts';
import { listFile, listSaves } from '../../session/reduce/list-saves.ts';
import { LIST_VERBS } from '../../session/reduce/list-verbs.ts';
import { settledList } from '../../session/reduce/settled-list.ts';
import { updateList } from '../../session/reduce/update-list.ts';
import { listHead } from './list-head.ts';
import { listPlace } from './list-place.ts';
import { listProgress } from './list-progress.ts';
import { listBody, listFoot } from './list-view.ts';

type Context = ScreenContext<Browser>;

/** A list, its record and its filters. */
export const browseScreen: Screen<Browser, BrowseEvent, BrowseOpening> = {
  title: 'the list',
  tab: ({ resource }) => resource.id,
  isRoot: true,
  open: ({ resource, preferences, saved }) => newList(resource, preferences, saved),
  afterSwitch: (list, { shared }) => listOfOtherNode(list, shared.preferences),
  left: leftList,
  returned: returnedList,
  saved: (list, { preferences }) => savedList(list, preferences),
  pane: paneOf,
  keys: BROWSE_KEYS.map(asKey),
  canMove: list => ['list', 'record'].includes(paneOf(list)),
  move: (list, action, context) => changed(list, updateList(list, action, context), context).state ?? list,
  update: (list, event, context) => changed(list, updateList(list, event, context), context),
  news: (list, news, context) => changed(list, listNews(list, news, context), context),
  settle: settledList,
  effects: browseEffects,
  margins: marginsOf,
  head: listHead,
  body: listBody,
  foot: listFoot,
  place: listPlace,
  progress: listProgress,
  field,
  problem: ({ filterBar }) => filterBar?.problem ?? '',
  pasted: pastedIntoFilters,
  takesUnmarkedPaste: list => paneOf(list) === 'offered-filters',
  pointed: pointedInList,
  verbs: LIST_VERBS,
  asOfMs: ({ page }) => page?.receivedAtMs,
  nextChangeMs: nextAgeMs,
  announced: announcedList,
  announcedCount,
  copies: listCopies,
  saves: listSaves,
  fileName: listFile,
};

/** What follows from a change in the rest of the list. */
function changed(was: Browser, { state, messages = [] }: Step<Browser>, { shared }: Context): Step<Browser> {
  return { state: state && afterChange(was, state, shared.directory), messages };
}

function asKey({ panes, when, ...key }: BrowseKey): ScreenKey<Browser, BrowseEvent> {
  return { ...key, when: (list, context) => panes.includes(paneOf(list)) && when?.(list, context) !== false };
}

function field({ resource, filterBar }: Browser): TextField<BrowseEvent> | undefined {
  if (filterBar === null || filterBar.isOffered) return undefined;
  const title = resourceById(resource)?.filters[filterBar.field]?.title ?? '';
  return { value: barField(filterBar), label: `filter ${title}`, edited: value => ({ type: 'filter-edited', value }) };
}
