import { NO_NAMES } from '../../../directory/directory.ts';
import { resourceById } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import type { SavedList } from '../../../settings/saved-view.ts';
import type { Preferences } from '../../services/preferences.ts';
import { openedList } from './saved-list.ts';
import type { Browser } from './state.ts';

/** A list that nothing was asked for yet. */
export function newList(resource: Resource, preferences: Preferences, saved?: SavedList): Browser {
  const opened = openedList(resource, preferences, saved);
  return {
    ...opened,
    opened,
    resource: resource.id,
    lastRequest: 0,
    page: null,
    behind: [],
    ahead: null,
    whole: null,
    loading: null,
    prefetching: null,
    failure: null,
    demand: null,
    view: { row: 0, top: 0, left: 0 },
    find: '',
    times: preferences.times ?? 'ages',
    names: NO_NAMES,
    laidOutIn: null,
    namesLaidOut: NO_NAMES,
    inspector: null,
    seeking: null,
    filterBar: null,
    watchS: 0,
    changes: null,
    spokenOf: null,
    cellColumn: null,
    countedLast: null,
  };
}

/** The list of another node: what still arrives from the one before is the answer to no request of this one. */
export function listOfOtherNode(left: Browser, preferences: Preferences): Browser {
  const { countedLast, lastRequest } = left;
  const resource = resourceById(left.resource);
  return resource === undefined ? left : { ...newList(resource, preferences), countedLast, lastRequest };
}
