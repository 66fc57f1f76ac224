import { resourceById } from '../../../chain/resources/registry.ts';
import type { ListScreen, ScreenKey, TextField } from '../../core/screen.ts';
import type { BrowseOpening } from '../../openings.ts';
import { listCopies } from './copies.ts';
import { browseEffects } from './effects.ts';
import type { BrowseEvent } from './events.ts';
import { fieldText } from './filters/filter-bar.ts';
import { pastedIntoFilters } from './filters/handlers.ts';
import { LIST_HANDLERS, movedInList } from './handlers.ts';
import { BROWSE_KEYS, type BrowseKey } from './keys.ts';
import { msUntilAgeChanges } from './list/ages.ts';
import { listAnnouncement, rowCountAnnouncement } from './list-announcement.ts';
import { handleListNotification } from './notifications.ts';
import { leaveList, listForOtherMoment, listForOtherNode, listToSave, newList, returnToList } from './open-list.ts';
import { focusedPane, footRowCount } from './panes.ts';
import { listProgress, listWait } from './progress.ts';
import { listFileName, saveableList } from './saves.ts';
import { afterListChange, settleList } from './settle.ts';
import type { BrowseState } from './state.ts';
import { LIST_VERBS } from './verbs.ts';
import { listBody, listFoot, listHead, listPosition } from './view.ts';

/** A list, its record and its filters. */
export const browseScreen: ListScreen<BrowseState, BrowseEvent, BrowseOpening> = {
  kind: 'list',
  title: 'the list',
  needs: null,
  isOverlay: false,
  description: listDescription,
  tab: {
    id: ({ resource }) => resource.id,
    verbs: LIST_VERBS,
    root: {
      news: handleListNotification,
      asOfMs: ({ page }) => page?.receivedAtMs,
      wayBack: {
        left: leaveList,
        returned: (list, left, { directory }) => afterListChange(list, returnToList(list, left), directory),
      },
      saved: (list, { preferences }) => listToSave(list, preferences),
      nextChangeMs: msUntilAgeChanges,
    },
    afterSwitch: (list, { shared }, isStep) =>
      isStep ? listForOtherMoment(list, shared.tab === list.resource) : listForOtherNode(list, shared.preferences),
  },
  open: ({ resource, preferences, saved }) => newList(resource, preferences, saved),
  pane: focusedPane,
  keys: BROWSE_KEYS.map(toScreenKey),
  canMove: list => focusedPane(list) !== 'filters',
  move: movedInList,
  handlers: LIST_HANDLERS,
  follows: (was, list, { shared }) => ({ state: afterListChange(was, list, shared.directory) }),
  settle: settleList,
  effects: browseEffects,
  around: {
    head: listHead,
    foot: { rows: footRowCount, draw: listFoot },
    place: listPosition,
    progress: listProgress,
  },
  body: listBody,
  waits: listWait,
  input: {
    field,
    problem: ({ filterBar }) => filterBar?.problem ?? '',
    pasted: pastedIntoFilters,
    takesUnmarkedPaste: list => focusedPane(list) === 'offered-filters',
  },
  announced: listAnnouncement,
  announcedCount: rowCountAnnouncement,
  output: {
    copies: listCopies,
    file: {
      saves: saveableList,
      name: listFileName,
    },
  },
};

function listDescription({ resource: id, inspector }: BrowseState): string {
  const resource = resourceById(id);
  if (resource === undefined) return '';
  return inspector === null
    ? `${resource.title}: ${resource.description}`
    : `One ${resource.singular} with its explanation and all values from the node`;
}

function toScreenKey({ panes, when, ...key }: BrowseKey): ScreenKey<BrowseState, BrowseEvent> {
  return { ...key, when: (list, context) => panes.includes(focusedPane(list)) && when?.(list, context) !== false };
}

function field({ resource, filterBar }: BrowseState): TextField<BrowseEvent> | undefined {
  if (filterBar === null || filterBar.isOffered) return undefined;
  const title = resourceById(resource)?.filters[filterBar.field]?.title ?? '';
  return { value: fieldText(filterBar), label: `filter ${title}`, edited: value => ({ type: 'filter-edited', value }) };
}
