import { resourceById } from '../../../chain/resources/registry.ts';
import type { ListScreen, ScreenKey, TextField } from '../../core/screen.ts';
import type { BrowseOpening } from '../../openings.ts';
import { announcedCount, announcedList } from './announced.ts';
import { listCopies } from './copies.ts';
import { browseEffects } from './effects.ts';
import type { BrowseEvent } from './events.ts';
import { barField } from './filters/filter-bar.ts';
import { pastedIntoFilters } from './filters/handlers.ts';
import { LIST_HANDLERS, movedInList } from './handlers.ts';
import { BROWSE_KEYS, type BrowseKey } from './keys.ts';
import { nextAgeMs } from './list/ages.ts';
import { listNews } from './news.ts';
import { leftList, listOfOtherMoment, listOfOtherNode, newList, returnedList, savedList } from './open-list.ts';
import { footRowsOf, paneOf } from './panes.ts';
import { pointedInList } from './pointed.ts';
import { listProgress, listWait } from './progress.ts';
import { listFile, listSaves } from './saves.ts';
import { afterChange, settledList } from './settle.ts';
import type { BrowseState } from './state.ts';
import { LIST_VERBS } from './verbs.ts';
import { listBody, listFoot, listHead, listPlace } from './view.ts';

/** A list, its record and its filters. */
export const browseScreen: ListScreen<BrowseState, BrowseEvent, BrowseOpening> = {
  kind: 'list',
  title: 'the list',
  description: descriptionOf,
  tab: {
    id: ({ resource }) => resource.id,
    root: {
      news: listNews,
      asOfMs: ({ page }) => page?.receivedAtMs,
      wayBack: {
        left: leftList,
        returned: (list, left, { directory }) => afterChange(list, returnedList(list, left), directory),
      },
      saved: (list, { preferences }) => savedList(list, preferences),
      follows: (was, list, { shared }) => ({ state: afterChange(was, list, shared.directory) }),
      nextChangeMs: nextAgeMs,
    },
    afterSwitch: (list, { shared }, isStep) =>
      isStep ? listOfOtherMoment(list, shared.tab === list.resource) : listOfOtherNode(list, shared.preferences),
  },
  open: ({ resource, preferences, saved }) => newList(resource, preferences, saved),
  pane: paneOf,
  keys: BROWSE_KEYS.map(asKey),
  canMove: list => paneOf(list) !== 'filters',
  move: movedInList,
  handlers: LIST_HANDLERS,
  settle: settledList,
  effects: browseEffects,
  around: {
    head: listHead,
    foot: { rows: footRowsOf, draw: listFoot },
    place: listPlace,
    progress: listProgress,
  },
  body: listBody,
  waits: listWait,
  input: {
    field,
    problem: ({ filterBar }) => filterBar?.problem ?? '',
    takesUnmarkedPaste: list => paneOf(list) === 'offered-filters',
  },
  pasted: pastedIntoFilters,
  pointed: pointedInList,
  verbs: LIST_VERBS,
  announced: announcedList,
  announcedCount,
  output: {
    copies: listCopies,
    file: {
      saves: listSaves,
      name: listFile,
    },
  },
};

function descriptionOf({ resource: id, inspector }: BrowseState): string {
  const resource = resourceById(id);
  if (resource === undefined) return '';
  return inspector === null
    ? `${resource.title}: ${resource.description}`
    : `One ${resource.singular}: what it means, and every value that the node sent`;
}

function asKey({ panes, when, ...key }: BrowseKey): ScreenKey<BrowseState, BrowseEvent> {
  return { ...key, when: (list, context) => panes.includes(paneOf(list)) && when?.(list, context) !== false };
}

function field({ resource, filterBar }: BrowseState): TextField<BrowseEvent> | undefined {
  if (filterBar === null || filterBar.isOffered) return undefined;
  const title = resourceById(resource)?.filters[filterBar.field]?.title ?? '';
  return { value: barField(filterBar), label: `filter ${title}`, edited: value => ({ type: 'filter-edited', value }) };
}
