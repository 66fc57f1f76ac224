import { normaliseMineId } from '../../../base/settings/mine-file.ts';
import { sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { type Directory, isMine, nameOf, ownIds } from '../../../chain/directory/directory.ts';
import {
  isMineEntity,
  isNothingMine,
  MINE_LIST_NAMES,
  MINE_WORDS,
  NOTHING_MINE,
} from '../../../chain/directory/mine.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { Filter } from '../../../chain/resources/filter.ts';
import { isOwnLink, type Link } from '../../../chain/resources/links.ts';
import { loadedRows } from '../../../chain/resources/list-page.ts';
import { mayHoldMine } from '../../../chain/resources/mine-rows.ts';
import { FIND_MINE } from '../../../chain/resources/record-search.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import type { Resource } from '../../../chain/resources/resource.ts';
import type { Choice } from '../../core/choice.ts';
import { type MarkedId, markedIdText } from '../../services/mine/mine.ts';
import { noChainReason } from '../../services/node/health.ts';
import { prefetchNextPage, reloadFromFirstPage } from './list/pager.ts';
import type { Reason } from './list/reasons.ts';
import { visibleRows } from './list/visible-rows.ts';
import { type ListContext, type ListStep, noticeAction } from './list-context.ts';
import { reachableLeads } from './record/goals.ts';
import type { BrowseState } from './state.ts';

// Which rows and ids of a list are the user's.

/** Marks the id under the cursor, or offers those of the record. */
export function toggleMine(list: BrowseState, context: ListContext): ListStep {
  const [only, ...others] = idsAtCursor(list, context);
  if (only === undefined) return { state: list };
  const offered = context.to({ type: 'open-menu', id: 'mine' });
  return { state: list, messages: [others.length === 0 ? { type: 'mark-mine', ...only } : offered] };
}

/** Why there is nothing to mark. */
export const noIdToMark: Reason = (list, context) => {
  const { node, mine } = context.shared;
  if (!node.chainId) return noChainReason(node);
  if (mine.saving !== null) return 'the last change is being written';
  return idsAtCursor(list, context).length > 0 ? undefined : 'nothing here can be yours';
};

/** The ids here that can be the user's: those under the cursor, else that of the record itself, else all in it. */
function idsAtCursor(list: BrowseState, context: ListContext): readonly MarkedId[] {
  const { directory } = context.shared;
  const resource = resourceById(list.resource);
  const { near, all, row } = reachableLeads(list, context);
  if (resource === undefined || row === undefined) return [];
  const markable = [near, all.filter(lead => isOwnLink(resource, row, lead)).slice(0, 1), onlyPartyFirst(all)].map(
    leads =>
      leads.flatMap(({ entity, id }) =>
        isMineEntity(entity) && normaliseMineId(MINE_LIST_NAMES[entity], id) !== undefined
          ? [{ entity, id, isMine: !isMine(directory, entity, id) }]
          : [],
      ),
  );
  return markable.find(ids => ids.length > 0) ?? [];
}

/** Marking a record of one party on a market marks the party. */
function onlyPartyFirst(leads: readonly Link[]): readonly Link[] {
  const [party, ...others] = leads.filter(({ entity }) => entity === 'party');
  return party === undefined || others.length > 0 ? leads : [party, ...leads.filter(lead => lead !== party)];
}

export const mineChoices = (list: BrowseState, context: ListContext): readonly Choice[] =>
  idsAtCursor(list, context)
    .slice(0, MAX_IDS)
    .map(marked => ({
      mark: marked.isMine ? ' ' : '*',
      label: markedIdText(marked, context.shared.directory),
      detail: marked.isMine ? '' : 'yours: Enter takes it back',
      action: { type: 'mark-mine', ...marked },
    }));

/** A row may name thousands of parties. */
const MAX_IDS = 200;

const SHORT_ID = 12;

/** How a list is limited to the user's own records: by a filter of the node, or to the loaded rows that are theirs. */
type Limit =
  | { readonly kind: 'filter'; readonly filter: Filter; readonly ids: readonly string[] }
  | { readonly kind: 'rows' };

/** Nodes are asked with one line of text, which has its limits. */
const MAX_FILTER_VALUES = 50;

function mineLimitOf(resource: Resource, directory: Directory): Limit | undefined {
  for (const entity of ['party', 'submitter', 'market'] as const) {
    const filter = resource.filters.find(one => one.entity === entity);
    const ids = [...ownIds(directory, entity)].slice(0, MAX_FILTER_VALUES);
    if (filter !== undefined && ids.length > 0) return { kind: 'filter', filter, ids };
  }
  return resource.filters.some(({ entity }) => isMineEntity(entity)) ? undefined : { kind: 'rows' };
}

/**
 * Limits the list to the user's own records, continues with the next id if the node takes only one, or shows all again.
 */
export function limitToMine(list: BrowseState, { shared: { directory } }: ListContext): ListStep {
  const resource = resourceById(list.resource);
  const limit = resource && mineLimitOf(resource, directory);
  if (resource === undefined || limit === undefined) return { state: list };
  return limit.kind === 'rows' ? limitByFind(list, resource, directory) : limitByFilter(list, limit, directory);
}

function limitByFind(list: BrowseState, resource: Resource, names: Directory): ListStep {
  const find = list.find === FIND_MINE ? '' : FIND_MINE;
  const limited = prefetchNextPage({ ...list, find, names });
  if (find === '' || list.page === null) return { state: limited };
  const { length } = loadedRows(list.page);
  const loaded = countOf(length, 'loaded row');
  const count = visibleRows(resource, limited).length;
  const those =
    list.whole !== null
      ? `those of ${loaded} with`
      : `${count} of ${loaded} ${count === 1 || length === 1 ? 'has' : 'have'}`;
  return { state: limited, messages: [noticeAction(`${those} one of your ids; m shows all`)] };
}

function limitByFilter(
  list: BrowseState,
  { filter, ids }: Extract<Limit, { readonly kind: 'filter' }>,
  directory: Directory,
): ListStep {
  const [now = '', ...others] = (list.filters[filter.name] ?? []).map(value => value.toLowerCase());
  const { [filter.name]: _, ...rest } = list.filters;
  const wanted = filter.repeats === true ? ids : ids.slice(ids.indexOf(now) + 1, ids.indexOf(now) + 2);
  const isAll = filter.repeats === true ? ids.join(' ') === [now, ...others].join(' ') : wanted.length === 0;
  // Filters that were changed by hand since then are the person's.
  const before = list.limitedToMine?.filters === list.filters ? list.limitedToMine.before : undefined;
  // A list that came back limited, or was by hand, goes back to all.
  const unlimitedBefore = [now, ...others].every(id => ids.includes(id)) ? rest : list.filters;
  if (isAll) {
    const { filters, sort } = before ?? { filters: rest, sort: list.sort };
    const again = filterTitles(
      list,
      Object.keys(filters).filter(name => !Object.hasOwn(rest, name)),
    );
    const text = `no longer limited to yours${again.length === 0 ? '' : `: ${again.join(' and ')} set again`}`;
    return { state: removeLimit({ ...list, sort }, filters), messages: [noticeAction(text)] };
  }
  const kept = Object.keys(rest).filter(name => !choosesRecords(list, name));
  const filters = { ...Object.fromEntries(kept.map(name => [name, rest[name] ?? []])), [filter.name]: wanted };
  const isDropped = ({ name }: Filter): boolean =>
    Object.hasOwn(before?.filters ?? rest, name) && !Object.hasOwn(filters, name);
  const dropped = (resourceById(list.resource)?.filters ?? []).filter(isDropped);
  // An order that came with a market means nothing on several.
  const isOfDropped = dropped.some(
    ({ largestFirst }) => largestFirst !== undefined && largestFirst === list.sort?.column,
  );
  const limited = {
    ...removeLimit({ ...list, sort: isOfDropped ? null : list.sort }, filters),
    limitedToMine: { filters, before: before ?? { filters: unlimitedBefore, sort: list.sort } },
  };
  const yours = [yoursText(filter, { ids, wanted, directory }), ...dropped.map(({ title }) => `any ${title}`)].join(
    ', ',
  );
  return {
    state: limited,
    messages: [noticeAction(`${yours}, filtered by the node; ${nextText(filter, ids, wanted)}`)],
  };
}

const removeLimit = (list: BrowseState, filters: BrowseState['filters']): BrowseState =>
  reloadFromFirstPage({ ...list, filters, limitedToMine: null });

/** A market or reference chosen before would hide the user's records elsewhere; epochs and versions stay. */
const choosesRecords = ({ resource }: BrowseState, name: string): boolean =>
  resourceById(resource)?.filters.some(filter => filter.name === name && CHOOSING.has(filter.kind)) === true;

const CHOOSING: ReadonlySet<Filter['kind']> = new Set(['id', 'text']);

const filterTitles = ({ resource }: BrowseState, names: readonly string[]): readonly string[] =>
  (resourceById(resource)?.filters ?? []).filter(({ name }) => names.includes(name)).map(({ title }) => title);

interface Wanted {
  readonly ids: readonly string[];
  readonly wanted: readonly string[];
  readonly directory: Directory;
}

function yoursText({ entity, title }: Filter, { ids, wanted, directory }: Wanted): string {
  const [first = ''] = wanted;
  if (wanted.length > 1) return `your ${wanted.length} ${isMineEntity(entity) ? MINE_LIST_NAMES[entity] : title}`;
  const name = entity === undefined ? undefined : nameOf(directory, entity, first);
  const place = ids.length === 1 ? '' : ` (${ids.indexOf(first) + 1} of ${ids.length})`;
  const what = isMineEntity(entity) ? MINE_WORDS[entity] : title;
  return `${what} ${name ?? truncateMiddle(sanitize(first), SHORT_ID)}${place}`;
}

const nextText = (filter: Filter, ids: readonly string[], wanted: readonly string[]): string =>
  filter.repeats !== true && ids.at(-1) !== wanted[0] ? 'm shows the next' : 'm shows all';

/** Why the list cannot be limited to the user's own records. */
export const nothingMine: Reason = ({ resource: id }, { shared: { directory, node } }) => {
  const resource = resourceById(id);
  if (resource === undefined || !mayHoldMine(resource)) return 'nothing in this list can be yours';
  if (!node.chainId) return noChainReason(node);
  if (isNothingMine(directory.mine ?? NOTHING_MINE)) return 'nothing is yours yet: M marks ids';
  if (mineLimitOf(resource, directory) !== undefined) return undefined;
  const [entity] = resource.filters.flatMap(filter => (isMineEntity(filter.entity) ? [filter.entity] : [])).slice(-1);
  return `no ${entity === undefined ? 'id here' : MINE_WORDS[entity]} is yours yet: M on one adds it`;
};
