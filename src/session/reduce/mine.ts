import { type Directory, isMine, mineOf, nameOf, plainNameOf } from '../../directory/directory.ts';
import {
  isMineEntity,
  isNothingMine,
  MINE_LIST_OF,
  MINE_WORDS,
  type Mine,
  NOTHING_MINE,
} from '../../directory/mine.ts';
import type { MarkedId, MineEvent } from '../../explorer/services/mine/mine.ts';
import { countOf } from '../../insight/count-of.ts';
import type { Filter } from '../../resources/filter.ts';
import { isNamed } from '../../resources/leads.ts';
import { mayHoldMine } from '../../resources/mine-rows.ts';
import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { normalId } from '../../settings/mine-file.ts';
import { sanitize } from '../../text/safe-text.ts';
import { truncateMiddle } from '../../text/width.ts';
import type { MenuItem } from '../model/menu-item.ts';
import { FIND_MINE } from '../model/record-search.ts';
import type { Browser, SessionState } from '../model/state.ts';
import { visibleRows } from '../model/visible-rows.ts';
import { loadedRows } from '../model/whole.ts';
import { leadsHere } from './goals.ts';
import type { ListContext } from './list-context.ts';
import type { Reason } from './list-reasons.ts';
import { fromFirstPage } from './list-requests.ts';
import { ofList } from './tab-list.ts';
import { withDirectory } from './take-names.ts';
import { fetchAhead, withBrowser, withNotice } from './transitions.ts';

/** The state after something happened to what is the user's. */
export function mineEvent(state: SessionState, event: MineEvent): SessionState {
  const { saving } = state.mine;
  switch (event.type) {
    case 'mine-read': {
      if (event.chainId !== state.node.chainId) return state;
      const read = withMine({ ...state, mine: { ...state.mine, readFor: event.chainId } }, event.mine);
      return event.problem === null ? read : withNotice(read, event.problem, 'bad');
    }
    case 'mine-saved': {
      if (saving?.requestId !== event.requestId) return state;
      const saved = { ...state, mine: { ...state.mine, saving: null } };
      // Another chain may have been gone to meanwhile.
      const known = saving.chainId === state.node.chainId ? withMine(saved, event.mine) : saved;
      return withNotice(
        known,
        `${wordsFor(saving, state)} is ${saving.isMine ? 'yours now' : 'no longer yours'}`,
        'good',
      );
    }
    case 'mine-not-saved':
      if (saving?.requestId !== event.requestId) return state;
      return withNotice({ ...state, mine: { ...state.mine, saving: null } }, `not saved: ${event.problem}`, 'bad');
  }
}

function withMine(state: SessionState, mine: Mine): SessionState {
  const isNothingNew = isNothingMine(mine) && isNothingMine(state.directory.mine ?? NOTHING_MINE);
  return isNothingNew ? state : withDirectory(state, { ...state.directory, mine });
}

/** Marks the id under the cursor, or offers those of the record. */
export function toggleMine(state: SessionState, openMenu: (state: SessionState) => SessionState): SessionState {
  const [only, ...others] = idsShown(state);
  if (only === undefined) return state;
  return others.length === 0 ? markMine(state, only) : openMenu(state);
}

export function markMine(state: SessionState, { entity, id, isMine }: MarkedId): SessionState {
  const { chainId } = state.node;
  if (chainId === null || chainId === '' || state.mine.saving !== null) return state;
  const ticket = state.ticket + 1;
  const saving = { requestId: ticket, chainId, entity, id: id.toLowerCase(), isMine };
  return { ...state, ticket, mine: { ...state.mine, saving } };
}

/** Why there is nothing to mark. */
export const noIdToMark: Reason = (list, context) => {
  const { node, mine } = context.shared;
  if (!node.chainId) return 'the node has not said yet which chain it is on';
  if (mine.saving !== null) return 'the last change is being written';
  return idsHere(list, context).length > 0 ? undefined : 'no party, validator, market or submitter here';
};

/** The ids here that can be the user's: those under the cursor, else that of the record itself, else all in it. */
function idsHere(list: Browser, context: ListContext): readonly MarkedId[] {
  const { directory } = context.shared;
  const resource = resourceById(list.resource);
  const { near, all, row } = leadsHere(list, context);
  if (resource === undefined || row === undefined) return [];
  const markable = [near, all.filter(lead => isNamed(resource, row, lead)).slice(0, 1), all].map(leads =>
    leads.flatMap(({ entity, id }) =>
      isMineEntity(entity) && normalId(MINE_LIST_OF[entity], id) !== undefined
        ? [{ entity, id, isMine: !isMine(directory, entity, id) }]
        : [],
    ),
  );
  return markable.find(ids => ids.length > 0) ?? [];
}

/** The same of the list shown. */
const idsShown = (state: SessionState): readonly MarkedId[] => ofList(idsHere)(state) ?? [];

export const mineItems = (state: SessionState): readonly MenuItem[] =>
  idsShown(state)
    .slice(0, MOST_IDS)
    .map(marked => ({
      mark: marked.isMine ? ' ' : '*',
      label: wordsFor(marked, state),
      detail: marked.isMine ? '' : 'yours: Enter takes it back',
      action: { type: 'mark-mine', ...marked },
    }));

/** A row may name thousands of parties. */
const MOST_IDS = 200;

const wordsFor = ({ entity, id }: MarkedId, { directory }: SessionState): string =>
  `${MINE_WORDS[entity]} ${plainNameOf(directory, entity, id) ?? truncateMiddle(sanitize(id), SHORT_ID)}`;

const SHORT_ID = 12;

/** How a list is limited to what is the user's: by a filter of the node, or to those of the rows that are loaded. */
type Limit =
  | { readonly kind: 'filter'; readonly filter: Filter; readonly ids: readonly string[] }
  | { readonly kind: 'rows' };

/** Nodes are asked with one line of text, which has its limits. */
const MOST_VALUES = 50;

function limitOf(resource: Resource, directory: Directory): Limit | undefined {
  for (const entity of ['party', 'submitter', 'market'] as const) {
    const filter = resource.filters.find(one => one.entity === entity);
    const ids = [...mineOf(directory, entity)].slice(0, MOST_VALUES);
    if (filter !== undefined && ids.length > 0) return { kind: 'filter', filter, ids };
  }
  return resource.filters.some(({ entity }) => isMineEntity(entity)) ? undefined : { kind: 'rows' };
}

/** Limits the list to what is the user's, goes on to the next of several where the node takes only one, or shows all again. */
export function limitToMine(state: SessionState): SessionState {
  const resource = resourceById(state.tab);
  const browser = state.browsers[state.tab];
  const limit = resource && limitOf(resource, state.directory);
  if (resource === undefined || browser === undefined || limit === undefined) return state;
  return limit.kind === 'rows' ? limitRows(state, resource, browser) : limitByFilter(state, resource, browser, limit);
}

function limitRows(state: SessionState, resource: Resource, browser: Browser): SessionState {
  const find = browser.find === FIND_MINE ? '' : FIND_MINE;
  const names = state.directory;
  const limited = fetchAhead(
    withBrowser(state, resource.id, shown => ({ ...shown, find, names })),
    resource.id,
  );
  if (find === '' || browser.page === null) return limited;
  const loaded = countOf(loadedRows(browser.page).length, 'loaded row');
  if (browser.whole !== null) return withNotice(limited, `those of the ${loaded} with something of yours; m shows all`);
  const shown = limited.browsers[resource.id];
  const count = shown === undefined ? 0 : visibleRows(resource, shown).length;
  return withNotice(
    limited,
    `${count} of the ${loaded} ${count === 1 ? 'has' : 'have'} something of yours; m shows all`,
  );
}

function limitByFilter(
  state: SessionState,
  resource: Resource,
  browser: Browser,
  { filter, ids }: Extract<Limit, { readonly kind: 'filter' }>,
): SessionState {
  const [now = '', ...others] = (browser.filters[filter.name] ?? []).map(value => value.toLowerCase());
  const { [filter.name]: _, ...rest } = browser.filters;
  const wanted = filter.repeats === true ? ids : ids.slice(ids.indexOf(now) + 1, ids.indexOf(now) + 2);
  const isAll = filter.repeats === true ? ids.join(' ') === [now, ...others].join(' ') : wanted.length === 0;
  const filters = isAll ? rest : { ...rest, [filter.name]: wanted };
  const limited = withBrowser(state, resource.id, shown =>
    fromFirstPage({ ...shown, filterBar: null, demand: null, filters }),
  );
  if (isAll) return withNotice(limited, `not limited to yours any more`);
  return withNotice(
    limited,
    `${yoursText(state, filter, ids, wanted)}, filtered by the node; ${nextText(filter, ids, wanted)}`,
  );
}

function yoursText(
  { directory }: SessionState,
  { entity, title }: Filter,
  ids: readonly string[],
  wanted: readonly string[],
): string {
  const [first = ''] = wanted;
  if (wanted.length > 1) return `your ${wanted.length} ${isMineEntity(entity) ? MINE_LIST_OF[entity] : title}`;
  const name = entity === undefined ? undefined : nameOf(directory, entity, first);
  const place = ids.length === 1 ? '' : ` (${ids.indexOf(first) + 1} of ${ids.length})`;
  const what = isMineEntity(entity) ? MINE_WORDS[entity] : title;
  return `${what} ${name ?? truncateMiddle(sanitize(first), SHORT_ID)}${place}`;
}

const nextText = (filter: Filter, ids: readonly string[], wanted: readonly string[]): string =>
  filter.repeats !== true && ids.at(-1) !== wanted[0] ? 'm shows the next' : 'm shows all';

/** Why the list cannot be limited to what is the user's. */
export const nothingMine: Reason = ({ resource: id }, { shared: { directory, node } }) => {
  const resource = resourceById(id);
  if (resource === undefined || !mayHoldMine(resource)) return 'nothing in this list can be yours';
  if (!node.chainId) return 'the node has not said yet which chain it is on';
  if (isNothingMine(directory.mine ?? NOTHING_MINE))
    return 'nothing is yours yet: M on a party, validator, market or submitter adds it';
  if (limitOf(resource, directory) !== undefined) return undefined;
  const [entity] = resource.filters.flatMap(filter => (isMineEntity(filter.entity) ? [filter.entity] : [])).slice(-1);
  return `no ${entity === undefined ? 'id here' : MINE_WORDS[entity]} is yours yet: M on one adds it`;
};
